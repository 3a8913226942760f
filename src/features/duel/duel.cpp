// The duel: rounds, hits and the score.
#include "rigor/duel.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
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

} // namespace

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

void Duel::before_step(World& world, Drivers& drivers, double dt) {
    for (const FencerDef& fencer : def_.fencers)
        if (!world.is_valid(fencer.weapon) || !world.is_valid(fencer.body)) return;
    if (is_paused_ && !state_.over && world.time() + dt / 2 >= resume_at_)
        restart_round(world, drivers);
    for (std::size_t i = 0; i < 2; ++i)
        if (def_.fencers[i].opponent) play(world, drivers, i);
}

void Duel::after_step(const World& world) {
    if (is_paused_ || state_.over) return;
    std::array<bool, 2> hit{};
    for (std::size_t i = 0; i < 2; ++i)
        hit[i] = have_met(world, def_.fencers[i].weapon, def_.fencers[1 - i].body);
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
