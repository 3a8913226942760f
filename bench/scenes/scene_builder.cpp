#include "bench/scenes/scene_builder.h"

#include <algorithm>
#include <cmath>

namespace rigor::bench {
namespace {

enum MaterialIndex : int { plain, heavy };

NamedMaterial material(const char* name, MaterialIndex index, double density) {
    Material m;
    m.static_friction = m.kinetic_friction = 0.6;
    m.density = density;
    m.id = index;
    return {name, m};
}

} // namespace

SceneBuilder::SceneBuilder(std::string name) {
    scene_.name = std::move(name);
    scene_.materials = {material("m", plain, 1000), material("heavy", heavy, 3000)};
}

std::int32_t SceneBuilder::add(BodyDef def, ShapeGeometry geometry, int material) {
    const auto index = static_cast<std::int32_t>(scene_.bodies.size());
    def.name = "b" + std::to_string(index);
    def.can_sleep = false;
    ShapeDef shape{.geometry = std::move(geometry)};
    shape.material = scene_.materials[static_cast<std::size_t>(material)].material;
    def.shapes.push_back(std::move(shape));
    SceneBody body;
    body.def = std::move(def);
    scene_.bodies.push_back(std::move(body));
    return index;
}

std::int32_t SceneBuilder::add_static(const Vec3d& position, ShapeGeometry geometry) {
    BodyDef def;
    def.type = BodyType::static_body;
    def.position = position;
    return add(std::move(def), std::move(geometry), plain);
}

std::int32_t SceneBuilder::add_dynamic(const Vec3d& position, const Quatd& orientation,
                                       ShapeGeometry geometry) {
    BodyDef def;
    def.position = position;
    def.orientation = orientation;
    return add(std::move(def), std::move(geometry), plain);
}

std::int32_t SceneBuilder::add_projectile(const Vec3d& position, const Vec3d& velocity,
                                          ShapeGeometry geometry) {
    BodyDef def;
    def.position = position;
    def.velocity = velocity;
    return add(std::move(def), std::move(geometry), heavy);
}

void SceneBuilder::add_ball_joint(std::int32_t a, std::int32_t b, const Vec3d& anchor) {
    SceneJoint joint;
    joint.a = a;
    joint.b = b;
    joint.def = {.anchor = anchor, .kind = BallJoint{}};
    scene_.joints.push_back(std::move(joint));
}

void SceneBuilder::add_ground(double side) {
    add_static({0, 0, -1}, BoxDef{{side, side, 2}});
}

void SceneBuilder::add_tub(double half_width) {
    constexpr double kThickness = 2, kHeight = 30;
    const double middle = half_width + kThickness / 2, outer = 2 * (half_width + kThickness);
    add_ground(outer);
    for (const double side : {1.0, -1.0}) {
        add_static({side * middle, 0, kHeight / 2}, BoxDef{{kThickness, outer, kHeight}});
    }
    for (const double side : {-1.0, 1.0}) {
        add_static({0, side * middle, kHeight / 2}, BoxDef{{2 * half_width, kThickness, kHeight}});
    }
}

int scaled(double count, double scale) {
    return std::max(1, static_cast<int>(std::lround(count * scale)));
}

} // namespace rigor::bench
