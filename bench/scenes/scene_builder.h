// SceneBuilder: ground, bodies and joints of the scenes.
#pragma once

#include "bench/scenes/scenes.h"

namespace rigor::bench {

class SceneBuilder {
  public:
    explicit SceneBuilder(std::string name);

    /// Index of the new body.
    std::int32_t add_static(const Vec3d& position, ShapeGeometry geometry);
    std::int32_t add_dynamic(const Vec3d& position, const Quatd& orientation,
                             ShapeGeometry geometry);
    /// Three times as dense, and already moving.
    std::int32_t add_projectile(const Vec3d& position, const Vec3d& velocity,
                                ShapeGeometry geometry);
    /// Holds the point `anchor` of a and b together; they do not collide.
    void add_ball_joint(std::int32_t a, std::int32_t b, const Vec3d& anchor);

    /// A slab whose top is at z = 0.
    void add_ground(double side);
    /// A slab and four walls around a square of side 2 `half_width`.
    void add_tub(double half_width);

    Scene finish() && { return std::move(scene_); }

  private:
    std::int32_t add(BodyDef def, ShapeGeometry geometry, int material);

    Scene scene_;
};

/// How many of `count` things there are at this scale: at least one.
int scaled(double count, double scale);

} // namespace rigor::bench
