// Meshes made of another one: scaled, or an open sheet with a thickness.
#pragma once

#include "scene/scene_draft.h"

namespace rigor {

/// Reads `scale`, a factor or one for each axis; {1, 1, 1} when it is not given.
Vec3d read_scale(const Field& scale);

/// The mesh itself where nothing changes. Equal changes of one mesh share the result, as bodies of
/// one file share its mesh. Errors are those of `field`.
std::shared_ptr<const TriangleSoup> scaled_mesh(std::shared_ptr<const TriangleSoup> mesh,
                                                const Vec3d& scale, SceneDraft& draft);
std::shared_ptr<const TriangleSoup> thickened_mesh(std::shared_ptr<const TriangleSoup> mesh,
                                                   const Field& thickness, SceneDraft& draft);

} // namespace rigor
