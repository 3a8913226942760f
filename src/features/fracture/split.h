// Definitions of the pieces of a broken body: each continues the rigid motion of the body.
#pragma once

#include "features/fracture/cells.h"

namespace rigor {

/// What is known of a body at the time it is split.
struct WholeBody {
    Posed pose; ///< of its frame
    BodyState state;
    MassProperties mass;             ///< body frame
    std::vector<Material> materials; ///< by leaf
};

WholeBody whole_body(const World& world, BodyId id);

/// A definition for each cell. The fields of the body that are not its shapes, mass and motion are
/// inherited; pieces are named "name.1" and so on.
std::vector<BodyDef> split(const BodyDef& def, const WholeBody& whole, const FractureCells& cells);

/// Adds all of them or none.
Result<std::vector<BodyId>> add_pieces(World& world, const std::vector<BodyDef>& pieces);

} // namespace rigor
