// Moments of rounded polyhedra: core, slabs over faces, wedges around edges, sectors of a ball
// at vertices.

#include "geometry/rounded_moments.h"
#include "math/trig.h"

namespace rigor {
namespace {

// All points relative to the hull's center, which is inside: no cancellation between parts.
struct Centered {
    const Hull<double>& hull;
    Vec3d vertex(std::uint32_t v) const { return hull.vertices[v] - hull.center; }
    Vec3d origin(std::uint32_t h) const { return hull.origin(h) - hull.center; }
};

// The cone from the origin over a planar figure at the distance d: slices scale with t = 0..1, so
// the integrals of t², t³, t⁴ times d.
Moments cone_over(const Moments& base, double d) {
    return {base.m * d / 3, base.first * (d / 4), base.second * (d / 5)};
}

// Of the points p + u e, p along a figure with the moments `base` and e over directions with
// the moments `e`, with the measure u^(power - 1) du.
void add_offsets(RoundedMoments& out, const Moments& base, const Moments& e, std::size_t power) {
    const auto share = [](std::size_t k) { return 1.0 / static_cast<double>(k); };
    out.power[power] += base * (e.m * share(power));
    out.power[power + 1] +=
        Moments{0, e.first * base.m, symmetric_product(base.first, e.first)} * share(power + 1);
    out.power[power + 2] += Moments{0, {}, e.second * base.m} * share(power + 2);
}

void add_face(RoundedMoments& out, const Centered& body, const HullFace<double>& face) {
    const Vec3d a = body.origin(face.first);
    const Vec3d& n = face.plane.normal;
    Moments polygon;
    for (std::uint32_t i = 1; i + 1 < face.count; ++i) {
        const Vec3d b = body.origin(face.first + i), c = body.origin(face.first + i + 1);
        polygon += triangle_moments(a, b, c, dot(n, cross(b - a, c - a)) / 2);
    }
    out.power[0] += cone_over(polygon, dot(n, a));
    add_offsets(out, polygon, {1, n, square(n)}, 1);
}

// The great arc between two unit vectors.
struct Arc {
    Vec3d pole;      // unit, along p x q; zero when there is no arc
    double angle;    // between p and q
    Vec3d resultant; // the integral of the arc's points over its angle: tan(angle/2) (p + q)

    Arc(const Vec3d& p, const Vec3d& q) {
        const Vec3d normal = cross(p, q);
        const double sine = length(normal), cosine = dot(p, q);
        pole = normalize(normal);
        angle = atan2(sine, cosine);
        resultant = (p + q) * (sine / (1 + cosine));
    }
};

// The directions between two face normals: with e = cos(a) b + sin(a) c, b the bisector and
// a = -angle/2 .. angle/2, the mean squares are (angle ± sin angle) / 2.
Moments arc_moments(const Arc& arc) {
    const Vec3d b = normalize(arc.resultant);
    const Vec3d c = cross(arc.pole, b);
    const double sine = sin(arc.angle);
    return {arc.angle, arc.resultant,
            square(b) * ((arc.angle + sine) / 2) + square(c) * ((arc.angle - sine) / 2)};
}

void add_edge(RoundedMoments& out, const Centered& body, const HullEdge& edge) {
    const Vec3d a = body.vertex(edge.v0), b = body.vertex(edge.v1);
    const double l = length(b - a);
    const Moments segment{l, (a + b) * (l / 2), (square(a) + square(b) + square(a + b)) * (l / 6)};
    const Arc arc(body.hull.faces[edge.left].plane.normal,
                  body.hull.faces[edge.right].plane.normal);
    add_offsets(out, segment, arc_moments(arc), 2);
}

// The solid angle of a spherical triangle [Van Oosterom 1983].
double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return 2 * atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

// Integrals of 1 and n over the convex spherical polygon with these corners, counterclockwise seen
// from outside. By Stokes' theorem ∫ n dΩ = 1/2 ∮ n x dn: half the angle of each arc times its
// pole. The integral of n nᵀ is not needed, see add_vertices.
Moments spherical_polygon(std::span<const Vec3d> corners) {
    Moments sum;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3d& p = corners[i];
        const Vec3d& q = corners[(i + 1) % corners.size()];
        if (i > 0) sum.m += solid_angle(corners[0], p, q);
        const Arc arc(p, q);
        sum.first += arc.pole * (arc.angle / 2);
    }
    return sum;
}

// Counterclockwise seen from outside, the faces around the vertex that half-edge h leaves: the one
// on its left, then across the half-edge that precedes it in the loop.
std::vector<Vec3d> normals_around(const Hull<double>& hull, std::uint32_t start) {
    std::vector<Vec3d> clockwise;
    std::uint32_t h = start;
    do {
        clockwise.push_back(hull.faces[hull.half_edges[h].face].plane.normal);
        h = hull.next(hull.half_edges[h].twin);
    } while (h != start);
    return {clockwise.rbegin(), clockwise.rend()};
}

// The sectors of all vertices make a whole ball, so the term independent of the vertex positions is
// that of the ball: ∫ n nᵀ dΩ = 4 pi/3 I over the sphere.
void add_vertices(RoundedMoments& out, const Centered& body) {
    std::vector<char> done(body.hull.vertices.size(), 0);
    for (std::uint32_t h = 0; h < body.hull.half_edges.size(); ++h) {
        const std::uint32_t v = body.hull.half_edges[h].origin;
        if (done[v]) continue;
        done[v] = 1;
        const Vec3d p = body.vertex(v);
        add_offsets(out, {1, p, square(p)}, spherical_polygon(normals_around(body.hull, h)), 3);
    }
    out.power[5].second = Sym3d::identity() * (4 * kPi<double> / 15);
}

} // namespace

RoundedMoments rounded_moments(const Hull<double>& hull) {
    const Centered body{hull};
    RoundedMoments out;
    for (const HullFace<double>& face : hull.faces) add_face(out, body, face);
    for (const HullEdge& edge : hull.edges) add_edge(out, body, edge);
    add_vertices(out, body);
    return out;
}

} // namespace rigor
