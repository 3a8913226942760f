// Deformation of meshes while the world runs.

#include "world/arguments.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

using Mesh = std::shared_ptr<const TriangleMesh<double>>;

/// The mesh of a shape that may be deformed.
const TriangleMesh<double>& mesh_or_throw(const WorldState& state, const ShapeRecord& shape) {
    if (const auto* held =
            std::get_if<std::shared_ptr<const Compound<double>>>(&shape.geometry.solid);
        held && !(*held)->meshes.empty())
        throw UsageError("a mesh that was split into convex pieces cannot be deformed");
    const Mesh* mesh = std::get_if<Mesh>(&shape.geometry.solid);
    if (!mesh)
        throw UsageError(std::string("only a mesh has vertices to set, this shape is a ") +
                         name(shape.geometry));
    if (is_dynamic(state.bodies, shape.body.index))
        throw UsageError(
            "the mesh of a dynamic body cannot be deformed: make the body static or "
            "kinematic");
    return **mesh;
}

/// Null when the shape is none.
const TriangleMesh<double>* mesh_of(const ShapeRecord& shape) {
    const Mesh* mesh = std::get_if<Mesh>(&shape.geometry.solid);
    return mesh ? mesh->get() : nullptr;
}

} // namespace

void World::set_mesh_vertices(ShapeId id, std::span<const Vec3d> vertices) {
    WorldState& state = impl_->state;
    ShapeRecord& shape = impl_->shape(id);
    Result<Mesh> deformed = deformed_mesh(mesh_or_throw(state, shape), vertices);
    if (!deformed) throw UsageError(deformed.error().message);
    const std::uint32_t body = shape.body.index;
    const Shape<double> before = shape.geometry;
    shape.geometry = Shape<double>{*deformed};
    if (state.cell && !impl_->fits_cell(body)) {
        shape.geometry = before;
        throw UsageError("the deformed mesh is larger than half of the periodic cell");
    }
    impl_->query_broadphase.change().update_geometry(state, body);
    impl_->pipeline->shapes_changed(state, body, impl_->woken);
    impl_->report_woken();
    impl_->record<&World::set_mesh_vertices>(id,
                                             std::vector<Vec3d>(vertices.begin(), vertices.end()));
}

std::vector<Vec3d> World::mesh_vertices(ShapeId id) const {
    const TriangleMesh<double>* mesh = mesh_of(impl_->shape(id));
    return mesh ? soup_vertices(*mesh) : std::vector<Vec3d>{};
}

bool World::is_deformed(ShapeId id) const {
    const TriangleMesh<double>* mesh = mesh_of(impl_->shape(id));
    return mesh && mesh->deformed;
}

Posed World::local_pose(ShapeId id) const {
    return impl_->shape(id).local;
}

} // namespace rigor
