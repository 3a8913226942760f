// Fracture: bodies that break into convex pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigor/body.h"
#include "rigor/export.h"
#include "rigor/ids.h"
#include "rigor/result.h"
#include "rigor/world.h"

namespace rigor {

/// True in a program that links the component `rigor::voro`, whose Voronoi cells fracture needs.
RIGOR_API bool has_fracture();

/// When and how a body breaks into pieces. Exactly one threshold is given: impulse, force, momentum
/// or bonds.
struct FractureDef {
    static constexpr int kMaxPieces = 1000;

    int pieces = 8;                      ///< from 2 to kMaxPieces
    std::uint64_t seed = 1;              ///< of the random positions of the cells
    std::optional<double> impulse = {};  ///< N s in one impact
    std::optional<double> force = {};    ///< N
    std::optional<double> momentum = {}; ///< kg m/s of the body itself
    std::optional<double> bonds = {};    ///< N: see add_bonded_body
    bool at_impact = true; ///< smaller pieces near the point of impact, else even ones
    double min_size = 0;   ///< m: a smaller piece breaks no further; 0: a tenth of the body
    double energy = 0;     ///< J taken from the motion by each break
    /// Bodies that may come of one, pieces of pieces included, not less than `pieces`. The first
    /// break is always made; later ones that would make more are not, and what is left stays whole.
    int max_pieces = 1000;
};

/// A body that broke in the last step.
struct FractureEvent {
    BodyId broken;                    ///< removed
    std::vector<BodyId> pieces;       ///< empty when it stays whole, `failure` says why
    Vec3d point;                      ///< of the impact
    double impulse = 0;               ///< of the contact that broke it, N s, along the normal
    double energy = 0;                ///< J taken from the motion
    double missing_energy = 0;        ///< J of FractureDef::energy that the motion did not have
    std::vector<JointId> joints = {}; ///< of the broken body: removed with it
    std::vector<BodyDef> definitions = {}; ///< of the pieces, as they were added
    std::string name = {};                 ///< of the broken body
    std::string failure = {};              ///< why there are no pieces
};

/// The bodies of one world that can break. A value: copies are independent, so that a copy and a
/// Snapshot of the world together are the state at one time.
///
///     fracture.watch(world, id, def, {.pieces = 20, .impulse = 50.0});
///     fracture.before_step(world), world.step(dt), fracture.after_step(world, dt);
///
/// A break keeps mass, center of mass, and linear and angular momentum. docs/fracture.md has the
/// rules.
class RIGOR_API Fracture {
  public:
    /// A piece of a piece and so on breaks at most this often.
    static constexpr int kMaxGenerations = 8;
    /// Bodies that may come of all watched ones together.
    static constexpr int kMaxBodies = 5000;

    /// Makes a body breakable: it breaks when its threshold is exceeded. `def` is the definition it
    /// was created from. With at_impact false its cells are computed now, which takes about 50 us a
    /// piece.
    ///
    /// Fails when a field of `fracture` is out of range, when the body is not dynamic or has no
    /// shape with contact response, or when the program is built without fracture (has_fracture()).
    Result<void> watch(const World& world, BodyId id, const BodyDef& def,
                       const FractureDef& fracture);
    bool is_watched(BodyId id) const;
    std::size_t watched_count() const { return watched_.size(); }

    /// Call it before each step: it reads the momenta for the threshold `momentum`.
    void before_step(const World& world);
    /// Breaks the bodies that the step has loaded beyond their threshold, in the order of their
    /// ids.
    void after_step(World& world, double dt);

    /// Of the last after_step.
    const std::vector<FractureEvent>& events() const { return events_; }

    /// 64 bits over all state but the definitions.
    std::uint64_t state_hash() const;

    struct Solid;
    struct Watched {
        BodyId id;
        std::shared_ptr<const BodyDef> def;
        FractureDef fracture;
        int generation = 0;
        std::uint32_t family = 0;           ///< into families_
        double momentum = 0;                ///< before the step, kg m/s
        std::shared_ptr<const Solid> solid; ///< null: not made yet
    };
    /// A watched body and all that came of it.
    struct Family {
        std::string name; ///< of the whole body
        int bodies = 1;
        bool is_full = false; ///< one more break would have been too many, and was told
    };
    /// What one body did to a watched one in a step.
    struct ContactLoad {
        BodyId body, other;
        double impulse = 0;
        Vec3d point;
        bool is_new = false; ///< they did not push in the step before
        bool is_hit = false;
    };

  private:
    std::vector<ContactLoad> loads_of_step(const World& world) const;
    std::vector<ContactLoad> breaking_loads(const World& world, double dt);
    void break_body(World& world, const Watched& watched, const ContactLoad& load,
                    std::vector<Watched>& born);
    Watched* find(BodyId id);
    /// Whether a break into so many pieces is within the bounds; if not, the first such break has
    /// an event, and those of other pieces of the body have none.
    bool allows(const Watched& watched, std::size_t pieces, FractureEvent event);

    std::vector<Watched> watched_;   ///< by id
    std::vector<ContactLoad> loads_; ///< of the last step, by body and other
    std::vector<FractureEvent> events_;
    std::vector<Family> families_;
    int bodies_ = 0;       ///< of all families
    bool is_full_ = false; ///< one more break would have exceeded kMaxBodies, and was told
};

/// A body assembled from bonded pieces.
struct BondedBody {
    std::vector<BodyId> pieces;
    std::vector<JointId> bonds;
    std::vector<BodyDef> definitions; ///< of the pieces
    std::vector<JointDef> bond_definitions;
};

/// Adds the pieces of a body instead of the body, each fixed to its neighbors by joints that break
/// at the force `fracture.bonds`, and at the torque of that force at half the distance of the two
/// pieces. The pieces are evenly sized: at_impact, min_size and energy are ignored. Fails as
/// watch() and World::add_body do, leaving the world unchanged.
RIGOR_API Result<BondedBody> add_bonded_body(World& world, const BodyDef& def,
                                             const FractureDef& fracture);

} // namespace rigor
