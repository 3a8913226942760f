// Shapes as the search for contacts sees them: in single precision, and all that a pair reads of
// one in two cache lines.
#pragma once

#include "base/thread_team.h"
#include "broadphase/touch.h"
#include "model/shape_proxies.h"

namespace rigor::fast {

/// Where a shape is and how it moves, at the beginning of a step. Gathered from the stores of
/// bodies, shapes and boxes it would be a dozen lines, for each of the many pairs of a shape.
struct alignas(64) NearShape {
    BoxRows box;      ///< by which its pairs are found
    Vec3d origin;     ///< of the shape, in the world
    Quatf turn;       ///< of the shape, to world
    Vec3f center;     ///< of its body's mass, from the origin, world axes
    Vec3f velocity;   ///< of that
    float angle = 0;  ///< by which it may turn in the step: beyond 2 no point comes farther
    float radius = 0; ///< of a ball about the origin that holds all; 0 if there is none
    float size = 0;   ///< the smallest extent: what "thin" and "near" are measured by
    float round = 0;  ///< radius of the ball around its core; kCurved where that is curved itself
};
static_assert(sizeof(NearShape) == 128);

inline constexpr float kCurved = -1;

/// By slot. All of it follows from the state.
struct NearShapes {
    std::vector<Shape<float>> shapes;
    std::vector<ShapeId> made_for;
    std::vector<NearShape> near;

    /// Makes the shape of a slot in single precision, unless it is there.
    void make(const WorldState& state, std::uint32_t slot);
    /// Notes where the shapes are that the last refresh of the proxies placed; after a restore, of
    /// all.
    void place(const WorldState& state, const ShapeProxies& proxies, ThreadTeam& team, double dt);

    const NearShape& operator[](std::uint32_t slot) const { return near[slot]; }

  private:
    void place(const WorldState& state, const ShapeProxies& proxies, std::uint32_t slot, double dt);
    bool knows_all_ = false;
};

} // namespace rigor::fast
