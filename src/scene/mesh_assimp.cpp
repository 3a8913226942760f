// glTF and the many other formats Assimp reads. The only file that knows Assimp.

#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <exception>

#include "geometry/mesh_topology.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

// Nothing more is asked of Assimp: its other steps move, merge and drop things by rules of
// their own. Points and lines are sorted out of the faces.
constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_SortByPType;

// One mesh may stand in many nodes, so that a small file can grow without bound.
constexpr std::size_t kMostTriangles = std::size_t(1) << 26;

struct Placed {
    const aiNode* node;
    aiMatrix4x4 to_scene;
};

Vec3d place(const aiMatrix4x4& m, const aiVector3D& v) {
    const auto d = [](float f) { return static_cast<double>(f); };
    return {d(m.a1) * d(v.x) + d(m.a2) * d(v.y) + d(m.a3) * d(v.z) + d(m.a4),
            d(m.b1) * d(v.x) + d(m.b2) * d(v.y) + d(m.b3) * d(v.z) + d(m.b4),
            d(m.c1) * d(v.x) + d(m.c2) * d(v.y) + d(m.c3) * d(v.z) + d(m.c4)};
}

class SceneReader {
  public:
    SceneReader(const aiScene& scene, std::string_view name) : scene_(scene), name_(name) {}

    // Node by node, parents first; without recursion, for a file may nest as deep as it likes.
    Result<TriangleSoup> read() {
        std::vector<Placed> waiting{{scene_.mRootNode, {}}};
        while (!waiting.empty()) {
            const Placed placed = waiting.back();
            waiting.pop_back();
            const aiMatrix4x4 to_scene = placed.to_scene * placed.node->mTransformation;
            for (unsigned i = 0; i < placed.node->mNumMeshes; ++i) {
                const auto error = add_mesh(*scene_.mMeshes[placed.node->mMeshes[i]], to_scene);
                if (error) return *error;
            }
            for (unsigned i = placed.node->mNumChildren; i > 0; --i) {
                waiting.push_back({placed.node->mChildren[i - 1], to_scene});
            }
        }
        if (soup_.triangles.empty())
            return fail(ErrorCode::invalid_value, "the file has no triangles");
        return weld(soup_);
    }

  private:
    std::optional<Error> add_mesh(const aiMesh& mesh, const aiMatrix4x4& to_scene) {
        if (soup_.triangles.size() + mesh.mNumFaces > kMostTriangles) {
            return fail(ErrorCode::limit, "the scene of the file has more than 2^26 triangles");
        }
        const auto offset = static_cast<std::uint32_t>(soup_.vertices.size());
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            soup_.vertices.push_back(place(to_scene, mesh.mVertices[v]));
            if (is_finite(soup_.vertices.back())) continue;
            return fail(ErrorCode::invalid_value,
                        "coordinates must be finite, but those of vertex " + std::to_string(v) +
                            " of mesh " + quoted_word(mesh.mName.C_Str()) + " are not");
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices != 3) continue; // points and lines
            for (unsigned i = 0; i < 3; ++i) {
                if (face.mIndices[i] < mesh.mNumVertices) continue;
                return fail(ErrorCode::invalid_value,
                            "face refers to vertex " + std::to_string(face.mIndices[i]) +
                                ", but there are " + std::to_string(mesh.mNumVertices));
            }
            soup_.triangles.push_back(
                {offset + face.mIndices[0], offset + face.mIndices[1], offset + face.mIndices[2]});
        }
        return {};
    }

    Error fail(ErrorCode code, std::string message) const {
        return {code, std::string(name_), std::move(message)};
    }

    const aiScene& scene_;
    std::string_view name_;
    TriangleSoup soup_;
};

// Runs the import and keeps all that Assimp may throw from getting out.
template <class Import>
Result<TriangleSoup> import_scene(std::string_view name, const Import& import) {
    const auto fail = [&](std::string message) {
        return Error{ErrorCode::syntax, std::string(name), std::move(message)};
    };
    try {
        Assimp::Importer importer;
        const aiScene* scene = import(importer);
        if (!scene || !scene->mRootNode) {
            std::string why = importer.GetErrorString();
            return fail("cannot be read: " + (why.empty() ? "it holds no scene" : why));
        }
        return SceneReader(*scene, name).read();
    } catch (const std::exception& problem) {
        return fail(std::string("cannot be read: ") + problem.what());
    }
}

} // namespace

bool is_known_to_assimp(std::string_view format) {
    return Assimp::Importer().IsExtensionSupported("." + std::string(format));
}

Result<TriangleSoup> read_with_assimp(std::string_view bytes, std::string_view format,
                                      std::string_view name) {
    return import_scene(name, [&](Assimp::Importer& importer) {
        return importer.ReadFileFromMemory(bytes.data(), bytes.size(), kSteps,
                                           std::string(format).c_str());
    });
}

Result<TriangleSoup> read_file_with_assimp(const std::string& path) {
    return import_scene(
        path, [&](Assimp::Importer& importer) { return importer.ReadFile(path, kSteps); });
}

} // namespace rigor
