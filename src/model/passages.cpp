#include "model/passages.h"

#include <algorithm>
#include <utility>

#include "collide/distance.h"
#include "model/world_state.h"

namespace rigor {
namespace {

using MeshPointer = std::shared_ptr<const TriangleMesh<double>>;

Posed pose_of(const WorldState& state, const ShapeRecord& shape) {
    const std::uint32_t body = shape.body.index;
    return frame_pose(state.bodies.motion[body], state.bodies.traits[body]) * shape.local;
}

/// How far from the center of mass of its body a shape may touch in the step, with what methods add
/// for contacts that are near: it only costs time to be generous here.
double reach_of(const WorldState& state, const ShapeRecord& shape, double dt) {
    constexpr double kMargin = 1.5;
    const Vec3d center =
        inverse_transform(shape.local, state.bodies.traits[shape.body.index].center);
    const double speed = length(speed_of(state.bodies, shape.body.index).linear);
    const double travel = speed * dt + length(state.gravity) * dt * dt;
    return kMargin * (bounding_radius(shape.geometry, center) + travel);
}

/// Whether a shape that may be moved is so near a sheet that the two may touch in this step.
bool is_near(const WorldState& state, const ShapeRecord& shape, const Aabb<double>& sheet,
             double dt) {
    const std::uint32_t body = shape.body.index;
    if (shape.sensor || state.bodies.traits[body].type != BodyType::dynamic_body) return false;
    const Vec3d x = state.bodies.motion[body].x;
    return overlap(sheet, expand(Aabb<double>{x, x}, reach_of(state, shape, dt)));
}

enum class Side { front, behind, touching };

/// Contacts that last have gaps of the size of rounding and of what a solver leaves.
constexpr double kTouching = 1e-3; // of the radius of the shape

Side side_of(const WorldState& state, const ShapeRecord& sheet, const ShapeRecord& shape) {
    const Posed place = relative_pose<double>(pose_of(state, sheet), pose_of(state, shape));
    const Distance<double> found = distance(sheet.geometry, shape.geometry, place);
    const Aabb<double> box = bounds(shape.geometry, Posed{});
    if (!(found.distance > kTouching * 0.5 * length(box.hi - box.lo))) return Side::touching;
    return is_behind(*std::get<MeshPointer>(sheet.geometry.solid), found.point_b) ? Side::behind
                                                                                  : Side::front;
}

bool is_middle_behind(const WorldState& state, const ShapeRecord& sheet, const ShapeRecord& shape) {
    const Posed place = relative_pose<double>(pose_of(state, sheet), pose_of(state, shape));
    const Aabb<double> box = bounds(shape.geometry, Posed{});
    return is_behind(*std::get<MeshPointer>(sheet.geometry.solid),
                     transform(place, (box.lo + box.hi) * 0.5));
}

std::uint64_t key_of(std::uint32_t sheet, std::uint32_t shape) {
    return std::uint64_t{sheet} << 32 | shape;
}

} // namespace

const Passages::Pair* Passages::find(const std::vector<Pair>& pairs, std::uint32_t sheet,
                                     std::uint32_t shape) {
    const auto is_before = [](const Pair& pair, std::uint64_t key) {
        return key_of(pair.sheet.index, pair.shape.index) < key;
    };
    const std::uint64_t key = key_of(sheet, shape);
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), key, is_before);
    const bool is_found = at != pairs.end() && key_of(at->sheet.index, at->shape.index) == key;
    return is_found ? &*at : nullptr;
}

bool Passages::find_passing(std::uint32_t a, std::uint32_t b) const {
    const Pair *first = find(pairs_, a, b), *second = find(pairs_, b, a);
    return (first && first->passes) || (second && second->passes);
}

void Passages::update_sheet(const WorldState& state, ShapeId sheet, double dt,
                            const std::vector<Pair>& before) {
    const ShapeRecord& record = *state.shapes.find(sheet);
    const BodySpeed speed = speed_of(state.bodies, record.body.index);
    const Aabb<double> tight = bounds(record.geometry, pose_of(state, record));
    const double radius = length(tight.hi - tight.lo); // for a kinematic one that turns
    const Aabb<double> box = expand(tight, (length(speed.linear) + speed.angular * radius) * dt);
    state.shapes.for_each([&](ShapeId id, const ShapeRecord& shape) {
        if (!is_near(state, shape, box, dt)) return;
        Pair pair{sheet, id, false};
        const Side side = side_of(state, record, shape);
        if (side == Side::touching) {
            const Pair* known = find(before, sheet.index, id.index);
            const bool is_same = known && known->sheet == sheet && known->shape == id;
            pair.passes = is_same ? known->passes : is_middle_behind(state, record, shape);
        } else {
            pair.passes = side == Side::behind;
        }
        pairs_.push_back(pair);
    });
}

void update_passages(WorldState& state, double dt) {
    Passages& passages = state.passages;
    if (passages.sheets_.empty()) return;
    std::erase_if(passages.sheets_, [&](ShapeId id) { return !state.shapes.find(id); });
    const std::vector<Passages::Pair> before = std::exchange(passages.pairs_, {});
    for (const ShapeId sheet : passages.sheets_) passages.update_sheet(state, sheet, dt, before);
    std::sort(passages.pairs_.begin(), passages.pairs_.end(), [](const auto& a, const auto& b) {
        return key_of(a.sheet.index, a.shape.index) < key_of(b.sheet.index, b.shape.index);
    });
}

// Pairs that do not pass count too: those that touch stay as they are.
void add_to_hash(Hasher& hasher, const Passages& passages) {
    for (const Passages::Pair& pair : passages.pairs_) {
        hasher.add_value(pair.sheet);
        hasher.add_value(pair.shape);
        hasher.add(pair.passes);
    }
}

} // namespace rigor
