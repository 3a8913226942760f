// WorldState: the complete state of a world, everything that determines its future.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/body_store.h"
#include "model/island_ledgers.h"
#include "model/joint_store.h"
#include "model/passages.h"
#include "model/periodic_cell.h"
#include "model/shape_store.h"
#include "rigor/report.h"

namespace rigor {

/// A plain value: copying it is a snapshot, hashing it compares two runs.
struct WorldState {
    Vec3d gravity;
    std::optional<PeriodicCell> cell; ///< of periodic boundaries
    double time = 0;
    std::uint64_t step = 0;
    LedgerSum ledger;      ///< `remainder` is not kept: it follows from the rest
    IslandLedgers islands; ///< kept on request only; not hashed, since they have no effect
    BodyStore bodies;
    ShapeStore shapes;
    JointStore joints;
    std::vector<MaterialPair> material_pairs; ///< few: each pair of materials at most once
    Passages passages;                        ///< of one-sided sheets
};

/// Calls visit(id, record) for the shapes of a body, in the order of its definition. It may erase
/// the shape.
template <class Visit>
void for_each_shape(const WorldState& state, std::uint32_t body, Visit&& visit) {
    for (std::uint32_t slot = state.bodies.traits[body].first_shape; slot != UINT32_MAX;) {
        const ShapeRecord& record = state.shapes[slot];
        const ShapeId id = state.shapes.pool().id_at(slot);
        slot = record.next;
        visit(id, record);
    }
}

/// Over all of it but names and derived data (the tree of a mesh, the edges of a hull). One flipped
/// bit changes the hash, for certain.
std::uint64_t hash(const WorldState& state);

std::size_t memory_bytes(const WorldState& state);

} // namespace rigor
