// The duel: rounds, hits and the score.
#include "rigor/duel.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "features/duel/bend.h"
#include "rigor/world.h"

namespace rigor {
namespace {

Error bad(std::string where, std::string rule) {
    return {ErrorCode::invalid_value, std::move(where), std::move(rule)};
}

double distance(const World& world, BodyId a, BodyId b) {
    return length(world.state(a).position - world.state(b).position);
}

bool is_pair(const ContactSide& p, const ContactSide& q, BodyId a, BodyId b) {
    return (p.body == a && q.body == b) || (p.body == b && q.body == a);
}

/// Whether two bodies met in the last step: as solids, or one of them as a sensor.
bool have_met(const World& world, BodyId a, BodyId b) {
    const Events& events = world.events();
    const auto of_pair = [&](const auto& event) {
        if constexpr (requires { event.sensor; }) {
            return is_pair(event.sensor, event.visitor, a, b);
        } else {
            return is_pair(event.a, event.b, a, b);
        }
    };
    return std::any_of(events.entered.begin(), events.entered.end(), of_pair) ||
           std::any_of(events.begun.begin(), events.begun.end(), of_pair) ||
           std::any_of(events.hits.begin(), events.hits.end(), of_pair);
}

Result<void> check_opponent(const Drivers& drivers, const FencerDef& fencer,
                            const std::string& where) {
    if (!fencer.opponent) return {};
    const OpponentDef& opponent = *fencer.opponent;
    if (!(opponent.skill >= 0 && opponent.skill <= 1))
        return bad(where + ".opponent.skill", "must lie in [0, 1]");
    if (!(opponent.interval > 0) || !std::isfinite(opponent.interval))
        return bad(where + ".opponent.interval", "must be positive");
    if (drivers.definition(fencer.weapon).grid.empty())
        return bad(where + ".opponent", "needs a weapon whose driver has a grid");
    if (!drivers.definition(fencer.weapon).script.empty())
        return bad(where + ".opponent", "needs a weapon whose driver has no script");
    return {};
}

/// Where a weapon is held when its fencer stands upright: in the middle of its grid, or where it is
/// now.
Vec3d resting_hand(const World& world, const Drivers& drivers, BodyId weapon) {
    const std::vector<Posed>& grid = drivers.definition(weapon).grid;
    return grid.empty() ? world.pose(weapon).p : grid_pose(grid, {}).p;
}

} // namespace

Result<void> Duel::add_bend(const World& world, const Drivers& drivers, std::size_t i) {
    const FencerDef& fencer = def_.fencers[i];
    if (!fencer.bend) return {};
    const std::string where = "duel.fencers[" + std::to_string(i) + "].bend";
    const auto at = [&](Error error) {
        error.where = where + "." + error.where;
        return error;
    };
    if (auto checked = check_bend(*fencer.bend); !checked) return at(checked.error());
    if (world.type(fencer.body) == BodyType::dynamic_body)
        return bad(where, "needs a body that is static or kinematic");
    for (const ShapeId shape : world.shapes(fencer.body)) {
        std::vector<Vec3d> vertices = world.mesh_vertices(shape);
        if (vertices.empty())
            return bad(where, "needs a body of meshes that are not split into convex pieces");
        const Posed local = world.local_pose(shape);
        std::vector<Vec3d> in_body;
        for (const Vec3d& v : vertices) in_body.push_back(transform(local, v));
        if (auto checked = check_folds(*fencer.bend, in_body); !checked) return at(checked.error());
        rest_[i].push_back(
            {shape, local, std::make_shared<const std::vector<Vec3d>>(std::move(vertices))});
    }
    if (rest_[i].empty()) return bad(where, "needs a body with a mesh");
    hand_at_rest_[i] =
        inverse_transform(world.pose(fencer.body), resting_hand(world, drivers, fencer.weapon));
    return {};
}

Result<Duel> Duel::make(const World& world, const Drivers& drivers, DuelDef def) {
    if (def.rounds < 1) return bad("duel.rounds", "must be at least 1");
    if (!(def.pause >= 0) || !std::isfinite(def.pause))
        return bad("duel.pause", "must not be negative");
    for (std::size_t i = 0; i < 2; ++i) {
        const FencerDef& fencer = def.fencers[i];
        const FencerDef& other = def.fencers[1 - i];
        const std::string where = "duel.fencers[" + std::to_string(i) + "]";
        if (!world.is_valid(fencer.weapon) || !world.is_valid(fencer.body))
            return bad(where, "names a body that does not exist");
        if (fencer.weapon == fencer.body || fencer.weapon == other.weapon ||
            fencer.weapon == other.body || fencer.body == other.body)
            return bad(where, "must have a weapon and a body of its own");
        if (!drivers.drives(fencer.weapon))
            return bad(where + ".weapon", "must be a body with a driver");
        if (auto checked = check_opponent(drivers, fencer, where); !checked) return checked.error();
    }
    Duel duel(std::move(def));
    for (std::size_t i = 0; i < 2; ++i) {
        const FencerDef& fencer = duel.def_.fencers[i];
        duel.guard_distance_[i] = distance(world, fencer.body, duel.def_.fencers[1 - i].weapon);
        if (fencer.opponent) duel.plays_[i].random = fencer.opponent->seed;
        if (auto added = duel.add_bend(world, drivers, i); !added) return added.error();
    }
    return duel;
}

void Duel::restart_round(World& world, Drivers& drivers) {
    is_paused_ = false;
    ++state_.round;
    for (std::size_t i = 0; i < 2; ++i) {
        drivers.reset(world, def_.fencers[i].weapon);
        plays_[i].move = Move::guard;
        plays_[i].is_warned = false;
        plays_[i].until = 0;
    }
}

// The vertices are a function of the poses, and compared with those there are: nothing has to be
// remembered, and a body at rest makes no entries in a recording.
void Duel::bend(World& world, std::size_t i) const {
    const FencerDef& fencer = def_.fencers[i];
    if (!fencer.bend) return;
    const Vec3d hand = inverse_transform(world.pose(fencer.body), world.pose(fencer.weapon).p);
    const Bend bend = bend_toward(*fencer.bend, hand_at_rest_[i], hand);
    for (const RestMesh& mesh : rest_[i]) {
        std::vector<Vec3d> vertices = *mesh.vertices;
        for (Vec3d& v : vertices)
            v = inverse_transform(mesh.local, bent(*fencer.bend, bend, transform(mesh.local, v)));
        if (vertices != world.mesh_vertices(mesh.shape))
            world.set_mesh_vertices(mesh.shape, vertices);
    }
}

void Duel::before_step(World& world, Drivers& drivers, double dt) {
    for (const FencerDef& fencer : def_.fencers)
        if (!world.is_valid(fencer.weapon) || !world.is_valid(fencer.body)) return;
    if (is_paused_ && !state_.over && world.time() + dt / 2 >= resume_at_)
        restart_round(world, drivers);
    for (std::size_t i = 0; i < 2; ++i)
        if (def_.fencers[i].opponent) play(world, drivers, i);
    for (std::size_t i = 0; i < 2; ++i) {
        const FencerDef& fencer = def_.fencers[i];
        bend(world, i);
        at_step_begin_[i] = {world.pose(fencer.weapon), world.pose(fencer.body)};
    }
}

// Events of the step miss a sensor that a weapon has passed through within it.
bool Duel::has_hit(const World& world, std::size_t i) const {
    const BodyId weapon = def_.fencers[i].weapon, body = def_.fencers[1 - i].body;
    if (world.settings().method == Method::free) return false;
    return have_met(world, weapon, body) ||
           world.time_of_impact(weapon, at_step_begin_[i].weapon, body, at_step_begin_[1 - i].body)
               .has_value();
}

void Duel::after_step(const World& world) {
    if (is_paused_ || state_.over) return;
    for (const FencerDef& fencer : def_.fencers)
        if (!world.is_valid(fencer.weapon) || !world.is_valid(fencer.body)) return;
    const std::array<bool, 2> hit{has_hit(world, 0), has_hit(world, 1)};
    if (!hit[0] && !hit[1]) return;
    for (std::size_t i = 0; i < 2; ++i) {
        if (!hit[i]) continue;
        ++state_.score[i];
        state_.last_hit = def_.fencers[i].name + " hits " + def_.fencers[1 - i].name;
    }
    if (hit[0] && hit[1]) state_.last_hit = "both hit";
    is_paused_ = true;
    resume_at_ = world.time() + def_.pause;
    state_.over = state_.round >= def_.rounds;
}

std::uint64_t Duel::state_hash() const {
    Hasher hasher;
    for (const int score : state_.score) hasher.add(static_cast<std::uint64_t>(score));
    hasher.add(static_cast<std::uint64_t>(state_.round));
    hasher.add(static_cast<std::uint64_t>(state_.over) * 2 + std::uint64_t{is_paused_});
    hasher.add_value(resume_at_);
    for (const Play& play : plays_) {
        hasher.add(play.random);
        hasher.add(static_cast<std::uint64_t>(play.move) * 2 + std::uint64_t{play.is_warned});
        hasher.add_value(play.until);
        hasher.add_value(play.input.x), hasher.add_value(play.input.y);
    }
    return hasher.value();
}

} // namespace rigor
