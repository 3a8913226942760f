#include "solid.h"

namespace check {
namespace {

Vec support(const Piece& piece, const Pose& body, Vec direction) {
    const Vec d = rotate(conjugate(body.q), direction);
    if (piece.form == Piece::Form::points) {
        const Vec* best = &piece.points.front();
        for (const Vec& p : piece.points)
            if (dot(p, d) > dot(*best, d)) best = &p;
        return body.x + rotate(body.q, *best);
    }
    const Vec local = rotate(conjugate(piece.frame.q), d);
    const double side = std::hypot(local.x, local.y);
    const Vec out = side > 0 ? Vec{local.x / side, local.y / side, 0} : Vec{};
    const Vec low = out * piece.low + Vec{0, 0, -piece.half};
    const Vec high = out * piece.high + Vec{0, 0, piece.half};
    const Vec point = dot(low, local) > dot(high, local) ? low : high;
    return body.x + rotate(body.q, piece.frame.x + rotate(piece.frame.q, point));
}

Piece points(const Shape& s, std::vector<Vec> local, double radius) {
    Piece piece;
    piece.radius = radius;
    for (const Vec& p : local) piece.points.push_back(s.position + rotate(s.orientation, p));
    for (const Vec& p : piece.points)
        piece.middle += p * (1.0 / static_cast<double>(piece.points.size()));
    for (const Vec& p : piece.points)
        piece.extent = std::max(piece.extent, length(p - piece.middle));
    piece.extent += radius;
    return piece;
}

Piece discs(const Shape& s, double low, double high, double bottom, double top) {
    Piece piece;
    piece.form = Piece::Form::discs;
    piece.radius = s.rounding;
    piece.low = low, piece.high = high, piece.half = (top - bottom) / 2;
    piece.frame = {s.position + rotate(s.orientation, {0, 0, (top + bottom) / 2}), s.orientation};
    piece.middle = piece.frame.x;
    piece.extent = std::hypot(std::max(low, high), piece.half) + piece.radius;
    return piece;
}

/// The point of the hull of up to four points that is nearest to the origin: every subset is tried.
/// `simplex` becomes the subset.
Vec nearest(std::vector<Vec>& simplex) {
    Vec best = simplex[0];
    std::vector<Vec> chosen{simplex[0]};
    const auto consider = [&](const std::vector<Vec>& subset) {
        // Of an affine hull a + B s: least squares by the normal equations, all weights positive.
        const std::size_t n = subset.size() - 1;
        double m[3][4] = {};
        for (std::size_t i = 0; i < n; ++i) {
            const Vec di = subset[i + 1] - subset[0];
            for (std::size_t j = 0; j < n; ++j) m[i][j] = dot(di, subset[j + 1] - subset[0]);
            m[i][3] = -dot(di, subset[0]);
        }
        for (std::size_t i = 0; i < n; ++i) { // Gauss-Jordan; the matrix is positive definite
            if (!(m[i][i] > 1e-300)) return;
            for (std::size_t r = 0; r < n; ++r) {
                if (r == i) continue;
                const double f = m[r][i] / m[i][i];
                for (int c = 0; c < 4; ++c) m[r][c] -= f * m[i][c];
            }
        }
        double first = 1;
        Vec p = subset[0];
        for (std::size_t i = 0; i < n; ++i) {
            const double s = m[i][3] / m[i][i];
            if (!(s > 0)) return;
            first -= s;
            p += (subset[i + 1] - subset[0]) * s;
        }
        if (first > 0 && dot(p, p) < dot(best, best)) best = p, chosen = subset;
    };
    for (unsigned bits = 1; bits < 1u << simplex.size(); ++bits) {
        std::vector<Vec> subset;
        for (std::size_t i = 0; i < simplex.size(); ++i)
            if (bits >> i & 1) subset.push_back(simplex[i]);
        consider(subset);
    }
    simplex = chosen;
    return best;
}

} // namespace

std::vector<Piece> pieces_of(const Shape& s) {
    const double r = s.rounding, h = (s.type == "capsule" ? s.length : s.height) / 2;
    if (s.type == "sphere") return {points(s, {{}}, s.radius)};
    if (s.type == "capsule") return {points(s, {{0, 0, -h}, {0, 0, h}}, s.radius)};
    if (s.type == "hull") return {points(s, s.points, r)};
    if (s.type == "cylinder") return {discs(s, s.radius - r, s.radius - r, -h + r, h - r)};
    if (s.type == "cone") { // the side moves in by r along its own normal
        const double slant = std::hypot(s.radius, s.height);
        const double low = s.radius * (1 - r / s.height) - r * slant / s.height;
        return {discs(s, low, 0, -h + r, h - r * slant / s.radius)};
    }
    if (s.type == "box") {
        std::vector<Vec> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back({(i & 1 ? 1 : -1) * (s.size.x / 2 - r),
                               (i & 2 ? 1 : -1) * (s.size.y / 2 - r),
                               (i & 4 ? 1 : -1) * (s.size.z / 2 - r)});
        return {points(s, corners, r)};
    }
    if (s.type == "mesh") {
        std::vector<Piece> triangles;
        for (const auto& t : s.triangles) {
            std::vector<Vec> corners;
            for (const unsigned i : t) corners.push_back(s.points[i]);
            triangles.push_back(points(s, corners, 0));
        }
        return triangles;
    }
    Piece plane;
    plane.form = Piece::Form::plane;
    plane.normal = rotate(s.orientation, s.normal);
    plane.offset = s.offset + dot(plane.normal, s.position);
    plane.extent = HUGE_VAL;
    return {plane};
}

double reach(const Piece& piece, const Pose& body, Vec direction) {
    return dot(support(piece, body, direction), direction) + piece.radius * length(direction);
}

double separation(const Piece& a, const Pose& at_a, const Piece& b, const Pose& at_b, Vec n) {
    if (b.form == Piece::Form::plane) return separation(b, at_b, a, at_a, -n);
    if (a.form != Piece::Form::plane) return -reach(b, at_b, -n) - reach(a, at_a, n);
    const Vec normal = rotate(at_a.q, a.normal); // the only direction in which a plane ends
    return -reach(b, at_b, -normal) - a.offset - dot(normal, at_a.x);
}

/// Gilbert, Johnson and Keerthi, for b moved away by `shift`; none where they overlap then. `n` is
/// the distance of the cores, or more.
static std::optional<Vec> direction_of(const Piece& a, const Pose& at_a, const Piece& b,
                                       const Pose& at_b, Vec line, Vec shift, double& n) {
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
        if (!(dot(next, next) < dot(v, v))) return v * (1 / n);
        v = next;
    }
    return unit(v);
}

