// Scenes of boxes, and overlaps by brute force to compare with.
#pragma once

#include <algorithm>
#include <vector>

#include "broadphase/proxy.h"
#include "test_support.h"

namespace rigor::test {

struct MovingBox {
    Vec3f position, velocity, half;
    ProxyKind kind = ProxyKind::moving;
    Filter filter;

    Aabbf box() const { return {position - half, position + half}; }
};

/// Most of about one meter, some like grains, some like houses.
inline std::vector<MovingBox> random_boxes(Random& random, int n, const Vec3d& room) {
    std::vector<MovingBox> boxes;
    for (int i = 0; i < n; ++i) {
        const double size = i % 200 == 0 ? 4 : i % 7 == 0 ? 0.05 : 1;
        MovingBox b;
        b.position = cast<float>(multiply(random.vec(), room));
        b.velocity = random.vec<float>(-3, 3);
        b.half = random.vec<float>(0.1 * size, 0.5 * size);
        b.kind = i % 5 == 0 ? ProxyKind::fixed : ProxyKind::moving;
        boxes.push_back(b);
    }
    return boxes;
}

inline void fly(std::vector<MovingBox>& boxes, const Vec3d& room, float h) {
    for (MovingBox& b : boxes) {
        if (b.kind == ProxyKind::fixed) continue;
        b.position += b.velocity * h;
        for (int i = 0; i < 3; ++i) {
            const bool outside = std::abs(b.position[i]) > static_cast<float>(room[i]);
            if (outside && b.position[i] * b.velocity[i] > 0) b.velocity[i] = -b.velocity[i];
        }
    }
}

using IndexPair = std::pair<std::uint32_t, std::uint32_t>;

inline bool is_pair(const MovingBox& a, const MovingBox& b) {
    return overlap(a.box(), b.box()) && should_collide(a.filter, b.filter) &&
           (a.kind == ProxyKind::moving || b.kind == ProxyKind::moving);
}

/// Every box with every other.
inline std::vector<IndexPair> brute_force_pairs(const std::vector<MovingBox>& boxes) {
    std::vector<IndexPair> pairs;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
            if (is_pair(boxes[i], boxes[j])) pairs.emplace_back(i, j);
        }
    }
    return pairs;
}

/// Pairs of proxies as pairs of the boxes behind them, in ascending order.
inline std::vector<IndexPair> as_indices(const std::vector<ProxyPair>& pairs,
                                         const std::vector<std::uint32_t>& box_of) {
    std::vector<IndexPair> result;
    for (const ProxyPair& pair : pairs) {
        const std::uint32_t a = box_of[pair.a.value()], b = box_of[pair.b.value()];
        result.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace rigor::test
