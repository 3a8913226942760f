// Builds the points of a manifold, given a normal or a reference face.
#pragma once

#include <vector>

#include "collide/face_clip.h"
#include "collide/separating_axis.h"

namespace rigor {

/// A contact query of two cores; fills the manifold.
template <class S>
class ManifoldBuilder {
  public:
    /// `manifold` holds the last one, whose points are preferred.
    ManifoldBuilder(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                    const ContactSettings<S>& wanted, Manifold<S>& manifold)
        : a_(a), b_(b), b_in_a_(b_in_a), wanted_(wanted), out_(manifold) {
        take_last();
        out_.count = 0;
    }

    /// From now on all points of a clipped face go here instead of the best four into the manifold.
    void collect_all(std::vector<ContactPoint<S>>& points) { all_ = &points; }

    /// Drops what was built.
    void clear() { out_.count = 0; }

    /// Clips the other solid's face against the given one. False, and nothing is changed, when no
    /// point of it is within the margin.
    bool over_face_of_a(std::uint32_t face);
    bool over_face_of_b(std::uint32_t face);
    /// The same against any polygon, each in the frame of its owner.
    bool over_polygon_of_a(const FacePolygon<S>& reference, const Vec3<S>& normal);
    bool over_polygon_of_b(const FacePolygon<S>& reference, const Vec3<S>& normal);
    /// Against a plane that A is below.
    bool over_plane(const Plane<S>& plane);

    /// Two crossing edges, by number. False when they are nearest at an end of one of them.
    bool across_edges(const SeparatingAxis<S>& axis);
    /// Two parallel edges along a normal, or else the given points of the cores.
    void along_normal(const Vec3<S>& normal, const Vec3<S>& core_a, const Vec3<S>& core_b);

    /// Halfway between the two cores where they were deepest in the last query, in A's frame.
    const Vec3<S>& last_middle() const { return last_middle_; }
    /// The least separation of the cores at any of the points.
    S least_separation() const;

  private:
    void take_last();
    bool over_box_of_a(std::uint32_t face, const Vec3<S>& normal);
    bool over_box_of_b(std::uint32_t face, const Vec3<S>& normal);
    S margin() const { return wanted_.margin + a_.radius + b_.radius; }
    bool is_known(Feature a, Feature b) const {
        const std::uint64_t k = key(a, b);
        return k == known_[0] || k == known_[1] || k == known_[2] || k == known_[3];
    }
    ContactPoint<S> point_of(const Vec3<S>& core_a, S core_separation, Feature a, Feature b) const {
        return {core_a + out_.normal * a_.radius, core_separation - a_.radius - b_.radius, a, b};
    }
    void add(const Vec3<S>& core_a, S core_separation, Feature a, Feature b) {
        out_.points[static_cast<std::size_t>(out_.count++)] =
            point_of(core_a, core_separation, a, b);
    }
    /// The solid that the reference face belongs to.
    enum class Owner { a, b };
    /// Makes the clipped points the manifold, at most four of them. False, and nothing is changed,
    /// when there are none. The reference is in the frame of its owner.
    template <Owner owner, class Reference>
    bool add_clipped(const Reference& reference, const Vec3<S>& normal, ClipPoints<S>& points);
    /// Both polygons are in the frame of the owner.
    template <Owner owner>
    bool clip_polygon(const FacePolygon<S>& reference, const Vec3<S>& normal,
                      const FacePolygon<S>& incident);
    bool lie_in_parallel(const Vec3<S>& normal);
    EdgeEnds<S> straight_edge(const Core<S>& core, const Vec3<S>& direction) const;
    Feature feature_along(const Core<S>& core, const Vec3<S>& direction) const;

    const Core<S>&a_, &b_;
    const Transform<S>& b_in_a_;
    const ContactSettings<S>& wanted_;
    Manifold<S>& out_;
    /// The points of the last manifold, by their two features; kNobody where there is none.
    static constexpr std::uint64_t kNobody = ~std::uint64_t(0);
    static std::uint64_t key(Feature a, Feature b) {
        return static_cast<std::uint64_t>(a.value()) << 32 | b.value();
    }
    std::array<std::uint64_t, 4> known_{kNobody, kNobody, kNobody, kNobody};
    Vec3<S> last_middle_;
    std::vector<ContactPoint<S>>* all_ = nullptr;
};

} // namespace rigor
