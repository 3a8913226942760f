#include "model/track_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "math/number_text.h"

namespace rigor {
namespace {

Error invalid(std::string message) {
    return {ErrorCode::invalid_value, "curve", std::move(message)};
}

// Beyond it a double has not the micrometers left that a joint is held to.
constexpr double kFarthest = 1e6;

Result<std::vector<double>> chords(const std::vector<Vec3d>& points, bool closed) {
    const std::size_t least = closed ? 3 : 2;
    if (points.size() < least)
        return invalid("must have at least " + std::to_string(least) + " points" +
                       (closed ? " to be closed" : "") + ", got " + std::to_string(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_finite(points[i]))
            return invalid("must have finite points, but point " + std::to_string(i) + " is not");
    std::vector<double> spans;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i + 1 == points.size() && !closed) break;
        const double span = length(points[(i + 1) % points.size()] - points[i]);
        if (span > kFarthest)
            return invalid("must have points at most " + text(kFarthest) + " m apart, got " +
                           text(span));
        if (!(span > 0))
            return invalid(i + 1 == points.size()
                               ? "must not end where it begins: a closed curve leads back by itself"
                               : "must not repeat point " + std::to_string(i));
        spans.push_back(span);
    }
    return spans;
}

/// Solves a tridiagonal system in place: row i is lower[i] x[i-1] + diagonal[i] x[i] + upper[i]
/// x[i+1] = x[i]. Diagonally dominant, so without pivoting.
template <class T>
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double> diagonal,
                       const std::vector<double>& upper, std::vector<T>& x) {
    for (std::size_t i = 1; i < x.size(); ++i) {
        const double factor = lower[i] / diagonal[i - 1];
        diagonal[i] -= factor * upper[i - 1];
        x[i] = x[i] - x[i - 1] * factor;
    }
    x.back() = x.back() * (1 / diagonal.back());
    for (std::size_t i = x.size() - 1; i-- > 0;)
        x[i] = (x[i] - x[i + 1] * upper[i]) * (1 / diagonal[i]);
}

/// Second derivatives at the points of a natural spline.
std::vector<Vec3d> natural_curvatures(const std::vector<Vec3d>& points,
                                      const std::vector<double>& h) {
    const std::size_t n = points.size();
    std::vector<double> lower(n), diagonal(n, 1), upper(n);
    std::vector<Vec3d> x(n);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        lower[i] = h[i - 1], upper[i] = h[i], diagonal[i] = 2 * (h[i - 1] + h[i]);
        x[i] = ((points[i + 1] - points[i]) * (1 / h[i]) -
                (points[i] - points[i - 1]) * (1 / h[i - 1])) *
               6.0;
    }
    solve_tridiagonal(lower, diagonal, upper, x);
    return x;
}

/// Of a periodic spline: the two corners of the cyclic matrix are a matrix of rank one, and are
/// taken in by the formula of Sherman and Morrison.
std::vector<Vec3d> periodic_curvatures(const std::vector<Vec3d>& points,
                                       const std::vector<double>& h) {
    const std::size_t n = points.size();
    std::vector<double> lower(n), diagonal(n), upper(n);
    std::vector<Vec3d> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
        lower[i] = h[before], upper[i] = h[i], diagonal[i] = 2 * (h[before] + h[i]);
        x[i] = ((points[after] - points[i]) * (1 / h[i]) -
                (points[i] - points[before]) * (1 / h[before])) *
               6.0;
    }
    const double corner = h[n - 1], gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    std::vector<double> z(n);
    z[0] = gamma, z[n - 1] = corner;
    solve_tridiagonal(lower, diagonal, upper, x);
    solve_tridiagonal(lower, diagonal, upper, z);
    const double weight = 1 / (1 + z[0] + corner / gamma * z[n - 1]);
    const Vec3d share = (x[0] + x[n - 1] * (corner / gamma)) * weight;
    for (std::size_t i = 0; i < n; ++i) x[i] = x[i] - share * z[i];
    return x;
}

// Gauss-Legendre quadrature with eight points: exact for polynomials of degree 15.
constexpr std::array<double, 4> kNodes{0.1834346424956498049394761, 0.5255324099163289858177390,
                                       0.7966664774136267395915539, 0.9602898564975362316835609};
constexpr std::array<double, 4> kWeights{0.3626837833783619829651504, 0.3137066458778872873379622,
                                         0.2223810344533744705443560, 0.1012285362903762591525314};

} // namespace

Result<TrackCurve> TrackCurve::make(std::vector<Vec3d> points, bool closed) {
    const Result<std::vector<double>> spans = chords(points, closed);
    if (!spans) return spans.error();
    TrackCurve curve;
    curve.points_ = std::move(points);
    curve.closed_ = closed;
    curve.fit(*spans);
    if (!curve.is_regular())
        return invalid("must not turn back on itself: a spline through such points has a cusp");
    curve.measure();
    return curve;
}

