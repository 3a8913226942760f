// Linear system of an island in given contact modes: rows of active constraints, columns of unknown
// forces.
#pragma once

#include "contact_dynamics/joint_actions.h"
#include "numeric/cone_projection.h"

namespace rigor::contact_dynamics {

/// An island at one instant.
struct Instant {
    const WorldState& state;
    const Island& island;
    std::vector<BodyKinematics> bodies;
    std::vector<ContactFrame> frames;
    IslandDofs dofs;

    Instant(const WorldState& s, const Island& i)
        : state(s),
          island(i),
          bodies(kinematics_of(s, i)),
          frames(frames_of(i.contacts, bodies)),
          dofs(island_dofs(s, i, bodies)) {}
};

/// Where an unknown force comes from.
enum class Source : std::uint8_t { contact, limit, joint };

/// The rows that hold and the columns that push, of all contacts and limits in their modes, of all
/// joints and of the drives that hold.
struct ModeSystem {
    struct Owner {
        Source source = Source::contact;
        std::size_t index = 0; ///< of the contact, limit or held row
        int axis = 0;    ///< 0, 1: tangents, 2: normal, 3: normal with the friction of a slide,
                         ///< 4 and on: rows of couples
        Vec3d slip = {}; ///< its direction along the tangents
    };
    std::vector<ConstraintRow> rows, columns;
    std::vector<Owner> owners;
    std::vector<HeldRow> held;
    bool symmetric = true;

    void add(const ConstraintRow& row, const ConstraintRow& column, const Owner& owner) {
        rows.push_back(row);
        columns.push_back(column);
        owners.push_back(owner);
    }
};

inline constexpr int kFirstCoupleAxis = 4;

ModeSystem system_of(const Instant& now);

/// What contacts and limits can give: none pulls, and where a contact sticks friction is within its
/// cone.
std::vector<ConeBlock> cones_of(const Instant& now, const ModeSystem& system);

/// Replaces the forces of contacts and limits by a guess of them all.
void start_from(const Instant& now, const ModeSystem& system, std::span<const Vec3d> guess,
                std::vector<double>& lambda);

} // namespace rigor::contact_dynamics
