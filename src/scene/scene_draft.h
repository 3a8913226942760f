// A scene while it is being read, and the sections that read it. Each section is one file.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/shape_store.h"
#include "rigor/scene.h"
#include "scene/reader.h"

namespace rigor {

inline constexpr std::size_t kMaxBodies = 2'000'000;
inline constexpr int kMaxIncludeDepth = 8;
inline constexpr int kMaxIncludes = 1000;

/// What all files of one scene fill together.
struct SceneDraft {
    Scene scene;
    std::unordered_map<std::string, std::int32_t> bodies; ///< by full name
    std::unordered_map<std::string, std::int32_t> joints; ///< by full name, named ones only
    std::unordered_map<std::string, int> materials;       ///< Material::id by full name
    std::set<std::pair<int, int>> pairs;                  ///< of materials, the smaller id first
    std::set<std::string> patterns;                       ///< names of patterns
    std::map<std::filesystem::path, std::shared_ptr<const TriangleSoup>> meshes;
    /// By mesh and change: the scale of each axis, a thickness.
    std::map<std::pair<std::shared_ptr<const TriangleSoup>, std::array<double, 4>>,
             std::shared_ptr<const TriangleSoup>>
        derived_meshes;
    /// Uses of meshes that were found good, so that a thousand bodies of one mesh check it once.
    std::set<std::tuple<std::shared_ptr<const TriangleSoup>, BodyType, bool, bool, bool, bool>>
        good_meshes;
    std::set<std::shared_ptr<const TriangleSoup>> reported_meshes; ///< their warnings are given
    std::vector<std::filesystem::path> open_files; ///< the scene and the includes that lead here
    int includes = 0;
    KeyRecord* record = nullptr;
};

/// One file of the scene: the scene itself, or one it includes.
struct FileScope {
    SceneDraft& draft;
    std::string name; ///< in messages
    std::filesystem::path folder;
    std::string prefix;                                  ///< put before every name
    Posed pose;                                          ///< of everything in this file
    std::unordered_map<std::string, int> materials = {}; ///< Material::id by name
};

// Sections, in the order they are read.
void read_settings(const Field& field, SettingValues& settings);
void read_materials(const Field& field, FileScope& scope);
void read_pairs(const Field& field, FileScope& scope);
void read_bodies(const Field& field, FileScope& scope);
void read_patterns(const Field& field, FileScope& scope);
void read_includes(const Field& field, FileScope& scope);
void read_joints(const Field& field, FileScope& scope);
void read_forces(const Field& field, FileScope& scope);
void read_duel(const Field& field, FileScope& scope);
std::optional<WindDef> read_wind(const Field& field);
std::optional<PeriodicBox> read_periodic(const Field& field);
std::optional<CameraDef> read_camera(const Field& field);
/// `root` is the file, in which paths of controls lead to values.
void read_controls(const Field& field, const Field& root, Scene& scene);

/// Reads the same scene once more, with further overrides.
using TrialReader = std::function<Result<Scene>(const std::vector<SceneOverride>&)>;
/// Fails at the first control that gives a value which the scene refuses.
void try_controls(const Field& root, const std::vector<SceneControl>& controls,
                  const TrialReader& read);

/// A whole file: the scene when nothing includes it, else its bodies, joints and materials.
void read_file_sections(const Field& root, FileScope& scope, bool is_included);

// What sections share.
/// Fields that are not given stay as in `base`.
Material read_material_fields(ObjectReader& reader, const Material& base);
/// Parts of a compound are made of what it is made of, unless they say otherwise.
ShapeDef read_shape(const Field& field, FileScope& scope, BodyType body_type,
                    const ShapeDef* compound = nullptr);
enum class BodyRole { listed, in_pattern };
/// `shapes`, when asked for, are those the model makes of the body.
SceneBody read_body(const Field& field, FileScope& scope, BodyRole role,
                    std::vector<ShapeRecord>* shapes = nullptr);
LookDef read_look(const Field& field, FileScope& scope);
FractureDef read_fracture(const Field& field);
DriverDef read_driver(const Field& field);
/// A joint without name, bodies and anchor, as a chain repeats it.
JointDef read_joint_template(const Field& field, Scene& scene);
std::optional<SpringDef> read_spring(const Field& field);
std::optional<MotorDef> read_motor(const Field& field);

/// Names a body, moves it to the pose of its file and adds it. `field` is blamed for a name
/// that is taken.
void add_body(SceneBody body, const std::string& name, const Field& field, FileScope& scope);
void add_joint(SceneJoint joint, const std::string& name, const Field& field, FileScope& scope);
/// The index of the body a field names, or kWorld.
std::int32_t find_body(const Field& field, FileScope& scope);
/// Where a file that the scene names is; it counts as one of Scene::files.
Result<std::filesystem::path> find_file(FileScope& scope, const std::string& name);
/// A mesh file of the scene's folder, read once however often it is named.
std::shared_ptr<const TriangleSoup> find_mesh(const Field& field, FileScope& scope);

} // namespace rigor
