#include "features/fracture/split.h"

#include "features/fracture/moments.h"

namespace rigor {

WholeBody whole_body(const World& world, BodyId id) {
    WholeBody whole{world.pose(id), world.state(id), world.mass_properties(id), {}};
    for (const ShapeId shape : world.shapes(id)) whole.materials.push_back(world.material(shape));
    return whole;
}

std::vector<BodyDef> split(const BodyDef& def, const WholeBody& whole, const FractureCells& cells) {
    std::vector<MassProperties> masses;
    for (const FractureCell& cell : cells) masses.push_back(cell.mass);
    masses = fit_masses(masses, whole.mass);
    BodyDef common = def;
    common.shapes.clear();
    common.mass.reset();
    common.orientation = whole.pose.q;
    common.angular_velocity = whole.state.angular_velocity;
    std::vector<BodyDef> pieces(cells.size(), common);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        BodyDef& piece = pieces[i];
        piece.name += "." + std::to_string(i + 1);
        piece.position = transform(whole.pose, cells[i].center);
        // v + w x r: the velocity that the piece had as a part of the body.
        const Vec3d r = rotate(whole.pose.q, masses[i].center - whole.mass.center);
        piece.velocity = whole.state.velocity + cross(whole.state.angular_velocity, r);
        masses[i].center -= cells[i].center;
        piece.mass_properties = masses[i];
        for (const CellHull& cell_hull : cells[i].hulls) {
            ShapeDef shape{.geometry = cell_hull.hull.def};
            shape.material = whole.materials[cell_hull.leaf];
            piece.shapes.push_back(std::move(shape));
        }
    }
    return pieces;
}

Result<std::vector<BodyId>> add_pieces(World& world, const std::vector<BodyDef>& pieces) {
    std::vector<BodyId> ids;
    ids.reserve(pieces.size());
    for (const BodyDef& piece : pieces) {
        const Result<BodyId> id = world.add_body(piece);
        if (!id) {
            for (const BodyId added : ids) world.remove_body(added);
            return id.error();
        }
        ids.push_back(*id);
    }
    return ids;
}

} // namespace rigor
