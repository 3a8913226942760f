// Duels: two driven weapons, two bodies to hit, rounds and a score [Kavan 2003, section 5].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "rigor/driver.h"

namespace rigor {

/// An opponent that plays by a rule: it thrusts at intervals and parries when it is attacked. It
/// plays until someone moves the device of its weapon.
struct OpponentDef {
    std::uint64_t seed = 1;
    double skill = 0.5;    ///< the share of attacks that it parries on the right side, in [0, 1]
    double interval = 1.5; ///< s between its own attacks, on average
};

struct FencerDef {
    std::string name;
    BodyId weapon;                       ///< has a driver
    BodyId body;                         ///< what the other weapon must hit; solid, or a sensor
    std::optional<OpponentDef> opponent; ///< none: someone else drives the weapon
};

struct DuelDef {
    std::array<FencerDef, 2> fencers;
    int rounds = 3;
    double pause = 1.5; ///< s between a hit and the next round
};

struct DuelState {
    std::array<int, 2> score{};
    int round = 1;     ///< from 1
    bool over = false; ///< all rounds are played
    std::string last_hit;
};

/// Counts hits of weapons on bodies, and plays the fencers that have an opponent rule. A hit ends
/// the round; hits of both fencers in one step count for both. After a pause the weapons go back to
/// where their drivers began. A value: a copy is a snapshot. It uses the drivers of the weapons:
///
///     duel.before_step(world, drivers, dt);
///     drivers.before_step(world, dt);
///     world.step(dt);
///     drivers.after_step(world);
///     duel.after_step(world);
class RIGOR_API Duel {
  public:
    /// Fails when a weapon has no driver, an opponent's weapon no grid or a
    /// script, a body is used twice, or a
    /// number is out of range.
    static Result<Duel> make(const World& world, const Drivers& drivers, DuelDef def);

    const DuelDef& definition() const { return def_; }
    const DuelState& state() const { return state_; }

    void before_step(World& world, Drivers& drivers, double dt);
    void after_step(const World& world);

    /// 64 bits over all state but the definition.
    std::uint64_t state_hash() const;

  private:
    enum class Move : std::uint8_t { guard, thrust, recover, parry };
    /// What an opponent does now.
    struct Play {
        std::uint64_t random = 0;
        Move move = Move::guard;
        double until = 0;       ///< s: the end of the move
        bool is_warned = false; ///< it has seen the attack that goes on
        GridPoint input;
    };

    explicit Duel(DuelDef def) : def_(std::move(def)) {}
    void play(const World& world, Drivers& drivers, std::size_t fencer);
    void choose_move(const World& world, const Drivers& drivers, std::size_t fencer);
    bool is_attacked(const World& world, std::size_t fencer) const;
    void restart_round(World& world, Drivers& drivers);

    DuelDef def_;
    DuelState state_;
    std::array<Play, 2> plays_;
    std::array<double, 2> guard_distance_{}; ///< from a fencer's body to the other weapon, at first
    bool is_paused_ = false;
    double resume_at_ = 0; ///< s
};

} // namespace rigor
