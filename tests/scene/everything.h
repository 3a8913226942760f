// A scene that uses every kind of object of the format, each with every key it may have at
// once, and the files it names.
#pragma once

#include <string>

#include "scene_test_support.h"

namespace rigor::test {

inline void write_files_of_everything(const TemporaryFolder& folder) {
    folder.write("meshes/tetra.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    folder.write("hills.txt", "0 1, 0\n1 2 1\n");
    folder.write("part.json", R"({ "rigor": 1, "name": "part",
        "materials": { "steel": { "density": 7800 } },
        "bodies": [ { "name": "ball", "velocity": [1, 0, 0],
                      "shapes": [ { "type": "sphere", "radius": 1, "material": "steel" } ] } ],
        "joints": [ { "type": "ball", "a": "ball", "anchor": [0, 0, 1] } ] })");
}

inline const char* const kEverything = R"json({
  "$schema": "scene.schema.json",
  "rigor": 1, "name": "everything", "about": "every key", "gravity": [0, 0, -1],
  "method": "faithful", "time_step": 0.01,
  "settings": { "integrator": "rk4", "substeps": 2, "impact": "energetic", "multi": "reflections",
    "resting": "cone", "detection": "advancement", "tolerance": 1e-9, "max_events": 1000,
    "max_wall_seconds": 10, "max_run_seconds": 100, "delta": 1e-3, "penalty_depth": 1e-3,
    "separation_distance": 1e-3 },
  "materials": {
    "wood": { "friction": 0.5, "restitution": 0.2, "density": 700, "rolling_resistance": 0.001,
      "torsional_friction": 0.01, "surface_velocity": [1, 0, 0],
      "anisotropy": { "axis": [1, 0, 0], "ratio": 2 } },
    "ice": { "static_friction": 0.1, "kinetic_friction": 0.05 } },
  "pairs": [ { "a": "wood", "b": "ice", "friction": 0.05, "restitution": 0.5 } ],
  "bodies": [
    { "name": "ground", "type": "static", "shapes": [
      { "type": "plane", "normal": [0, 0, 2], "offset": 1, "material": "wood" },
      { "type": "height_field", "size": [2, 1], "samples": [[0, 1, 0], [1, 2, 1]] },
      { "type": "height_field", "size": [2, 1], "file": "hills.txt" },
      { "type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]] } ] },
    { "name": "all", "type": "dynamic", "position": [1, 2, 3],
      "orientation": [1, 0, 0, 0], "velocity": [1, 0, 0], "angular_velocity": [0, 1, 0],
      "mass": 5, "lock": ["tx", "rz"], "linear_damping": 0.1, "angular_damping": 0.2,
      "gravity_scale": 0.5, "can_sleep": false, "continuous": true, "group": 2, "mask": 4294967295,
      "tag": "hero", "look": { "mesh": "meshes/tetra.obj", "color": "#ff0000" },
      "fracture": { "pieces": 20, "seed": 1, "impulse": 50, "at_impact": true, "min_size": 0.1,
        "energy": 3 },
      "shapes": [
        { "type": "sphere", "radius": 1, "position": [0, 0, 1], "hollow": true, "sensor": false,
          "orientation": { "axis": [0, 0, 1], "angle": 1 }, "color": [1, 0.5, 0], "rounding": 0.1,
          "friction": 0.1, "restitution": 0.2, "density": 3, "rolling_resistance": 0,
          "torsional_friction": 0, "surface_velocity": [0, 0, 0] },
        { "type": "box", "size": [1, 2, 3], "rounding": 0.1, "static_friction": 0.5,
          "kinetic_friction": 0.25 },
        { "type": "capsule", "radius": 1, "length": 2, "material": "wood" },
        { "type": "cylinder", "radius": 1, "height": 2,
          "orientation": { "axis": [0, 0, 1], "angle_deg": 30 } },
        { "type": "cone", "radius": 1, "height": 2,
          "orientation": { "euler_zxz_deg": [10, 20, 30] } },
        { "type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] },
        { "type": "hull", "file": "meshes/tetra.obj" },
        { "type": "mesh", "file": "meshes/tetra.obj" },
        { "type": "decomposed", "file": "meshes/tetra.obj", "concavity": 0.1 },
        { "type": "compound", "density": 7, "shapes": [ { "type": "sphere", "radius": 1 } ] } ] },
    { "name": "given", "plane": "xz", "mass_properties":
      { "mass": 1, "center_of_mass": [0, 0, 1], "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] } },
    { "name": "moved", "type": "kinematic",
      "driver": { "keyframes": [[0, [0, 0, 0]], [1, [0, 0, 1], [1, 0, 0, 0]]], "loop": true } },
    { "name": "steered", "type": "kinematic", "driver": { "input": "mouse", "grip": 2, "grid": [
      [[0, 0, 0]], [[1, 0, 0]], [[2, 0, 0]], [[0, 1, 0]], [[1, 1, 0]], [[2, 1, 0]],
      [[0, 2, 0]], [[1, 2, 0]], [[2, 2, 0], [1, 0, 0, 0]]] } },
    { "name": "scripted", "shapes": [ { "type": "sphere", "radius": 0.1 } ],
      "driver": { "script": [[0, 0, 0], [1, 1, -1]], "loop": true, "speed": 3, "grid": [
      [[0, 9, 0]], [[1, 9, 0]], [[2, 9, 0]], [[0, 8, 0]], [[1, 8, 0]], [[2, 8, 0]],
      [[0, 7, 0]], [[1, 7, 0]], [[2, 7, 0]]] } },
    { "name": "bent", "type": "static", "shapes": [ { "type": "mesh", "file": "meshes/tetra.obj" } ] }
  ],
  "duel": { "rounds": 5, "pause": 2, "fencers": [
    { "name": "red", "weapon": "scripted", "body": "bent", "bend": { "waist": [0, 0, 0],
      "neck": [0, 0, 2], "lean": 0.4, "twist": 0.3, "max_angle_deg": 20 } },
    { "name": "blue", "weapon": "steered", "body": "given",
      "opponent": { "seed": 7, "skill": 0.25, "interval": 2 } } ] },
  "generate": [
    { "pattern": "stack", "name": "s", "position": [0, 0, 1], "count": 3, "offset": [0.1, 0, 0],
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "grid", "count": [2, 2, 2], "spacing": 3, "jitter": 0.1, "tilt": 0.2, "seed": 7,
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "pyramid", "base": 3, "gap": 0.2, "inverted": true,
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "wall", "count": 2, "length": 3, "gap": 0.1,
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "diamond", "side": 2,
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "pile", "count": 5, "region": [[0, 0, 0], [10, 10, 10]], "jitter": [0.1, 0.1, 0],
      "tilt": 0.2, "seed": 7, "bodies": [ { "shapes": [ { "type": "sphere", "radius": 1 } ] },
                  { "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ] },
    { "pattern": "chain", "count": 3, "axis": [0, 0, -1], "fixed": "both",
      "joint": { "type": "hinge", "axis": [0, 1, 0], "limits": [-1, 1] },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c2", "count": 3, "joint": "fixed",
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c3", "count": 2, "joint": { "type": "ball", "friction": 1 },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c4", "count": 2, "joint": { "type": "slider", "axis": [1, 0, 0] },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c5", "count": 2, "joint": { "type": "fixed" },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c6", "count": 2, "joint": { "type": "distance", "range": [0, 1] },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c7", "count": 2,
      "joint": { "type": "cone_twist", "axis": [1, 0, 0], "cone": 0.5, "twist": [-1, 1] },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c8", "count": 2, "joint": { "type": "six_dof" },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "chain", "name": "c9", "count": 2, "joint": { "type": "wheel", "axis": [0, 1, 0] },
      "body": { "shapes": [ { "type": "sphere", "radius": 1 } ] } },
    { "pattern": "domino", "count": 3, "spacing": 2,
      "body": { "shapes": [ { "type": "box", "size": [1, 1, 2] } ] } },
    { "pattern": "vehicle", "clearance": 0.3, "wheels": [[1, 1], [1, -1], [-1, 1], [-1, -1]],
      "steered": [0, 1], "driven": [2, 3], "travel": [-0.1, 0.1], "drive_force": 100,
      "suspension": { "frequency_hz": 2, "damping_ratio": 0.7 },
      "wheel": { "orientation": { "axis": [1, 0, 0], "angle_deg": 90 },
                 "shapes": [ { "type": "cylinder", "radius": 0.4, "height": 0.2 } ] },
      "body": { "shapes": [ { "type": "box", "size": [3, 1.5, 0.5] } ] } },
    { "pattern": "vehicle", "name": "car", "position": [20, 0, 0], "wheels": [[1, 0], [-1, 0]],
      "steered": [0], "driven": [1], "brake": 500, "max_steer": 0.4, "steer_rate": 1,
      "ackermann": false, "drag": 0.4, "ray_cast": true,
      "hand_brake": { "torque": 300, "wheels": [1] },
      "tire": { "friction": 0.9, "longitudinal_stiffness": 25, "lateral_stiffness": 12,
                "relaxation_length": 0.4, "load_sensitivity": 0.1, "reference_load": 3000,
                "rolling_resistance": 0.003 },
      "engine": { "torque": [[1000, 100], [5000, 150]], "idle_rpm": 800, "redline_rpm": 5500,
                  "braking": 20, "gears": [3, 1.5], "reverse": 3, "final_drive": 4,
                  "efficiency": 0.9, "shift_up_rpm": 4500, "shift_down_rpm": 2000,
                  "shift_time": 0.1 },
      "drive": [ { "t": 0, "throttle": 1, "steer": 0.5 },
                 { "t": 2, "brake": 1, "hand_brake": true, "gear": 1 } ],
      "wheel": { "orientation": { "axis": [1, 0, 0], "angle_deg": 90 },
                 "shapes": [ { "type": "cylinder", "radius": 0.4, "height": 0.2 } ] },
      "body": { "shapes": [ { "type": "box", "size": [3, 1.5, 0.5] } ] } }
  ],
  "include": [ { "file": "part.json", "prefix": "left.", "position": [5, 0, 0],
                 "orientation": { "axis": [0, 0, 1], "angle_deg": 90 } } ],
  "joints": [
    { "name": "j0", "type": "ball", "a": "all", "b": "ground", "anchor": [0, 0, 0],
      "spring": { "frequency_hz": 5, "damping_ratio": 1 }, "friction": 1, "break_force": 100,
      "break_torque": 100, "collide": true },
    { "name": "j1", "type": "hinge", "a": "all", "b": "world", "anchor": [0, 0, 0], "axis": [0, 1, 0],
      "limits": [-1, 1], "motor": { "target_velocity": 1, "max_force": 10 } },
    { "name": "j2", "type": "slider", "a": "all", "b": "s[0]", "axis": [0, 1, 0],
      "motor": { "target_position": 1 } },
    { "type": "fixed", "a": "s[0]", "b": "s[1]" },
    { "type": "distance", "a": "s[0]", "b": "s[2]", "length": 2, "anchor_b": [0, 0, 9] },
    { "type": "cone_twist", "a": "s[0]", "anchor": [0, 0, 0], "axis": [0, 0, 1], "cone": 0.5,
      "twist": 0.2 },
    { "type": "six_dof", "a": "s[0]", "anchor": [0, 0, 0], "frame": [1, 0, 0, 0],
      "limits": { "tx": [0, 1], "ty": "free", "tz": "locked", "rx": [-1, 1] } },
    { "type": "wheel", "a": "s[0]", "anchor": [0, 0, 0], "axis": [0, 1, 0], "steer_axis": [0, 0, 1] },
    { "type": "gear", "joints": ["j1", "j2"], "ratio": 2 },
    { "type": "track", "a": "left.ball", "curve": [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
      "closed": true } ],
  "forces": [
    { "body": "all", "force": [1, 0, 0], "point": [0, 0, 1], "from": 1, "to": 2 },
    { "body": "all", "torque": [1, 0, 0] }, { "body": "all", "acceleration": [1, 0, 0] } ],
  "wind": { "velocity": [1, 0, 0], "density": 1, "drag_coefficient": 0.5,
    "whirl": { "center": [0, 0, 0], "axis": [0, 0, 1], "radius": 2, "speed": 5, "inflow": 1,
               "updraft": 2, "height": 30 } },
  "periodic": [[0, 0, 0], [10, 10, 10]],
  "camera": { "position": [1, 2, 3], "target": [0, 0, 0], "up": [0, 0, 1], "fov_deg": 60 }
})json";

} // namespace rigor::test
