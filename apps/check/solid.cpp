#include "solid.h"

namespace check {
namespace {

Vec support(const Piece& piece, const Pose& body, Vec direction) {
    const Vec d = rotate(conjugate(body.q), direction), side = across(d, piece.axis);
    const Vec out = length(side) > 0 ? unit(side) : Vec{};
    Vec best = piece.discs[0].center + out * piece.discs[0].radius;
    for (const auto& [center, radius] : piece.discs) {
        const Vec point = center + out * radius;
        if (dot(point, d) > dot(best, d)) best = point;
    }
    return body.x + rotate(body.q, best);
}

/// Discs are given in the axes of the shape, across z.
Piece hull(const Shape& s, std::vector<Disc> discs, double radius) {
    Piece piece{std::move(discs), rotate(s.orientation, {0, 0, 1}), radius};
    for (Disc& disc : piece.discs) {
        disc.center = s.position + rotate(s.orientation, disc.center);
        piece.middle += disc.center * (1.0 / static_cast<double>(piece.discs.size()));
    }
    for (const auto& [center, disc_radius] : piece.discs)
        piece.extent =
            std::max(piece.extent, std::hypot(length(center - piece.middle), disc_radius) + radius);
    return piece;
}

/// The point of the affine hull of up to four points that is nearest to the origin, if it lies
/// between them: a + B s by least squares, all weights positive.
std::optional<Vec> nearest_inside(const std::vector<Vec>& points) {
    const std::size_t n = points.size() - 1;
    double m[3][4] = {};
    for (std::size_t i = 0; i < n; ++i) {
        const Vec di = points[i + 1] - points[0];
        for (std::size_t j = 0; j < n; ++j) m[i][j] = dot(di, points[j + 1] - points[0]);
        m[i][3] = -dot(di, points[0]);
    }
    for (std::size_t i = 0; i < n; ++i) { // Gauss-Jordan; the matrix is positive definite
        if (!(m[i][i] > 1e-300)) return std::nullopt;
        for (std::size_t r = 0; r < n; ++r) {
            const double f = r == i ? 0 : m[r][i] / m[i][i];
            for (int c = 0; c < 4; ++c) m[r][c] -= f * m[i][c];
        }
    }
    double first = 1;
    Vec p = points[0];
    for (std::size_t i = 0; i < n; ++i) {
        const double s = m[i][3] / m[i][i];
        if (!(s > 0)) return std::nullopt;
        first -= s;
        p += (points[i + 1] - points[0]) * s;
    }
    return first > 0 ? std::optional(p) : std::nullopt;
}

/// The point of the hull of up to four points that is nearest to the origin: every subset is tried.
/// `simplex` becomes the subset.
Vec nearest(std::vector<Vec>& simplex) {
    std::vector<Vec> chosen{simplex[0]};
    Vec best = simplex[0];
    for (unsigned bits = 1; bits < 1u << simplex.size(); ++bits) {
        std::vector<Vec> subset;
        for (std::size_t i = 0; i < simplex.size(); ++i)
            if (bits >> i & 1) subset.push_back(simplex[i]);
        const std::optional<Vec> p = nearest_inside(subset);
        if (p && dot(*p, *p) < dot(best, best)) best = *p, chosen = subset;
    }
    simplex = chosen;
    return best;
}

/// Gilbert, Johnson and Keerthi, for b moved away by `shift`; none where they overlap then. `n` is
/// the distance of the cores, or more.
std::optional<Vec> direction_of(const Piece& a, const Pose& at_a, const Piece& b, const Pose& at_b,
                                Vec line, Vec shift, double& n) {
    const double scale = a.extent + b.extent;
    const auto difference = [&](Vec d) {
        return support(b, at_b, -d) - support(a, at_a, d) + shift;
    };
    std::vector<Vec> simplex{difference(unit(line))};
    Vec v = simplex[0];
    for (int round = 0; round < 200; ++round) {
        n = length(v);
        if (n < 1e-12 * scale) return std::nullopt;
        const Vec w = difference(v * (1 / n)); // the one nearest to the origin along -v
        if (n - dot(w, v) / n < 1e-14 * scale) return v * (1 / n);
        simplex.push_back(w);
        const Vec next = nearest(simplex);
        // Four points enclose the origin, if only by rounding: a direction is no longer found.
        if (simplex.size() == 4 || !(dot(next, next) < dot(v, v))) return v * (1 / n);
        v = next;
    }
    return unit(v);
}

} // namespace

std::vector<Piece> pieces_of(const Shape& s) {
    const double r = s.rounding, h = (s.type == "capsule" ? s.length : s.height) / 2;
    if (s.type == "sphere") return {hull(s, {{}}, s.radius)};
    if (s.type == "capsule") return {hull(s, {{{0, 0, -h}}, {{0, 0, h}}}, s.radius)};
    if (s.type == "cylinder")
        return {hull(s, {{{0, 0, -h + r}, s.radius - r}, {{0, 0, h - r}, s.radius - r}}, r)};
    if (s.type == "cone") { // the side moves in by r along its own normal
        const double slant = std::hypot(s.radius, s.height);
        const double low = s.radius * (1 - r / s.height) - r * slant / s.height;
        return {hull(s, {{{0, 0, -h + r}, low}, {{0, 0, h - r * slant / s.radius}}}, r)};
    }
    if (s.type == "plane") {
        const Vec normal = rotate(s.orientation, s.normal);
        return {{{}, normal, 0, s.offset + dot(normal, s.position), {}, HUGE_VAL}};
    }
    if (s.type == "mesh") {
        std::vector<Piece> triangles;
        for (const auto& [i, j, k] : s.triangles)
            triangles.push_back(hull(s, {{s.points[i]}, {s.points[j]}, {s.points[k]}}, 0));
        return triangles;
    }
    std::vector<Disc> corners;
    for (const Vec& p : s.points) corners.push_back({p});
    for (int i = 0; i < 8 && s.type == "box"; ++i)
        corners.push_back(
            {{(i & 1 ? 1 : -1) * (s.size.x / 2 - r), (i & 2 ? 1 : -1) * (s.size.y / 2 - r),
              (i & 4 ? 1 : -1) * (s.size.z / 2 - r)}});
    return {hull(s, corners, r)};
}

double reach(const Piece& piece, const Pose& body, Vec direction) {
    return dot(support(piece, body, direction), direction) + piece.radius * length(direction);
}

double separation(const Piece& a, const Pose& at_a, const Piece& b, const Pose& at_b, Vec n) {
    if (b.is_plane()) return separation(b, at_b, a, at_a, -n);
    if (!a.is_plane()) return -reach(b, at_b, -n) - reach(a, at_a, n);
    const Vec normal = rotate(at_a.q, a.axis); // the only direction in which a plane ends
    return -reach(b, at_b, -normal) - a.offset - dot(normal, at_a.x);
}

/// Where the cores overlap no direction can be told, and where they hardly part it is rounded: of a
/// box of 1 m and a point 1e-12 m above it, by 1e-4. So they are also looked at as they would be
/// farther apart along the line of their middles. Every direction proves a bound from below of
/// their distance, whatever it comes from, and the best of them is the one to take.
std::optional<Vec> separating_direction(const Piece& a, const Pose& at_a, const Piece& b,
                                        const Pose& at_b) {
    if (a.is_plane()) return rotate(at_a.q, a.axis);
    if (b.is_plane()) return -rotate(at_b.q, b.axis);
    const double scale = a.extent + b.extent, rounding = 1e-12 * scale;
    const Vec line = at_b.x + rotate(at_b.q, b.middle) - at_a.x - rotate(at_a.q, a.middle);
    std::optional<Vec> best;
    double most = -HUGE_VAL, at_most = rounding; // bounds of the distance
    for (const double share : {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.01, 0.1, 1.0}) {
        double core_distance = 0;
        const auto found =
            direction_of(a, at_a, b, at_b, line, unit(line) * (share * scale), core_distance);
        if (share == 0 && found) at_most = core_distance - a.radius - b.radius;
        const double parted = found ? separation(a, at_a, b, at_b, *found) : -HUGE_VAL;
        if (parted > most) best = found, most = parted;
        if (most > at_most - 2 * rounding) break;
    }
    return best;
}

double distance(const Shape& shape, const Pose& body, Vec point) {
    const Piece dot{{Disc{}}};
    double least = HUGE_VAL;
    for (const Piece& piece : pieces_of(shape)) {
        const auto n = separating_direction(piece, body, dot, {point, {}});
        least = std::min(least, n ? separation(piece, body, dot, {point, {}}, *n) : -HUGE_VAL);
    }
    return least;
}

} // namespace check