/// Where the cores overlap no direction can be told, and where they hardly part it is rounded: of a
/// box of 1 m and a point 1e-12 m above it, by 1e-4. So they are also looked at as they would be
/// farther apart along the line of their middles. Every direction proves a bound from below of
/// their distance, whatever it comes from, and the best of them is the one to take.
std::optional<Vec> separating_direction(const Piece& a, const Pose& at_a, const Piece& b,
                                        const Pose& at_b) {
    if (a.form == Piece::Form::plane) return rotate(at_a.q, a.normal);
    if (b.form == Piece::Form::plane) return -rotate(at_b.q, b.normal);
    const double scale = a.extent + b.extent;
    const Vec line = at_b.x + rotate(at_b.q, b.middle) - at_a.x - rotate(at_a.q, a.middle);
    const double rounding = 1e-12 * scale;
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
    if (shape.type == "plane") {
        const Piece plane = pieces_of(shape)[0];
        const Vec n = rotate(body.q, plane.normal);
        return dot(n, point - body.x) - plane.offset;
    }
    Piece dot_piece;
    dot_piece.points = {{}};
    const Pose here{point, {}};
    double least = HUGE_VAL;
    for (const Piece& piece : pieces_of(shape)) {
        const auto n = separating_direction(piece, body, dot_piece, here);
        least = std::min(least, n ? separation(piece, body, dot_piece, here, *n) : -HUGE_VAL);
    }
    return least;
}

} // namespace check
