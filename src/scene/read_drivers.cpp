// Drivers of bodies, and the duel between two of them.
#include <algorithm>
#include <limits>

#include "scene/scene_draft.h"

namespace rigor {
namespace {

/// [position] or [position, orientation], from element `first` on.
Posed read_pose_items(const std::vector<Field>& items, std::size_t first) {
    Posed pose;
    if (items.size() > first) pose.p = items[first].vec3();
    if (items.size() > first + 1) pose.q = items[first + 1].orientation();
    return pose;
}

void read_keyframes(const Field& field, DriverDef& driver) {
    double last = -std::numeric_limits<double>::infinity();
    for (const Field& item : field.items(1)) {
        const std::vector<Field> parts = item.items(2, 3);
        if (field.failed()) return;
        const Keyframe key{parts[0].number(), read_pose_items(parts, 1)};
        if (!(key.time > last)) parts[0].fail_got("must be later than the keyframe before");
        last = key.time;
        driver.keyframes.push_back(key);
    }
}

double read_grid_coordinate(const Field& field) {
    const double x = field.number();
    if (!(x >= -1 && x <= 1)) field.fail_got("must be in [-1, 1]");
    return x;
}

void read_script(const Field& field, DriverDef& driver) {
    double last = -std::numeric_limits<double>::infinity();
    for (const Field& item : field.items(1)) {
        const std::vector<Field> parts = item.items(3, 3);
        if (field.failed()) return;
        const ScriptPoint point{parts[0].number(),
                                {read_grid_coordinate(parts[1]), read_grid_coordinate(parts[2])}};
        if (!(point.time > last)) parts[0].fail_got("must be later than the point before");
        last = point.time;
        driver.script.push_back(point);
    }
}

OpponentDef read_opponent(const Field& field) {
    OpponentDef opponent;
    ObjectReader o(field, "opponent");
    opponent.seed = static_cast<std::uint64_t>(o.optional("seed").integer(0, 1LL << 53, 1));
    const Field skill = o.optional("skill");
    opponent.skill = skill.non_negative(opponent.skill);
    if (opponent.skill > 1) skill.fail_got("must be at most 1");
    opponent.interval = o.optional("interval").positive(opponent.interval);
    o.done();
    return opponent;
}

BendDef read_bend(const Field& field) {
    BendDef bend;
    ObjectReader o(field, "bend");
    bend.waist = o.required("waist").vec3();
    bend.neck = o.required("neck").vec3();
    bend.lean = o.optional("lean").number(bend.lean);
    bend.twist = o.optional("twist").number(bend.twist);
    bend.max_angle_deg = o.optional("max_angle_deg").number(bend.max_angle_deg);
    o.done();
    if (field.failed()) return bend;
    if (const Result<void> checked = check_bend(bend); !checked) field.fail_below(checked.error());
    return bend;
}

bool is_of_whole_meshes(const BodyDef& body) {
    return !body.shapes.empty() &&
           std::all_of(body.shapes.begin(), body.shapes.end(), [](const ShapeDef& shape) {
               const auto* mesh = std::get_if<MeshDef>(&shape.geometry);
               return mesh && !mesh->concavity;
           });
}

SceneFencer read_fencer(const Field& field, FileScope& scope) {
    SceneFencer fencer;
    ObjectReader o(field, "fencer");
    const Field name = o.optional("name");
    const Field weapon = o.required("weapon"), body = o.required("body");
    if (const Field f = o.optional("opponent"); f.given()) fencer.opponent = read_opponent(f);
    if (const Field f = o.optional("bend"); f.given()) fencer.bend = read_bend(f);
    o.done();
    if (field.failed()) return fencer;
    fencer.name = name.given() ? name.text() : weapon.name();
    fencer.weapon = find_body(weapon, scope);
    fencer.body = find_body(body, scope);
    for (const Field& f : {weapon, body})
        if (f.name("world") == "world") f.fail("must name a body, got \"world\"");
    if (field.failed()) return fencer;
    const BodyDef& hit = scope.draft.scene.bodies[static_cast<std::size_t>(fencer.body)].def;
    if (fencer.bend && hit.type == BodyType::dynamic_body)
        return body.fail("must name a static or kinematic body, as it bends"), fencer;
    if (fencer.bend && !is_of_whole_meshes(hit))
        return body.fail("must name a body of meshes without convex pieces, as it bends"), fencer;
    const std::optional<DriverDef>& driver =
        scope.draft.scene.bodies[static_cast<std::size_t>(fencer.weapon)].driver;
    if (!driver) return weapon.fail("must name a body with a driver"), fencer;
    if (fencer.opponent && driver->grid.empty())
        weapon.fail("must have a driver with a grid, which its opponent plays on");
    if (fencer.opponent && !driver->script.empty())
        weapon.fail("has a driver with a script, and so no use for an opponent's rule");
    return fencer;
}

} // namespace

DriverDef read_driver(const Field& field) {
    static const std::vector<std::string_view> kInputs = {"mouse", "keys", "socket"};
    DriverDef driver;
    ObjectReader o(field, "driver");
    const Field keyframes = o.optional("keyframes"), input = o.optional("input");
    const Field script = o.optional("script"), grid = o.optional("grid");
    const Field speed = o.optional("speed");
    if (!script.given()) o.exactly_one({"keyframes", "input"});
    o.at_most_one({"keyframes", "script"});
    read_keyframes(keyframes, driver);
    read_script(script, driver);
    driver.loop = o.optional("loop").boolean(false);
    if (input.given()) driver.input = kInputs[input.one_of(kInputs, 0)];
    if (grid.given())
        for (const Field& item : grid.items(9, 9))
            driver.grid.push_back(read_pose_items(item.items(1, 2), 0));
    driver.grip = o.optional("grip").positive(driver.grip);
    if (speed.given()) driver.speed = speed.positive();
    if (keyframes.given()) o.at_most_one({"keyframes", "grid"});
    if (keyframes.given()) o.at_most_one({"keyframes", "input"});
    if (keyframes.given()) o.at_most_one({"keyframes", "speed"});
    if (!keyframes.given() && !script.given()) o.at_most_one({"input", "loop"});
    if (field.failed()) return driver;
    if (const Result<void> checked = check_driver(driver); !checked)
        field.fail_below(checked.error());
    return driver;
}

void read_duel(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    if (scope.draft.scene.duel) return field.fail("is the second one: a scene has one duel");
    SceneDuel duel;
    ObjectReader o(field, "duel");
    const Field fencers = o.required("fencers");
    duel.rounds = static_cast<int>(o.optional("rounds").integer(1, 1000, duel.rounds));
    duel.pause = o.optional("pause").non_negative(duel.pause);
    o.done();
    if (field.failed()) return;
    const std::vector<Field> items = fencers.items(2, 2);
    if (field.failed()) return;
    for (std::size_t i = 0; i < 2; ++i) {
        duel.fencers[i] = read_fencer(items[i], scope);
        if (field.failed()) return;
    }
    const SceneFencer &a = duel.fencers[0], &b = duel.fencers[1];
    if (a.weapon == a.body || b.weapon == b.body || a.weapon == b.weapon || a.body == b.body ||
        a.weapon == b.body || a.body == b.weapon)
        return fencers.fail("must have weapons and bodies that are four different bodies");
    scope.draft.scene.duel = std::move(duel);
}

} // namespace rigor
