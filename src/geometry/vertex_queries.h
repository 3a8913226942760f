// Support point, bounds and radius of a surface from its vertices.
//
// The vertices are given by for_each_vertex(visit), which calls visit(v) for each of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/query_types.h"
#include "rigor/pose.h"
#include "rigor/rotation.h"

namespace rigor {

/// The vertex farthest along a direction: of equal ones the first.
template <class S, class ForEachVertex>
Vec3<S> support_of_vertices(const Vec3<S>& first, const Vec3<S>& direction,
                            const ForEachVertex& for_each_vertex) {
    Vec3<S> best = first;
    S highest = dot(best, direction);
    for_each_vertex([&](const Vec3<S>& v) {
        const S height = dot(v, direction);
        if (height <= highest) return;
        highest = height;
        best = v;
    });
    return best;
}

template <class S, class ForEachVertex>
Aabb<S> bounds_of_vertices(const Pose<S>& pose, const ForEachVertex& for_each_vertex) {
    const Mat3<S> r = to_matrix(pose.q);
    Aabb<S> box;
    for_each_vertex([&](const Vec3<S>& v) { box = join(box, r * v); });
    return {box.lo + pose.p, box.hi + pose.p};
}

/// The distance of the vertex farthest from a center.
template <class S, class ForEachVertex>
S radius_of_vertices(const Vec3<S>& center, const ForEachVertex& for_each_vertex) {
    S farthest = S(0);
    for_each_vertex(
        [&](const Vec3<S>& v) { farthest = std::max(farthest, length_squared(v - center)); });
    return std::sqrt(farthest);
}

} // namespace rigor
