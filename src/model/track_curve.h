// TrackCurve: the curve of a track joint, by its arc length.
#pragma once

#include <cstddef>
#include <vector>

#include "rigor/result.h"
#include "rigor/vec.h"

namespace rigor {

/// A cubic spline through points with continuous second derivatives, by chord length: periodic when
/// it is closed, else natural and continued straight beyond both ends, where it has no curvature.
/// So position, tangent and curvature are continuous everywhere.
///
/// Places on it are given by arc length from the first point. On a closed curve they count whole
/// laps: s and s + length() are the same point one lap apart.
class TrackCurve {
  public:
    /// Fails with the rule in `message` when points do not make a curve.
    static Result<TrackCurve> make(std::vector<Vec3d> points, bool closed);

    /// A point of the curve and its derivatives by arc length.
    struct Place {
        double s = 0; ///< arc length
        Vec3d position, tangent, curvature, curvature_rate;
    };

    Place at(double s) const;
    /// The nearest point that is reached from `last` without going away from p on the way: on
    /// neighboring strands there may be a nearer one.
    Place nearest_from(const Vec3d& p, double last) const;
    /// The nearest point of all, between the ends; of equally near ones the first.
    Place nearest(const Vec3d& p) const;

    double length() const { return length_; }
    bool is_closed() const { return closed_; }
    const std::vector<Vec3d>& points() const { return points_; }
    std::size_t memory_bytes() const;

  private:
    /// r = a + b t + c t² + d t³ with t from the beginning of the segment.
    struct Segment {
        double start = 0, span = 0; ///< of the parameter
        Vec3d a, b, c, d;
    };
    /// A part of a segment over which the quadrature of arc length is exact to rounding.
    struct Piece {
        double start = 0, s = 0; ///< parameter and arc length at its beginning
        std::size_t segment = 0;
    };
    struct Derivatives {
        Vec3d r, first, second, third;
    };

    void fit(const std::vector<double>& spans);
    bool is_regular() const;
    void measure();
    void measure(std::size_t segment, double from, double to, double whole, int depth);

    /// Takes whole laps out of a parameter, and returns how many.
    double take_laps(double& u) const;
    std::size_t segment_of(double u) const;
    const Piece& piece_of(double u) const;
    Derivatives derivatives(double u) const;
    double speed(std::size_t segment, double u) const;
    double quadrature(std::size_t segment, double from, double to) const;
    double arc_length(double u) const;
    double parameter_near(double s) const;
    Place place(double u) const;
    /// Half the derivative of the squared distance from p.
    double slope(const Vec3d& p, double u) const;
    double refine(const Vec3d& p, double lo, double hi) const;

    std::vector<Vec3d> points_;
    bool closed_ = false;
    std::vector<Segment> segments_;
    std::vector<Piece> pieces_;
    double span_ = 0, length_ = 0;
};

} // namespace rigor
