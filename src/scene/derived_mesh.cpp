#include "scene/derived_mesh.h"

#include "rigor/mesh.h"

namespace rigor {
namespace {

/// Makes a mesh once for each change.
template <class Make>
std::shared_ptr<const TriangleSoup> make_once(const std::shared_ptr<const TriangleSoup>& mesh,
                                              const std::array<double, 4>& change,
                                              SceneDraft& draft, const Make& make) {
    std::shared_ptr<const TriangleSoup>& known = draft.derived_meshes[{mesh, change}];
    if (!known) known = make();
    return known;
}

} // namespace

Vec3d read_scale(const Field& scale) {
    if (!scale.given()) return {1, 1, 1};
    if (scale.is(JsonKind::array)) return scale.positive_vec3();
    const double all = scale.positive();
    return {all, all, all};
}

std::shared_ptr<const TriangleSoup> scaled_mesh(std::shared_ptr<const TriangleSoup> mesh,
                                                const Vec3d& scale, SceneDraft& draft) {
    if (!mesh || scale == Vec3d{1, 1, 1}) return mesh;
    return make_once(mesh, {scale.x, scale.y, scale.z, 0}, draft, [&] {
        auto scaled = std::make_shared<TriangleSoup>(*mesh);
        for (Vec3d& v : scaled->vertices) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
        return scaled;
    });
}

std::shared_ptr<const TriangleSoup> thickened_mesh(std::shared_ptr<const TriangleSoup> mesh,
                                                   const Field& thickness, SceneDraft& draft) {
    const double size = thickness.given() ? thickness.positive() : 0;
    if (!mesh || !thickness.given() || thickness.failed()) return mesh;
    return make_once(mesh, {1, 1, 1, size}, draft, [&] {
        Result<TriangleSoup> solid = thicken(*mesh, size);
        if (solid) return std::make_shared<TriangleSoup>(std::move(*solid));
        thickness.fail(solid.error().message);
        return std::make_shared<TriangleSoup>(*mesh);
    });
}

} // namespace rigor
