// Bonded bodies: pieces that are fixed to each other until the joints between them break.

#include "features/fracture/cells.h"
#include "features/fracture/fracture_checks.h"
#include "features/fracture/split.h"

namespace rigor {
namespace {

// Mass and state as the body itself would have them: it is added and removed again, which leaves
// the slots of the world as they were.
Result<WholeBody> weigh(World& world, const BodyDef& def) {
    const Result<BodyId> id = world.add_body(def);
    if (!id) return id.error();
    WholeBody whole = whole_body(world, *id);
    world.remove_body(*id);
    return whole;
}

void remove(World& world, const BondedBody& body) {
    for (const BodyId id : body.pieces) world.remove_body(id);
}

} // namespace

Result<BondedBody> add_bonded_body(World& world, const BodyDef& def, const FractureDef& fracture) {
    if (auto checked = check_fracture(def, fracture); !checked) return checked.error();
    if (!fracture.bonds)
        return Error{ErrorCode::invalid_value, "bonds", "must be given for a bonded body"};
    const Result<Fracture::Solid> solid = make_solid(def);
    if (!solid) return solid.error();
    const Result<FractureCells> cells =
        make_cells(*solid, fracture.pieces, fracture.seed, std::nullopt);
    if (!cells) return cells.error();
    const Result<WholeBody> whole = weigh(world, def);
    if (!whole) return whole.error();
    BondedBody body;
    body.definitions = split(def, *whole, *cells);
    Result<std::vector<BodyId>> pieces = add_pieces(world, body.definitions);
    if (!pieces) return pieces.error();
    body.pieces = std::move(*pieces);
    for (std::size_t i = 0; i < cells->size(); ++i) {
        for (const std::uint32_t j : (*cells)[i].neighbors) {
            if (j <= i) continue;
            const Vec3d a = body.definitions[i].position, b = body.definitions[j].position;
            JointDef bond;
            bond.name = body.definitions[i].name + "-" + body.definitions[j].name;
            bond.a = body.pieces[i], bond.b = body.pieces[j];
            bond.anchor = (a + b) * 0.5;
            bond.kind = FixedJoint{};
            bond.break_force = *fracture.bonds;
            bond.break_torque = *fracture.bonds * length(b - a) * 0.5;
            const Result<JointId> id = world.add_joint(bond);
            if (!id) {
                remove(world, body);
                return id.error();
            }
            body.bonds.push_back(*id);
            body.bond_definitions.push_back(std::move(bond));
        }
    }
    return body;
}

} // namespace rigor
