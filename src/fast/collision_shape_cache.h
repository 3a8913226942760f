// Collision shapes in single precision: all that a pair reads of a shape, in two cache lines.
#pragma once

#include "base/thread_team.h"
#include "broadphase/overlap.h"
#include "fast/contact_manifold.h"
#include "model/shape_proxies.h"

namespace rigor::fast {

/// Where a shape is and how it moves, at the beginning of a step. Gathered from the stores of
/// bodies, shapes and boxes it would be a dozen cache lines, for each of the many pairs of a shape.
struct alignas(64) CollisionShape {
    BoxRows box;      ///< of the broadphase
    Vec3d origin;     ///< of the shape, in the world
    Quatf rotation;   ///< of the shape, to world
    Vec3f center;     ///< of its body's mass, from the origin, world axes
    Vec3f velocity;   ///< of that
    float angle = 0;  ///< upper bound of its rotation in the step; at most 2, as no point of a
                      ///< rotating ball moves by more than its diameter
    float radius = 0; ///< of a ball about the origin that contains it; 0 if there is none
    float size = 0;   ///< the smallest extent: the scale of margins and tolerances
    float convex_radius = 0; ///< of the ball that rounds its core; kCurved if that is curved itself
};
static_assert(sizeof(CollisionShape) == 128);

/// By shape slot. Derived from the state: not part of a snapshot.
struct CollisionShapeCache {
    std::vector<Shape<float>> shapes;
    std::vector<ShapeId> cached_id; ///< whose geometry the slot holds
    std::vector<CollisionShape> placed;

    /// Converts the shape of a slot to single precision, unless that has been done.
    void ensure(const WorldState& state, std::uint32_t slot);
    /// Converts it again, when its geometry has changed.
    void reload(const WorldState& state, std::uint32_t slot);
    /// Updates the shapes that the last refresh of the proxies moved; after a restore, all.
    void update(const WorldState& state, const ShapeProxies& proxies, ThreadTeam& team, double dt);

    const CollisionShape& operator[](std::uint32_t slot) const { return placed[slot]; }

  private:
    void update(const WorldState& state, const ShapeProxies& proxies, std::uint32_t slot,
                double dt);
    bool is_complete_ = false;
};

} // namespace rigor::fast
