#include "viewer/deformed_meshes.h"

#include <algorithm>

#include "viewer/byte_writer.h"

namespace rigor::viewer {
namespace {

constexpr std::uint8_t kMeshType = 5;

std::string encode_mesh(std::uint8_t world, std::uint16_t shape, std::uint32_t body,
                        const std::vector<Vec3d>& vertices) {
    ByteWriter out(12 + 12 * vertices.size());
    out.put(kMeshType);
    out.put(world);
    out.put(shape);
    out.put(body);
    out.put(static_cast<std::uint32_t>(vertices.size()));
    for (const Vec3d& v : vertices) out.put_float3(v);
    return out.take();
}

} // namespace

bool deforms(const Session& session, BodyId body) {
    const std::optional<Duel>& duel = session.simulation().duel();
    if (!duel) return false;
    const auto& fencers = duel->definition().fencers;
    return std::any_of(fencers.begin(), fencers.end(),
                       [&](const FencerDef& fencer) { return fencer.bend && fencer.body == body; });
}

std::vector<MeshFrame> DeformedMeshes::update(const Session& session, std::uint8_t world_index,
                                              std::uint32_t sequence) {
    std::vector<MeshFrame> frames;
    const std::optional<Duel>& duel = session.simulation().duel();
    if (!duel) return frames;
    const World& world = session.world();
    for (const FencerDef& fencer : duel->definition().fencers) {
        if (!fencer.bend || !world.is_valid(fencer.body)) continue;
        const std::vector<ShapeId> shapes = world.shapes(fencer.body);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            // Back at a step before the first deformation the page needs the old vertices again.
            const auto known = known_.find(shapes[i]);
            if (known == known_.end() && !world.is_deformed(shapes[i])) continue;
            std::string message = encode_mesh(world_index, static_cast<std::uint16_t>(i),
                                              fencer.body.index, world.mesh_vertices(shapes[i]));
            if (known == known_.end() || message != *known->second.message)
                known_[shapes[i]] = {sequence,
                                     std::make_shared<const std::string>(std::move(message))};
            frames.push_back(known_[shapes[i]]);
        }
    }
    return frames;
}

} // namespace rigor::viewer