void TrackCurve::fit(const std::vector<double>& spans) {
    const std::vector<Vec3d> m =
        closed_ ? periodic_curvatures(points_, spans) : natural_curvatures(points_, spans);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::size_t next = (i + 1) % points_.size();
        const double h = spans[i];
        Segment& s = segments_.emplace_back();
        s.start = span_;
        s.span = h;
        s.a = points_[i];
        s.b = (points_[next] - points_[i]) * (1 / h) - (m[i] * 2.0 + m[next]) * (h / 6);
        s.c = m[i] * 0.5;
        s.d = (m[next] - m[i]) * (1 / (6 * h));
        span_ += h;
    }
}

/// Whether the tangent turns less than a right angle over any small part.
bool TrackCurve::is_regular() const {
    constexpr int kParts = 32;
    for (const Segment& s : segments_) {
        Vec3d before = s.b;
        for (int i = 1; i <= kParts; ++i) {
            const double t = s.span * i / kParts;
            const Vec3d tangent = s.b + (s.c * 2.0 + s.d * (3 * t)) * t;
            if (!(dot(before, tangent) > 0)) return false;
            before = tangent;
        }
    }
    return true;
}

void TrackCurve::measure() {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const double from = segments_[i].start, to = from + segments_[i].span;
        measure(i, from, to, quadrature(i, from, to), 0);
    }
}

/// Halves an interval until the quadrature of both halves is that of the whole.
void TrackCurve::measure(std::size_t segment, double from, double to, double whole, int depth) {
    constexpr int kMaxDepth = 12;
    const double middle = 0.5 * (from + to);
    const double first = quadrature(segment, from, middle), rest = quadrature(segment, middle, to);
    if (std::abs(first + rest - whole) <= 1e-14 * whole || depth == kMaxDepth) {
        pieces_.push_back({from, length_, segment});
        length_ += whole;
        return;
    }
    measure(segment, from, middle, first, depth + 1);
    measure(segment, middle, to, rest, depth + 1);
}

double TrackCurve::take_laps(double& u) const {
    if (!closed_) return 0;
    const double laps = std::floor(u / span_);
    u = std::clamp(u - laps * span_, 0.0, span_);
    return laps;
}

std::size_t TrackCurve::segment_of(double u) const {
    const auto after =
        std::upper_bound(segments_.begin() + 1, segments_.end(), u,
                         [](double at, const Segment& segment) { return at < segment.start; });
    return static_cast<std::size_t>(after - segments_.begin()) - 1;
}

const TrackCurve::Piece& TrackCurve::piece_of(double u) const {
    const auto after =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), u,
                         [](double at, const Piece& piece) { return at < piece.start; });
    return *(after - 1);
}

TrackCurve::Derivatives TrackCurve::derivatives(double u) const {
    take_laps(u);
    const Segment& s = segments_[segment_of(u)];
    const double t = std::clamp(u - s.start, 0.0, s.span), beyond = u - s.start - t;
    Derivatives d{s.a + (s.b + (s.c + s.d * t) * t) * t, s.b + (s.c * 2.0 + s.d * (3 * t)) * t,
                  s.c * 2.0 + s.d * (6 * t), s.d * 6.0};
    const bool is_outside = beyond < 0 ? u < 0 : u > span_; // else it is rounding
    if (beyond == 0 || !is_outside) return d;
    return {d.r + d.first * beyond, d.first, {}, {}};
}

double TrackCurve::speed(std::size_t segment, double u) const {
    const Segment& s = segments_[segment];
    const double t = u - s.start;
    return rigor::length(s.b + (s.c * 2.0 + s.d * (3 * t)) * t);
}

double TrackCurve::quadrature(std::size_t segment, double from, double to) const {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0;
    for (std::size_t i = 0; i < kNodes.size(); ++i)
        sum += kWeights[i] * (speed(segment, middle - half * kNodes[i]) +
                              speed(segment, middle + half * kNodes[i]));
    return sum * half;
}

double TrackCurve::arc_length(double u) const {
    const double laps = take_laps(u);
    if (u < 0) return u * rigor::length(segments_[0].b);
    if (u > span_) return length_ + (u - span_) * speed(segments_.size() - 1, span_);
    const Piece& piece = piece_of(u);
    return laps * length_ + piece.s + quadrature(piece.segment, piece.start, u);
}

/// A parameter whose arc length is near to s: between those of the two ends of its piece.
double TrackCurve::parameter_near(double s) const {
    const double laps = closed_ ? std::floor(s / length_) : 0, rest = s - laps * length_;
    if (rest < 0) return rest / rigor::length(segments_[0].b);
    if (rest > length_)
        return laps * span_ + span_ + (rest - length_) / speed(segments_.size() - 1, span_);
    const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), rest,
                                        [](double at, const Piece& piece) { return at < piece.s; });
    const Piece& piece = *(after - 1);
    const double end = after == pieces_.end() ? span_ : after->start;
    const double s_end = after == pieces_.end() ? length_ : after->s;
    const double part = (rest - piece.s) / (s_end - piece.s);
    return laps * span_ + piece.start + part * (end - piece.start);
}

