// COLLADA and OFF, by Assimp. The only file that knows it.
//
// Of all formats that Assimp reads, only these are used: it walks nested data by recursion and
// opens whatever files a file names, so that each format must first be made safe.

#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/BaseImporter.h>
#include <assimp/importerdesc.h>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <exception>
#include <memory>

#include "geometry/mesh_topology.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

// Nothing else of Assimp is used: its other steps move, merge and drop things by rules of
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

// No file may lead to others.
class NoFiles : public Assimp::IOSystem {
  public:
    bool Exists(const char*) const override { return false; }
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
    void Close(Assimp::IOStream*) override {}
};

// Assimp looks at the beginning of a file as well as at its name: a format that was not asked
// for must not be found there.
void keep_only(Assimp::Importer& importer, std::string_view format) {
    for (std::size_t i = importer.GetImporterCount(); i > 0; --i) {
        const std::string endings = importer.GetImporterInfo(i - 1)->mFileExtensions;
        if (endings.substr(0, endings.find(' ')) == format) continue;
        const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i - 1));
        importer.UnregisterLoader(other.get());
    }
}

// How many elements of an XML text are open at once, at most: an upper bound, which takes
// every end for that of an element only where it must be one.
std::size_t xml_depth(std::string_view text) {
    std::size_t depth = 0, deepest = 0;
    for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at + 1)) {
        if (text.substr(at, 4) == "<!--") {
            at = std::min(text.find("-->", at), text.size());
            continue;
        }
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        const std::size_t end = text.find('>', at);
        if (end == text.npos || next == '!' || next == '?') continue;
        if (next == '/') {
            depth -= depth > 0;
        } else if (text[end - 1] != '/') {
            deepest = std::max(deepest, ++depth);
        }
    }
    return deepest;
}

// What would send Assimp down its own stack without end.
std::optional<Error> find_danger(std::string_view bytes, std::string_view format,
                                 std::string_view name) {
    if (format != "dae") return {};
    constexpr std::size_t kMostNested = 1000;
    const auto fail = [&](ErrorCode code, std::string message) {
        return Error{code, std::string(name), std::move(message)};
    };
    if (bytes.find('\0') != bytes.npos) {
        return fail(ErrorCode::unsupported, "a COLLADA file must be text in UTF-8");
    }
    for (const std::string_view word : {"<instance_node", "<![CDATA[", "<!DOCTYPE"}) {
        if (bytes.find(word) == bytes.npos) continue;
        return fail(ErrorCode::unsupported, std::string(word) + " in a COLLADA file is not read");
    }
    if (const std::size_t depth = xml_depth(bytes); depth > kMostNested) {
        return fail(ErrorCode::limit, "elements must be nested at most " +
                                          std::to_string(kMostNested) + " deep, got " +
                                          std::to_string(depth));
    }
    return {};
}

} // namespace

bool is_for_assimp(std::string_view format) {
    return format == "dae" || format == "off";
}

Result<TriangleSoup> read_with_assimp(std::string_view bytes, std::string_view format,
                                      std::string_view name) {
    if (const std::optional<Error> danger = find_danger(bytes, format, name)) return *danger;
    const auto fail = [&](std::string message) {
        return Error{ErrorCode::syntax, std::string(name), std::move(message)};
    };
    try {
        Assimp::Importer importer;
        importer.SetIOHandler(new NoFiles); // which the importer deletes
        keep_only(importer, format);
        const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), kSteps,
                                                           std::string(format).c_str());
        if (!scene || !scene->mRootNode) {
            const std::string why = importer.GetErrorString();
            return fail("cannot be read: " + (why.empty() ? "it holds no scene" : why));
        }
        return SceneReader(*scene, name).read();
    } catch (const std::exception& problem) {
        return fail(std::string("cannot be read: ") + problem.what());
    }
}

} // namespace rigor
