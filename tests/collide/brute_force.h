// Penetration depths by brute force over directions: slow, and so simple that they can be believed.
#pragma once

#include <vector>

#include "collide/certificate.h"

namespace rigor::test {

/// Corners, face normals and edges of a polytope, which is all that the theorem asks for.
struct Polyhedron {
    Shape<double> shape;
    std::vector<Vec3d> normals, edges;
};

inline Polyhedron polyhedron(const Shape<double>& shape) {
    Polyhedron out{shape, {}, {}};
    if (const auto* hull = std::get_if<std::shared_ptr<const Hull<double>>>(&shape.solid)) {
        for (const HullFace<double>& face : (*hull)->faces)
            out.normals.push_back(face.plane.normal);
        for (const HullEdge& edge : (*hull)->edges) {
            out.edges.push_back((*hull)->vertices[edge.v1] - (*hull)->vertices[edge.v0]);
        }
        return out;
    }
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        out.normals.push_back(axis);
        out.normals.push_back(-axis);
        out.edges.push_back(axis);
    }
    return out;
}

/// The most room that any of the axes leaves: the faces of both, and each pair of edges. For
/// overlapping polytopes the depth with its sign, since the faces of their difference have no
/// other normals.
inline double most_room(const Polyhedron& a, const Polyhedron& b, const Posed& b_in_a) {
    double most = -std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3d& n) {
        most = std::max(most, room_along(a.shape, b.shape, b_in_a, n));
    };
    for (const Vec3d& n : a.normals) consider(n);
    for (const Vec3d& n : b.normals) consider(-rotate(b_in_a.q, n));
    for (const Vec3d& u : a.edges) {
        for (const Vec3d& v : b.edges) {
            const Vec3d w = rotate(b_in_a.q, v);
            const Vec3d n = cross(u, w);
            if (length(n) < 1e-9 * length(u) * length(w)) continue; // parallel: faces cover it
            consider(normalize(n));
            consider(-normalize(n));
        }
    }
    return most;
}

/// The most room that a search over directions finds: many at random, then the best of them moved
/// in ever smaller steps. No more than the signed distance, and nearly it.
inline double most_room_by_search(const Shape<double>& a, const Shape<double>& b,
                                  const Posed& b_in_a, Random& random) {
    Vec3d best{0, 0, 1};
    double most = room_along(a, b, b_in_a, best);
    const auto consider = [&](const Vec3d& n) {
        const double room = room_along(a, b, b_in_a, n);
        if (!(room > most)) return false;
        most = room;
        best = n;
        return true;
    };
    for (int i = 0; i < 200; ++i) consider(random.direction());
    for (double step = 0.2; step > 1e-6;) {
        const Vec3d n = best, u = perpendicular(n) * step, v = cross(n, u);
        const bool moved = consider(normalize(n + u)) || consider(normalize(n - u)) ||
                           consider(normalize(n + v)) || consider(normalize(n - v));
        if (!moved) step /= 2;
    }
    return most;
}

} // namespace rigor::test