TrackCurve::Place TrackCurve::place(double u) const {
    const Derivatives d = derivatives(u);
    const double v = rigor::length(d.first);
    Place place;
    place.s = arc_length(u);
    place.position = d.r;
    place.tangent = d.first * (1 / v);
    const Vec3d& t = place.tangent;
    const double stretch = dot(t, d.second); // the derivative of v
    place.curvature = (d.second - t * stretch) * (1 / (v * v));
    const Vec3d turning = place.curvature * v; // the derivative of the tangent
    const Vec3d change =
        (d.third - turning * stretch - t * (dot(turning, d.second) + dot(t, d.third))) *
            (1 / (v * v)) -
        place.curvature * (2 * stretch / v);
    place.curvature_rate = change * (1 / v);
    return place;
}

TrackCurve::Place TrackCurve::at(double s) const {
    double u = parameter_near(s);
    for (int i = 0; i < 8; ++i) {
        const double error = arc_length(u) - s;
        if (std::abs(error) <= 1e-15 * (std::abs(s) + length_)) break;
        u -= error / rigor::length(derivatives(u).first);
    }
    Place found = place(u);
    found.s = s;
    return found;
}

double TrackCurve::slope(const Vec3d& p, double u) const {
    const Derivatives d = derivatives(u);
    return dot(d.first, d.r - p);
}

/// The zero of slope() in an interval at whose ends it is negative and positive: Newton's method,
/// bisection where that leaves the interval.
double TrackCurve::refine(const Vec3d& p, double lo, double hi) const {
    double u = 0.5 * (lo + hi);
    for (int i = 0; i < 100; ++i) {
        const Derivatives d = derivatives(u);
        const Vec3d away = d.r - p;
        const double value = dot(d.first, away);
        (value < 0 ? lo : hi) = u;
        const double growth = dot(d.first, d.first) + dot(d.second, away);
        double next = u - value / growth;
        if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
        const bool is_last = std::abs(next - u) <= 4e-16 * (std::abs(u) + span_);
        u = next;
        if (is_last) break;
    }
    return u;
}

TrackCurve::Place TrackCurve::nearest_from(const Vec3d& p, double last) const {
    const double start = parameter_near(last);
    const double value = slope(p, start);
    if (value == 0) return place(start);
    // Downhill in small steps, until the distance grows again.
    const double side = value < 0 ? 1 : -1;
    double before = start, farthest = 0;
    double step = 0;
    for (double u = start; farthest <= 2 * span_;) {
        double inside = u;
        take_laps(inside);
        step = 0.25 * segments_[segment_of(inside)].span;
        // Beyond the ends of an open curve it is straight: Newton's step is exact there.
        if (!closed_ && ((u <= 0 && side < 0) || (u >= span_ && side > 0)))
            step = std::max(
                step, 2 * std::abs(slope(p, u)) / dot(derivatives(u).first, derivatives(u).first));
        before = u;
        u += side * step;
        farthest += step;
        if (slope(p, u) * side >= 0)
            return place(side > 0 ? refine(p, before, u) : refine(p, u, before));
    }
    return place(start); // equally far all the way around
}

TrackCurve::Place TrackCurve::nearest(const Vec3d& p) const {
    constexpr int kParts = 16;
    const auto distance = [&](double u) { return rigor::length(derivatives(u).r - p); };
    struct Sample {
        double u, distance, reach; ///< reach: how much nearer a point beside it may be
    };
    std::vector<Sample> samples;
    double bound = std::numeric_limits<double>::infinity();
    for (const Segment& s : segments_)
        for (int i = 0; i <= kParts; ++i) {
            const double u = s.start + s.span * i / kParts;
            const Sample sample{u, distance(u), 2 * s.span / kParts};
            bound = std::min(bound, sample.distance);
            samples.push_back(sample);
        }
    Place best;
    double least = std::numeric_limits<double>::infinity();
    for (const Sample& sample : samples) {
        if (sample.distance > bound + sample.reach) continue;
        Place found = nearest_from(p, arc_length(sample.u));
        if (closed_) found.s -= length_ * std::floor(found.s / length_);
        if (!closed_ && (found.s < 0 || found.s > length_)) found = at(found.s < 0 ? 0 : length_);
        const double away = rigor::length(found.position - p);
        const bool is_nearer = away < least - 1e-12 * length_;
        const bool is_earlier =
            away <= least + 1e-12 * length_ && found.s < best.s - 1e-9 * length_;
        if (is_nearer || is_earlier) best = found, least = away;
    }
    return best;
}

std::size_t TrackCurve::memory_bytes() const {
    return points_.capacity() * sizeof(Vec3d) + segments_.capacity() * sizeof(Segment) +
           pieces_.capacity() * sizeof(Piece);
}

} // namespace rigor
