// rigor new: a commented starter scene.

#include <filesystem>

#include "command.h"
#include "output.h"

namespace rigor::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStarterScene = R"({
  // A scene: bodies, what they are made of, and how they are joined. Units are SI, z is up.
  // Everything that may stand here: docs/scenes.md.
  "rigor": 1,
  "name": "@name@",
  "about": "A ball rolls into a stack of boxes beside a swinging arm.",

  // "fast" for many bodies at interactive speed, "faithful" for exact contact laws.
  "method": "fast",
  "gravity": [0, 0, -9.81],
  "time_step": 0.016666666666666666,

  "materials": {
    "wood": { "friction": 0.5, "restitution": 0.1, "density": 700 },
    "rubber": { "friction": 0.9, "restitution": 0.6, "density": 1100 }
  },

  "bodies": [
    // Static bodies never move. A plane is solid below.
    { "name": "floor", "type": "static",
      "shapes": [ { "type": "plane", "normal": [0, 0, 1], "offset": 0, "material": "wood" } ] },

    // Mass and inertia of a dynamic body follow from its shapes and their density.
    { "name": "ball", "type": "dynamic", "position": [-4, 0, 0.3], "velocity": [6, 0, 0],
      "shapes": [ { "type": "sphere", "radius": 0.3, "material": "rubber" } ] },

    { "name": "arm", "type": "dynamic", "position": [0.6, 1.5, 2],
      "shapes": [ { "type": "box", "size": [1.2, 0.1, 0.1], "material": "wood" } ] }
  ],

  // Several bodies at once: a stack of five boxes. "grid", "pyramid", "wall", "pile" are others.
  "generate": [
    { "name": "tower", "pattern": "stack", "count": 5, "position": [0, 0, 0],
      "body": { "shapes": [ { "type": "box", "size": [0.4, 0.4, 0.4], "material": "wood" } ] } }
  ],

  // The anchor is in world coordinates, at the start.
  "joints": [
    { "name": "pivot", "type": "hinge", "a": "world", "b": "arm",
      "anchor": [0, 1.5, 2], "axis": [0, 1, 0] }
  ],

  "camera": { "position": [6, -8, 4], "target": [0, 0, 1] }
}
)";

/// The text for a scene of this name, in the quotes of JSON.
std::string starter_scene(const std::string& name) {
    std::string text = kStarterScene;
    const std::string quoted = Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::string place = "\"@name@\"";
    return text.replace(text.find(place), place.size(), quoted);
}

} // namespace

int new_command(const NewOptions& options) {
    fs::path path(options.name);
    if (path.extension() != ".json") path += ".json";
    std::error_code failed;
    if (fs::exists(fs::symlink_status(path, failed)))
        return fail({ErrorCode::invalid_value, path.string(),
                     "there is such a file already; rigor new does not overwrite it"});
    if (const auto written = write_text(path.string(), starter_scene(path.stem().string()));
        !written)
        return fail(written.error());
    const auto told = print("wrote " + path.string() + "\n  rigor view " + path.string() +
                            "   opens it in the browser, again whenever the file changes\n" +
                            "  rigor run " + path.string() + "    runs it and prints a summary\n");
    return told ? done : fail(told.error());
}

} // namespace rigor::app
