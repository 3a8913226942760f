// Scenes: the content of a scene file as plain definitions.
//
// Text in, definitions out: nothing here steps or collides. The format is described in
// docs/scenes.md and docs/scene.schema.json.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rigor/body.h"
#include "rigor/driver.h"
#include "rigor/duel.h"
#include "rigor/export.h"
#include "rigor/fracture.h"
#include "rigor/joint.h"
#include "rigor/material.h"
#include "rigor/pose.h"
#include "rigor/result.h"
#include "rigor/settings.h"
#include "rigor/settings_table.h"
#include "rigor/vehicle.h"
#include "rigor/wind.h"

namespace rigor {

/// Appearance of a body, drawn instead of its shapes.
struct LookDef {
    std::string mesh;        ///< a mesh file that exists; empty: the shapes are drawn
    std::uint32_t color = 0; ///< as Material::color
};

struct SceneBody {
    BodyDef def;
    std::string tag;
    std::optional<LookDef> look;
    std::optional<FractureDef> fracture;
    std::optional<DriverDef> driver;
};

/// A joint before its bodies exist: indices instead of ids.
struct SceneJoint {
    static constexpr std::int32_t kWorld = -1;

    JointDef def;            ///< its ids are null
    std::int32_t a = kWorld; ///< into Scene::bodies
    std::int32_t b = kWorld;
    std::int32_t gear_a = -1; ///< into Scene::joints
    std::int32_t gear_b = -1;
};

struct NamedMaterial {
    std::string name;
    Material material; ///< its id is the index in Scene::materials
};

/// A load on one body; exactly one of the three vectors is given. World axes.
struct SceneForce {
    std::int32_t body = 0; ///< into Scene::bodies
    std::optional<Vec3d> force;
    std::optional<Vec3d> torque;
    std::optional<Vec3d> acceleration;
    std::optional<Vec3d> point; ///< where a force acts, body frame; none: the center of mass
    double from = 0;            ///< s
    double to = std::numeric_limits<double>::infinity();
};

struct CameraDef {
    Vec3d position{10, -10, 5};
    Vec3d target;
    Vec3d up{0, 0, 1};
    double fov_deg = 45; ///< vertical
};

enum class ControlType { slider, toggle /* "switch" */, button, choice };

using ControlValue = std::variant<bool, double, std::string>;

/// Something that the page of the simulator offers for a scene. Either it gives a value of the
/// scene another one, which is SceneOverride{path, json_text(value)}, or it is a button with an
/// action.
struct SceneControl {
    ControlType type = ControlType::slider;
    std::string label;                ///< unique among the controls of a scene
    std::string unit;                 ///< empty: none
    std::string path;                 ///< as SceneOverride::path; empty: a button
    std::string action;               ///< of a button: one of control_actions()
    Range range;                      ///< of a slider
    double step = 0;                  ///< of a slider; 0: any value
    std::vector<ControlValue> values; ///< of a choice; of a switch: off, on
    ControlValue value;               ///< that the scene has
};

/// As it is written in a scene file.
RIGOR_API std::string json_text(const ControlValue& value);
/// What the button of a scene may do.
RIGOR_API const std::vector<std::string>& control_actions();

/// What the driver of a vehicle does from a time on.
struct DriveKeyframe {
    double time = 0; ///< s
    VehicleInput input;
};

/// A vehicle made by a `vehicle` pattern.
struct SceneVehicle {
    std::string name;
    std::int32_t chassis = 0;          ///< into Scene::bodies
    std::vector<std::int32_t> wheels;  ///< into Scene::joints; none when rays are cast
    std::vector<bool> steered, driven; ///< for each wheel
    VehicleDef def;                    ///< its ids are null
    std::vector<DriveKeyframe> drive;  ///< times ascend; empty: no input
};

/// As FencerDef and DuelDef, before the bodies exist.
struct SceneFencer {
    std::string name;
    std::int32_t weapon = 0; ///< into Scene::bodies
    std::int32_t body = 0;   ///< into Scene::bodies
    std::optional<OpponentDef> opponent;
    std::optional<BendDef> bend;
};

struct SceneDuel {
    std::array<SceneFencer, 2> fencers;
    int rounds = DuelDef{}.rounds;
    double pause = DuelDef{}.pause;
};

struct Scene {
    std::string name;
    std::string about;
    Vec3d gravity{0, 0, -9.81};
    std::string method = "fast"; ///< one of scene_methods()
    double time_step = 1.0 / 60.0;
    SettingValues settings; ///< others have the default of the method
    std::vector<NamedMaterial> materials;
    std::vector<MaterialPair> pairs;
    std::vector<SceneBody> bodies; ///< names are unique
    std::vector<SceneJoint> joints;
    std::vector<SceneForce> forces;
    std::vector<SceneVehicle> vehicles;
    std::optional<SceneDuel> duel;
    std::optional<WindDef> wind;
    std::optional<PeriodicBox> periodic;
    std::optional<CameraDef> camera;
    std::vector<SceneControl> controls;
    std::vector<std::string> warnings;        ///< what is legal but probably not meant
    std::vector<std::filesystem::path> files; ///< that the scene names: meshes, includes
};

/// The names `method` may have. "free" is motion without contacts.
RIGOR_API const std::vector<std::string>& scene_methods();

/// As `--set PATH=VALUE`: applied to the text of the scene before it is read.
struct SceneOverride {
    std::string path;        ///< `settings.substeps`, `gravity[2]`, `bodies[0].mass`
    std::string value;       ///< JSON, or a bare word taken as a string
    std::string origin = {}; ///< the flag that messages name; empty: "--set PATH"
};

struct LoadOptions {
    std::vector<SceneOverride> overrides; ///< applied in this order
};

/// Reads a scene file and all files it names, which must lie in its folder or below.
///
/// Fails with file, line, column, the path of the value, the rule and the value found; a scene is
/// read completely or not at all. Linear in the size of the files and the number of bodies.
RIGOR_API Result<Scene> load_scene(const std::filesystem::path& path,
                                   const LoadOptions& options = {});

/// The same for a text; `name` stands for the file in messages. Without a folder the scene cannot
/// refer to files.
RIGOR_API Result<Scene> parse_scene(std::string text, const std::string& name,
                                    const std::filesystem::path& folder = {},
                                    const LoadOptions& options = {});

} // namespace rigor
