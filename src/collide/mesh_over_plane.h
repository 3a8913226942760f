// Vertices of a mesh that may touch a plane.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "collide/surface_features.h"

namespace rigor {

/// The vertices not higher than `margin` over a plane in the frame of the mesh, in the order of
/// their numbers; without those from which an edge leads down more steeply than `steepness`, a
/// sine. These cannot touch before the mesh has turned that far, but they are wider apart than
/// those that do: among the four points of a manifold a ring that lies on the plane would have
/// points of its outer rim, and sink in between them.
template <class S>
void find_low_vertices(const TriangleMesh<S>& mesh, const Plane<S>& plane, S margin, S steepness,
                       std::vector<std::uint32_t>& out) {
    out.clear();
    std::vector<std::uint32_t> above;
    const auto height = [&](const Vec3<S>& p) { return dot(plane.normal, p) - plane.offset; };
    const auto visit = [&](std::uint32_t t) {
        const std::array<std::uint32_t, 3> corners = corners_of(mesh, t);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3<S>& p = mesh.vertices[corners[k]];
            const S h = height(p);
            if (h > margin) continue;
            out.push_back(corners[k]);
            for (const std::size_t next : {(k + 1) % 3, (k + 2) % 3}) {
                const Vec3<S>& q = mesh.vertices[corners[next]];
                if (height(q) - h < -steepness * length(q - p)) above.push_back(corners[k]);
            }
        }
    };
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty() && !mesh.tree.nodes.empty()) {
        const std::uint32_t index = stack.back();
        stack.pop_back();
        const typename MeshBvh<S>::Node& node = mesh.tree.nodes[index];
        const Vec3<S> middle = (node.box.lo + node.box.hi) * S(0.5),
                      half = (node.box.hi - node.box.lo) * S(0.5);
        if (height(middle) - dot(abs(plane.normal), half) > margin) continue;
        if (node.count == 0) {
            stack.push_back(node.next);
            stack.push_back(index + 1);
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i) visit(mesh.tree.items[node.next + i]);
    }
    for (std::vector<std::uint32_t>* list : {&out, &above}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    std::erase_if(
        out, [&](std::uint32_t v) { return std::binary_search(above.begin(), above.end(), v); });
}

} // namespace rigor
