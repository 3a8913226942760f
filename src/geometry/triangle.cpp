#include "geometry/triangle.h"

#include <cmath>
#include <limits>
#include <utility>

namespace rigor {
namespace {

template <class S>
TrianglePoint<S> closest_on_edge(const Vec3<S>& a, const Vec3<S>& ab, S t, TriangleFeature edge) {
    return {a + ab * t, edge};
}

} // namespace

// The plane is divided by the perpendiculars on the edges into the Voronoi regions of the three
// vertices, the three edges and the face [Ericson 2005, 5.1.5].
template <class S>
TrianglePoint<S> closest_point(const Triangle<S>& t, const Vec3<S>& p) {
    using enum TriangleFeature;
    const Vec3<S> ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
    const S d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= S(0) && d2 <= S(0)) return {t.a, corner_a};

    const Vec3<S> bp = p - t.b;
    const S d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= S(0) && d4 <= d3) return {t.b, corner_b};

    const S vc = d1 * d4 - d3 * d2;
    if (vc <= S(0) && d1 >= S(0) && d3 <= S(0)) {
        return closest_on_edge(t.a, ab, d1 / (d1 - d3), edge_ab);
    }

    const Vec3<S> cp = p - t.c;
    const S d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= S(0) && d5 <= d6) return {t.c, corner_c};

    const S vb = d5 * d2 - d1 * d6;
    if (vb <= S(0) && d2 >= S(0) && d6 <= S(0)) {
        return closest_on_edge(t.a, ac, d2 / (d2 - d6), edge_ca);
    }

    const S va = d3 * d6 - d5 * d4;
    if (va <= S(0) && d4 >= d3 && d5 >= d6) {
        return closest_on_edge(t.b, t.c - t.b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), edge_bc);
    }

    const S scale = S(1) / (va + vb + vc);
    return {t.a + ab * (vb * scale) + ac * (vc * scale), face};
}

template <class S>
RayShear<S>::RayShear(const Ray<S>& ray) : origin(ray.origin), max_t(ray.max_t) {
    const Vec3<S> size = abs(ray.direction);
    kz = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    kx = (kz + 1) % 3;
    ky = (kx + 1) % 3;
    // Swapping x and y keeps the winding when the ray runs down its main axis.
    if (ray.direction[kz] < S(0)) std::swap(kx, ky);
    sx = ray.direction[kx] / ray.direction[kz];
    sy = ray.direction[ky] / ray.direction[kz];
    sz = S(1) / ray.direction[kz];
}

// The edge functions are differences of two rounded products. Rounding is monotone, so each has the
// sign of its exact value or is zero; zero counts as a hit. That suffices for watertightness: no
// ray is outside both of two adjacent triangles.
template <class S>
std::optional<TriangleHit<S>> cast_ray(const Triangle<S>& triangle, const RayShear<S>& ray) {
    const Vec3<S> a = triangle.a - ray.origin, b = triangle.b - ray.origin,
                  c = triangle.c - ray.origin;
    const S ax = a[ray.kx] - ray.sx * a[ray.kz], ay = a[ray.ky] - ray.sy * a[ray.kz];
    const S bx = b[ray.kx] - ray.sx * b[ray.kz], by = b[ray.ky] - ray.sy * b[ray.kz];
    const S cx = c[ray.kx] - ray.sx * c[ray.kz], cy = c[ray.ky] - ray.sy * c[ray.kz];
    const S u = cx * by - cy * bx;
    const S v = ax * cy - ay * cx;
    const S w = bx * ay - by * ax;
    const bool front = u >= S(0) && v >= S(0) && w >= S(0);
    const bool back = u <= S(0) && v <= S(0) && w <= S(0);
    const S det = u + v + w;
    if (!(front || back) || det == S(0)) return {};

    const S z = ray.sz * (u * a[ray.kz] + v * b[ray.kz] + w * c[ray.kz]) / det;
    if (!(z >= S(0)) || z > ray.max_t) return {};
    return TriangleHit<S>{z, back, u == S(0) || v == S(0) || w == S(0)};
}

namespace {

// Six times the signed volume of a tetrahedron: -1, +1, or 0 when it is within rounding of zero.
int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d u = b - a, v = c - a, w = d - a;
    const Vec3d n = cross(u, v);
    const double volume = dot(n, w);
    const Vec3d su = abs(u), sv = abs(v), sw = abs(w);
    const double permanent = (su.y * sv.z + su.z * sv.y) * sw.x +
                             (su.z * sv.x + su.x * sv.z) * sw.y +
                             (su.x * sv.y + su.y * sv.x) * sw.z;
    const double doubt = 16 * std::numeric_limits<double>::epsilon() * permanent;
    return volume > doubt ? 1 : volume < -doubt ? -1 : 0;
}

bool pierces(const Vec3d& p, const Vec3d& q, const Triangle<double>& t) {
    const int side_p = orientation(t.a, t.b, t.c, p);
    const int side_q = orientation(t.a, t.b, t.c, q);
    if (side_p * side_q >= 0) return false;
    const int ab = orientation(p, q, t.a, t.b);
    return ab != 0 && orientation(p, q, t.b, t.c) == ab && orientation(p, q, t.c, t.a) == ab;
}

bool any_edge_pierces(const Triangle<double>& p, const Triangle<double>& q) {
    return pierces(p.a, p.b, q) || pierces(p.b, p.c, q) || pierces(p.c, p.a, q);
}

} // namespace

bool cross_properly(const Triangle<double>& p, const Triangle<double>& q) {
    return any_edge_pierces(p, q) || any_edge_pierces(q, p);
}

#define RIGOR_INSTANTIATE(S)                                                     \
    template TrianglePoint<S> closest_point(const Triangle<S>&, const Vec3<S>&); \
    template struct RayShear<S>;                                                 \
    template std::optional<TriangleHit<S>> cast_ray(const Triangle<S>&, const RayShear<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
