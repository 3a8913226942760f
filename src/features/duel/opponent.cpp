// The rule of a scripted opponent: thrusts at intervals, parries when it is attacked.
#include <algorithm>

#include "rigor/duel.h"
#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kThrustTime = 0.45, kRecoverTime = 0.35, kParryTime = 0.4; // s
constexpr double kParryRow = -0.2;  // y: the weapon slightly drawn back
constexpr double kAttackWay = 0.12; // m: a weapon this much nearer than in guard attacks

/// Uniform in [0, 1) [splitmix64].
double next_random(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// The column of a grid whose weapon is nearest to, or farthest from, a point.
double column_by_distance(const std::vector<Posed>& grid, const Vec3d& point, bool nearest) {
    double best = 0, best_distance = -1;
    for (const double x : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const double distance = length(grid_pose(grid, {x, kParryRow}).p - point);
        const bool is_better = nearest ? distance < best_distance : distance > best_distance;
        if (best_distance < 0 || is_better) best = x, best_distance = distance;
    }
    return best;
}

} // namespace

bool Duel::is_attacked(const World& world, std::size_t fencer) const {
    const Vec3d weapon = world.state(def_.fencers[1 - fencer].weapon).position;
    const Vec3d body = world.state(def_.fencers[fencer].body).position;
    return length(weapon - body) < guard_distance_[fencer] - kAttackWay;
}

void Duel::choose_move(const World& world, const Drivers& drivers, std::size_t fencer) {
    const OpponentDef& rule = *def_.fencers[fencer].opponent;
    Play& play = plays_[fencer];
    const double now = world.time();
    const bool attacked = is_attacked(world, fencer);
    // One decision for each attack: it sees the attack once, when it begins.
    if (attacked && !play.is_warned && play.move != Move::thrust) {
        play.is_warned = true;
        const bool is_right = next_random(play.random) < rule.skill;
        const Vec3d weapon = world.state(def_.fencers[1 - fencer].weapon).position;
        const std::vector<Posed>& grid = drivers.definition(def_.fencers[fencer].weapon).grid;
        play.move = Move::parry;
        play.input = {column_by_distance(grid, weapon, is_right), kParryRow};
        play.until = now + kParryTime;
        return;
    }
    if (!attacked) play.is_warned = false;
    if (now < play.until) return;
    switch (play.move) {
        case Move::guard:
        case Move::parry:
            // After a parry it answers at once; from guard it attacks when its time has come.
            play.move = Move::thrust;
            play.input = {-0.8 + 1.6 * next_random(play.random), 1};
            play.until = now + kThrustTime;
            break;
        case Move::thrust:
            play.move = Move::recover;
            play.input = {0, -0.4};
            play.until = now + kRecoverTime;
            break;
        case Move::recover:
            play.move = Move::guard;
            play.input = {-0.3 + 0.6 * next_random(play.random), 0};
            play.until = now + rule.interval * (0.5 + next_random(play.random));
            break;
    }
}

void Duel::play(const World& world, Drivers& drivers, std::size_t fencer) {
    Play& play = plays_[fencer];
    if (is_paused_ || state_.over) {
        play.input = {};
    } else if (play.until == 0) { // the round begins: nobody is attacked at once
        play.move = Move::guard;
        play.input = {};
        play.until = world.time() +
                     def_.fencers[fencer].opponent->interval * (0.5 + next_random(play.random));
    } else {
        choose_move(world, drivers, fencer);
    }
    drivers.suggest_input(def_.fencers[fencer].weapon, play.input).value();
}

} // namespace rigor
