// Duels: two driven weapons, two bodies to hit, rounds and a score [Kavan 2003, section 5].
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigor/driver.h"

namespace rigor {

/// An opponent that plays by a rule: it thrusts at intervals and parries when it is attacked. It
/// plays until someone moves the device of its weapon.
struct OpponentDef {
    std::uint64_t seed = 1;
    double skill = 0.5;    ///< the share of attacks that it parries on the right side, in [0, 1]
    double interval = 1.5; ///< s between its own attacks, on average
};

/// How the body of a fencer deforms: it bends between `waist` and `neck`, which are in its frame.
/// What is below the waist stays, what is above the neck moves as one piece. The trunk leans and
/// turns after the weapon, measured from the middle of the weapon's grid.
struct BendDef {
    Vec3d waist, neck;
    double lean = 0.5;  ///< how far the neck follows the weapon sideways, as a share of its way
    double twist = 0.5; ///< how far the trunk turns after the weapon's direction, as a share
    double max_angle_deg = 30; ///< of leaning, and of turning
};

/// Whether a body can bend so. Fails when a number is not finite, `waist` and `neck` are one point,
/// a share is not in [0, 1], or the angle not in (0, 45].
RIGOR_API Result<void> check_bend(const BendDef& def);

struct FencerDef {
    std::string name;
    BodyId weapon;                       ///< has a driver
    BodyId body;                         ///< what the other weapon must hit; solid, or a sensor
    std::optional<OpponentDef> opponent; ///< none: someone else drives the weapon
    std::optional<BendDef> bend;         ///< none: the body is rigid
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

/// Counts hits of weapons on bodies, and plays the fencers that have an opponent rule. A weapon
/// that touches the other's body anywhere on its way through a step hits it. A hit ends the round;
/// hits of both fencers in one step count for both. After a pause the weapons go back to where
/// their drivers began. Bodies that bend are deformed before each step, as the weapons then are. A
/// value: a copy is a snapshot. It uses the drivers of the weapons:
///
///     duel.before_step(world, drivers, dt);
///     drivers.before_step(world, dt);
///     world.step(dt);
///     drivers.after_step(world);
///     duel.after_step(world);
class RIGOR_API Duel {
  public:
    /// Fails when a weapon has no driver, an opponent's weapon no grid or a script, a body is used
    /// twice, a number is out of range, or a body that bends is dynamic, is made of anything but
    /// meshes, or would fold.
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

    /// A mesh that bends, undeformed.
    struct RestMesh {
        ShapeId shape;
        Posed local; ///< in the body's frame
        std::shared_ptr<const std::vector<Vec3d>> vertices;
    };
    struct Poses {
        Posed weapon, body;
    };

    explicit Duel(DuelDef def) : def_(std::move(def)) {}
    Result<void> add_bend(const World& world, const Drivers& drivers, std::size_t fencer);
    void bend(World& world, std::size_t fencer) const;
    bool has_hit(const World& world, std::size_t fencer) const;
    void play(const World& world, Drivers& drivers, std::size_t fencer);
    void choose_move(const World& world, const Drivers& drivers, std::size_t fencer);
    bool is_attacked(const World& world, std::size_t fencer) const;
    void restart_round(World& world, Drivers& drivers);

    DuelDef def_;
    DuelState state_;
    std::array<Play, 2> plays_;
    std::array<double, 2> guard_distance_{}; ///< from a fencer's body to the other weapon, at first
    std::array<std::vector<RestMesh>, 2> rest_;
    std::array<Vec3d, 2> hand_at_rest_{};  ///< of the weapon, in the frame of the body
    std::array<Poses, 2> at_step_begin_{}; ///< of the step that runs
    bool is_paused_ = false;
    double resume_at_ = 0; ///< s
};

} // namespace rigor
