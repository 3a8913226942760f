// BodyStore: the bodies of a world, as plain records in parallel arrays.
//
// The data of a body are split by access: read and written by every step (BodyMotion, 104 bytes),
// only read (BodyInertia, 48 bytes), and bookkeeping (BodyTraits). None of the records has padding,
// so hashing and comparing their bytes is exact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/id_pool.h"
#include "rigor/body.h"

namespace rigor {

/// The state of a body as 13 numbers [Galoppo 2007]: position, orientation and momenta.
///
/// The orientation is that of the principal axes, where inertia is three numbers; the body's own
/// axes differ by a constant rotation (BodyTraits::principal), the identity for every body whose
/// inertia is diagonal in them. A kinematic body has no mass of its own; its velocities are stored
/// as the momenta of a unit mass with unit inertia.
struct BodyMotion {
    Vec3d x; ///< center of mass
    Quatd q; ///< principal axes to world
    Vec3d p; ///< momentum
    Vec3d l; ///< angular momentum about the center of mass, world axes
};
static_assert(sizeof(BodyMotion) == 13 * sizeof(double));

/// Maps momentum to velocity.
struct BodyInertia {
    double inv_mass = 0;
    Vec3d inv_moments;       ///< inverse principal moments
    double weight = 0;       ///< mass times gravity_scale
    std::int64_t middle = 0; ///< the axis of the intermediate moment
};
static_assert(sizeof(BodyInertia) == 48);

/// Kind of a body in free motion.
enum class Mobility : std::uint8_t {
    absent,   ///< a free slot
    immobile, ///< static, frozen or quarantined
    plain,    ///< no locks, no damping: the fast path
    careful,  ///< locks or damping
};

struct BodyTraits {
    double mass = 0;
    Vec3d moments;   ///< principal
    Quatd principal; ///< principal axes to body axes
    Vec3d center;    ///< center of mass in the body's frame
    double linear_damping = 0;
    double angular_damping = 0;
    double gravity_scale = 1;
    std::uint32_t group = 1;
    std::uint32_t mask = ~0u;
    std::uint32_t first_shape = UINT32_MAX; ///< slot of the first shape; the rest are linked
    BodyType type = BodyType::static_body;
    std::uint8_t lock = 0; ///< AxisLock bits
    std::uint8_t can_sleep = 1;
    std::uint8_t continuous = 0;
};
static_assert(sizeof(BodyTraits) == 14 * sizeof(double) + 4 * sizeof(std::uint32_t));

/// A force through the center of mass and a torque, world axes.
struct Wrench {
    Vec3d force;
    Vec3d torque;
};

struct BodyStore {
    IdPool<BodyTag> ids;
    std::vector<BodyMotion> motion;
    std::vector<BodyInertia> inertia;
    std::vector<BodyTraits> traits;
    std::vector<Mobility> mobility;

    /// Forces for the next step; empty while there are none.
    std::vector<Wrench> wrenches;

    /// A label, not state: it is not hashed, and nothing depends on it.
    std::vector<std::string> names;

    /// Adds a slot in every array; the caller fills it.
    BodyId add();
    void remove(BodyId id);
    void reserve(std::size_t bodies);

    std::size_t slot_count() const { return motion.size(); }
    std::size_t memory_bytes() const;
};

inline bool is_dynamic(const BodyStore& bodies, std::uint32_t body) {
    return bodies.traits[body].type == BodyType::dynamic_body;
}

/// Whether a step may move it: not static, not frozen, not quarantined.
inline bool is_movable(const BodyStore& bodies, std::uint32_t body) {
    return bodies.mobility[body] >= Mobility::plain;
}

/// Of a body that is neither frozen nor quarantined.
Mobility mobility_of(const BodyTraits& traits);

/// The current velocity of a body from its momenta: zero for bodies at rest.
struct BodySpeed {
    Vec3d linear;       ///< of the center of mass
    double angular = 0; ///< upper bound of the angular speed
};
BodySpeed speed_of(const BodyStore& bodies, std::uint32_t body);

/// The pose of the body's own frame, which need not be at the center of mass.
Posed frame_pose(const BodyMotion& motion, const BodyTraits& traits);
/// Moves the body's frame to a pose.
void set_frame_pose(BodyMotion& motion, const BodyTraits& traits, const Posed& pose);

/// About the center of mass, in the body's axes.
Sym3d body_inertia(const BodyTraits& traits);

} // namespace rigor
