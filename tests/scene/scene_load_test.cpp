// What a scene file says is what the definitions hold.
#include "everything.h"
#include "rigor/rotation.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

namespace fs = std::filesystem;

// The first published example of the format, word for word. Its pair names "ice", which is defined
// nowhere: a warning, since the other half of a pair may simply not be part of this scene.
TEST(SceneLoad, ReadsTheExampleOfTheContract) {
    const Scene scene = parsed(R"({
      "rigor": 1, "name": "see-saw", "about": "Kenwright figure 3c: a plank on a wedge, two loads",
      "gravity": [0, 0, -9.81], "method": "fast", "time_step": 0.01666666666666667,
      "settings": { "substeps": 4 },
      "materials": { "wood": { "friction": 0.5, "restitution": 0.2, "density": 700 } },
      "pairs": [ { "a": "wood", "b": "ice", "friction": 0.05 } ],
      "bodies": [
        { "name": "floor", "type": "static",
          "shapes": [ { "type": "plane", "normal": [0, 0, 1], "offset": 0, "material": "wood" } ] },
        { "name": "plank", "type": "dynamic", "position": [0, 0, 1.05],
          "orientation": { "axis": [0, 1, 0], "angle_deg": 5 },
          "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
          "shapes": [ { "type": "box", "size": [4, 0.6, 0.1], "material": "wood" } ] } ],
      "joints": [
        { "name": "pin", "type": "hinge", "a": "plank", "b": "floor", "anchor": [0, 0, 1],
          "axis": [0, 1, 0] } ],
      "generate": [
        { "name": "heap", "pattern": "pyramid", "base": 10, "position": [6, 0, 0],
          "body": { "shapes": [ { "type": "box", "size": [1, 1, 1], "material": "wood" } ] } } ]
    })");
    EXPECT_EQ(scene.name, "see-saw");
    EXPECT_EQ(scene.method, "fast");
    EXPECT_EQ(scene.settings.find_as<std::int64_t>("substeps"), 4);
    EXPECT_EQ(scene.settings.find("integrator"), nullptr);
    ASSERT_EQ(scene.bodies.size(), 57u);
    EXPECT_EQ(scene.bodies[2].def.name, "heap[0]");
    const BodyDef& plank = scene.bodies[1].def;
    EXPECT_EQ(plank.shapes[0].material.restitution, 0.2);
    EXPECT_EQ(plank.shapes[0].material.id, 0);
    EXPECT_NEAR(plank.orientation.y, std::sin(2.5 * 3.14159265358979323846 / 180), 1e-15);
    ASSERT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.joints[0].a, 1);
    EXPECT_EQ(scene.joints[0].b, 0);
    EXPECT_EQ(scene.joints[0].def.type(), JointType::hinge);
    EXPECT_THAT(scene.warnings, testing::ElementsAre(testing::HasSubstr("\"ice\"")));
    EXPECT_TRUE(scene.pairs.empty());
}

// What a scene says and nothing obeys is told by name, and what acts is not.
TEST(SceneLoad, WarnsOfForcesVelocitiesAndJointsWithoutEffect) {
    const auto warnings = [](const std::string& fields, const std::string& sections = "") {
        const std::string shapes = R"("shapes": [ { "type": "sphere", "radius": 1 } ])";
        return parsed(scene_with(R"("bodies": [ { "name": "b", )" + shapes + fields + "} ]" +
                                 sections))
            .warnings;
    };
    const std::string driver = R"(, "driver": { "keyframes": [[0, [0, 0, 0], [1, 0, 0, 0]]] })";
    for (const std::string load : {"force", "torque", "acceleration"}) {
        const std::string forces =
            R"(, "forces": [ { "body": "b", ")" + load + R"(": [1, 0, 0] } ])";
        EXPECT_TRUE(warnings("", forces).empty());
        for (const std::string type : {"static", "kinematic"})
            EXPECT_THAT(warnings(R"(, "type": ")" + type + "\"", forces),
                        testing::ElementsAre(
                            "forces[0]: does not act on the body \"b\", which is " + type));
        EXPECT_THAT(warnings(driver, forces),
                    testing::ElementsAre("forces[0]: does not act on the body \"b\", whose driver "
                                         "decides how fast it is"));
    }
    for (const std::string key : {"velocity", "angular_velocity"}) {
        const std::string given = ", \"" + key + "\": [1, 0, 0]";
        EXPECT_TRUE(warnings(given).empty());
        EXPECT_THAT(warnings(given + driver),
                    testing::ElementsAre("bodies[0]: " + key +
                                         " does not apply to a driven body: its driver decides how "
                                         "fast it is"));
    }
    const std::string joints =
        R"(, "joints": [ { "type": "fixed", "a": "b", "anchor": [0, 0, 0] } ])";
    EXPECT_TRUE(warnings("", joints).empty());
    EXPECT_THAT(warnings(R"(, "type": "static")", joints),
                testing::ElementsAre("joints[0]: moves nothing, since it joins no dynamic body"));
}

TEST(SceneLoad, WarnsOfPairsWhoseMaterialIsNotDefined) {
    const std::string sections =
        R"("materials": { "ice": {} }, "pairs": [ { "a": "ice", "b": "wood", "friction": 0.1 } ])";
    EXPECT_THAT(
        parsed(scene_with(sections)).warnings,
        testing::Contains("pairs[0].b: the material \"wood\" is not defined; the pair is ignored"));
}

TEST(SceneLoad, EveryGallerySceneLoads) {
    for (const auto& file : fs::directory_iterator(fs::path(RIGOR_SOURCE_DIR) / "scenes")) {
        if (file.path().extension() != ".json") continue;
        const Result<Scene> scene = load_scene(file.path());
        EXPECT_TRUE(scene.ok()) << to_string(scene.error());
        if (!scene) continue;
        EXPECT_FALSE(scene->name.empty()) << file.path();
        EXPECT_GT(scene->about.size(), 40u) << file.path();
        EXPECT_TRUE(scene->warnings.empty()) << file.path();
    }
}

TEST(SceneLoad, DefaultsAreThoseOfTheContract) {
    const Scene scene = parsed(scene_of_body(R"({"shapes": [{"type": "sphere", "radius": 1}]})"));
    EXPECT_EQ(scene.gravity, (Vec3d{0, 0, -9.81}));
    EXPECT_EQ(scene.method, "fast");
    EXPECT_EQ(scene.time_step, 1.0 / 60);
    const BodyDef& body = scene.bodies[0].def;
    EXPECT_EQ(body.name, "bodies[0]");
    EXPECT_EQ(body.type, BodyType::dynamic_body);
    EXPECT_EQ(body.gravity_scale, 1);
    EXPECT_TRUE(body.can_sleep);
    EXPECT_EQ(body.mask, 0xFFFFFFFFu);
    const Material& material = body.shapes[0].material;
    EXPECT_EQ(material.static_friction, 0.5);
    EXPECT_EQ(material.kinetic_friction, 0.5);
    EXPECT_EQ(material.restitution, 0);
    EXPECT_EQ(material.density, 1000);
    EXPECT_EQ(material.id, -1);
}

TEST(SceneLoad, AMaterialIsANameOrAnObjectOrFieldsOfTheShape) {
    const auto material_of = [](const std::string& fields) {
        return parsed(scene_with(R"("materials": {"wood": {"friction": 0.3, "density": 700}}, )"
                                 R"("bodies": [{"shapes": [{"type": "sphere", "radius": 1, )" +
                                 fields + "}]}]"))
            .bodies[0]
            .def.shapes[0]
            .material;
    };
    for (const std::string fields :
         {R"("material": "wood")", R"("material": {"friction": 0.3, "density": 700})",
          R"("friction": 0.3, "density": 700)"}) {
        SCOPED_TRACE(fields);
        const Material material = material_of(fields);
        EXPECT_EQ(material.static_friction, 0.3);
        EXPECT_EQ(material.kinetic_friction, 0.3);
        EXPECT_EQ(material.density, 700);
    }
    EXPECT_EQ(refusal(scene_of_body(
                  R"({"shapes": [{"type": "sphere", "radius": 1, "material": {"fricton": 1}}]})")),
              "scene.json:2:70: bodies[0].shapes[0].material has an unknown key \"fricton\"; did "
              "you mean \"friction\"?");
}

// The three ways to write a quarter turn about z agree.
TEST(SceneLoad, OrientationFormsAgree) {
    const auto turn = [](const std::string& form) {
        return parsed(scene_of_body("{\"type\": \"static\", \"orientation\": " + form + "}"))
            .bodies[0]
            .def.orientation;
    };
    const double h = std::sqrt(0.5);
    for (const char* form :
         {"[0.70710678118654752, 0, 0, 0.70710678118654752]",
          R"({"axis": [0, 0, 3], "angle": 1.5707963267948966})",
          R"({"axis": [0, 0, 1], "angle_deg": 90})", R"({"euler_zxz_deg": [60, 0, 30]})"}) {
        const Quatd q = turn(form);
        EXPECT_NEAR(q.w, h, 1e-15) << form;
        EXPECT_NEAR(q.z, h, 1e-15) << form;
    }
    // About z by 90, then about the new x by 90: the body's z points along the world's x.
    const Vec3d z = rotate(turn(R"({"euler_zxz_deg": [90, 90, 0]})"), Vec3d{0, 0, 1});
    EXPECT_NEAR(length(z - Vec3d{1, 0, 0}), 0, 1e-15);
    // About x by 90, then about the new y, which is the world's z, by 90.
    const Quatd xyz = turn(R"({"euler_xyz_deg": [90, 90, 0]})");
    EXPECT_NEAR(length(rotate(xyz, Vec3d{0, 0, 1}) - Vec3d{1, 0, 0}), 0, 1e-15);
    EXPECT_NEAR(length(rotate(xyz, Vec3d{1, 0, 0}) - Vec3d{0, 1, 0}), 0, 1e-15);
}

TEST(SceneLoad, MeshesAndHullsAreScaled) {
    Scene scene = parsed(R"({ "rigor": 1, "name": "scaled", "bodies": [
      { "name": "hull", "shapes": [ { "type": "hull", "scale": [1, 2, 3], "density": 1,
          "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } ] },
      { "name": "mesh", "shapes": [ { "type": "mesh", "scale": 2, "density": 1,
          "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
          "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] } ] },
      { "name": "sheet", "shapes": [ { "type": "mesh", "scale": [2, 3, 1], "thickness": 0.1,
          "density": 1, "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]],
          "triangles": [[0, 1, 2], [0, 2, 3]] } ] } ] })");
    const Simulation simulation = Simulation::make(std::move(scene)).value();
    const World& world = simulation.world();
    const std::vector<BodyId> ids = world.bodies();
    EXPECT_NEAR(world.mass_properties(ids[0]).mass, 1, 1e-12);
    EXPECT_NEAR(world.mass_properties(ids[1]).mass, 8.0 / 6, 1e-12);
    EXPECT_NEAR(world.mass_properties(ids[2]).mass, 0.6, 1e-12);
}

TEST(SceneLoad, PlaneIsALockOfThreeFreedoms) {
    const auto lock = [](const std::string& field) {
        return parsed(scene_of_body("{\"type\": \"kinematic\", " + field + "}")).bodies[0].def.lock;
    };
    EXPECT_EQ(lock(R"("plane": "xz")"), lock(R"("lock": ["ty", "rx", "rz"])"));
    EXPECT_EQ(lock(R"("plane": "xz")"), lock_ty | lock_rx | lock_rz);
    EXPECT_EQ(lock(R"("plane": "xy")"), lock_tz | lock_rx | lock_ry);
    EXPECT_EQ(lock(R"("plane": "yz")"), lock_tx | lock_ry | lock_rz);
}

TEST(SceneLoad, KeepsEveryFieldOfABody) {
    const TemporaryFolder folder;
    write_files_of_everything(folder);
    const Scene scene = parsed(kEverything, folder.path());
    const SceneBody& all = scene.bodies[1];
    EXPECT_EQ(all.def.name, "all");
    EXPECT_EQ(all.def.position, (Vec3d{1, 2, 3}));
    EXPECT_EQ(all.def.mass, 5);
    EXPECT_EQ(all.def.lock, lock_tx | lock_rz);
    EXPECT_EQ(all.def.group, 2u);
    EXPECT_EQ(all.tag, "hero");
    EXPECT_EQ(all.look->color, 0xFF0000FFu);
    EXPECT_EQ(all.fracture->pieces, 20);
    EXPECT_EQ(all.fracture->impulse, 50);
    ASSERT_EQ(all.def.shapes.size(), 10u);
    EXPECT_TRUE(all.def.shapes[0].hollow);
    EXPECT_EQ(all.def.shapes[0].material.color, 0xFF8000FFu);
    EXPECT_EQ(all.def.shapes[1].material.kinetic_friction, 0.25);
    // The hull of a file, the mesh and the decomposed mesh share one reading of it.
    const auto& mesh = std::get<MeshDef>(all.def.shapes[7].geometry);
    const auto& decomposed = std::get<MeshDef>(all.def.shapes[8].geometry);
    EXPECT_EQ(mesh.soup, decomposed.soup);
    EXPECT_FALSE(mesh.concavity.has_value());
    EXPECT_EQ(decomposed.concavity, 0.1);
    // Parts of a compound are made of what it is made of.
    EXPECT_EQ(std::get<CompoundDef>(all.def.shapes[9].geometry).shapes[0].material.density, 7);
    const auto& hills = std::get<HeightFieldDef>(scene.bodies[0].def.shapes[2].geometry);
    EXPECT_EQ(hills.columns, 3);
    EXPECT_EQ(hills.rows, 2);
    EXPECT_THAT(hills.heights, testing::ElementsAre(0, 1, 0, 1, 2, 1));
    EXPECT_EQ(scene.bodies[3].driver->keyframes.size(), 2u);
    EXPECT_EQ(scene.bodies[4].driver->grid[8].p, (Vec3d{2, 2, 0}));
    EXPECT_EQ(scene.periodic->hi, (Vec3d{10, 10, 10}));
    EXPECT_EQ(scene.camera->fov_deg, 60);
    EXPECT_EQ(scene.forces[0].point, (Vec3d{0, 0, 1}));
    EXPECT_EQ(scene.pairs[0].restitution, 0.5);
}

TEST(SceneLoad, KeepsEveryFieldOfAJoint) {
    const TemporaryFolder folder;
    write_files_of_everything(folder);
    const Scene scene = parsed(kEverything, folder.path());
    const auto named = [&](const std::string& name) {
        for (const SceneJoint& joint : scene.joints)
            if (joint.def.name == name) return joint;
        ADD_FAILURE() << name;
        return SceneJoint{};
    };
    const SceneJoint ball = named("j0"), hinge = named("j1");
    EXPECT_EQ(ball.def.spring->frequency_hz, 5);
    EXPECT_EQ(ball.def.break_torque, 100);
    EXPECT_TRUE(ball.def.collide);
    EXPECT_EQ(hinge.b, SceneJoint::kWorld);
    const auto& hinge_kind = std::get<HingeJoint>(hinge.def.kind);
    EXPECT_EQ(hinge_kind.limits, (Range{-1, 1}));
    EXPECT_EQ(hinge_kind.motor->target_velocity, 1);
    EXPECT_FALSE(hinge_kind.motor->target_position.has_value());
    for (const SceneJoint& joint : scene.joints) {
        if (const auto* gear = std::get_if<GearJoint>(&joint.def.kind)) {
            EXPECT_EQ(scene.joints[static_cast<std::size_t>(joint.gear_a)].def.name, "j1");
            EXPECT_EQ(gear->ratio, 2);
        }
        const auto* track = std::get_if<TrackJoint>(&joint.def.kind);
        EXPECT_TRUE(!track || track->closed);
        const auto* six_dof = std::get_if<SixDofJoint>(&joint.def.kind);
        if (six_dof && joint.b == SceneJoint::kWorld) {
            EXPECT_EQ(six_dof->axes[0], (Range{0, 1}));
            EXPECT_EQ(six_dof->axes[1], Range{});
            EXPECT_EQ(six_dof->axes[5], (Range{0, 0}));
        }
    }
}

TEST(SceneLoad, FilesMayBeMissingOrDirectories) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "dir");
    const auto mesh = [&](const std::string& file) {
        return refusal(scene_of_shape(R"({"type": "mesh", "file": ")" + file + "\"}"),
                       folder.path());
    };
    const std::string place = "scene.json:2:70: bodies[0].shapes[0].file ";
    EXPECT_EQ(mesh("no.obj"), place + "names a file that is not there: \"no.obj\"");
    EXPECT_EQ(mesh("dir"), place + "must name a file, but \"dir\" is a directory");
    const auto load = [](const fs::path& path) { return to_string(load_scene(path).error()); };
    EXPECT_EQ(load("no/scene.json"), "no/scene.json: there is no such file");
    EXPECT_EQ(load(folder.path()), folder.path().string() + ": must be a file, but is a directory");
}

TEST(SceneLoad, FilesMayNotLeaveTheFolder) {
    const TemporaryFolder folder;
    folder.write("secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("inner/near.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    fs::create_symlink("../secret.obj", folder.path() / "inner/link.obj");
    fs::create_symlink("near.obj", folder.path() / "inner/harmless.obj");
    const auto mesh = [&](const std::string& file) {
        return refusal(scene_of_shape(R"({"type": "mesh", "file": ")" + file + "\"}"),
                       folder.path() / "inner");
    };
    const std::string place = "scene.json:2:70: bodies[0].shapes[0].file ";
    const std::string outside = place + "must not lead outside the scene's folder, got ";
    EXPECT_EQ(mesh("near.obj"), "accepted");
    EXPECT_EQ(mesh("./x/../near.obj"), "accepted");
    EXPECT_EQ(mesh("harmless.obj"), "accepted");
    EXPECT_EQ(mesh("../secret.obj"), outside + "\"../secret.obj\"");
    EXPECT_EQ(mesh("link.obj"), outside + "\"link.obj\"");
    EXPECT_EQ(mesh("/etc/passwd"),
              place + "must be a path relative to the scene file, got \"/etc/passwd\"");
    // A text without a folder may name no file at all.
    EXPECT_EQ(refusal(scene_of_shape(R"({"type": "mesh", "file": "near.obj"})")),
              place + "must not name a file: this scene has no folder, got \"near.obj\"");
}

Scene joined(const std::string& joints) {
    return parsed(scene_with(R"("bodies": [
        {"name": "a", "position": [1, 2, 3], "shapes": [{"type": "sphere", "radius": 1}]},
        {"name": "b", "position": [4, 2, 3], "shapes": [{"type": "sphere", "radius": 1}]}],
        "joints": [)" + joints +
                             "]"));
}

TEST(SceneJoints, LimitsAndMotorsAreLeftAsideWhereTheyMeanNothing) {
    const std::string both = R"(, "limits": [-1, 1], "motor": {"target_velocity": 1})";
    const Scene ball = joined(R"({"type": "ball", "a": "a", "anchor": [0, 0, 0])" + both + "}");
    EXPECT_THAT(ball.warnings,
                testing::ElementsAre("joints[0]: limits do not apply to a ball joint",
                                     "joints[0]: motor does not apply to a ball joint"));
    EXPECT_EQ(ball.joints[0].def.type(), JointType::ball);
    const Scene hinge = joined(
        R"({"type": "hinge", "a": "a", "anchor": [0, 0, 0], "axis": [0, 0, 1])" + both + "}");
    EXPECT_TRUE(hinge.warnings.empty());
    const auto& kind = std::get<HingeJoint>(hinge.joints[0].def.kind);
    EXPECT_TRUE(kind.limits && kind.motor);
}

TEST(SceneJoints, AGearMayComeBeforeItsJoints) {
    const Scene scene = joined(
        R"({"type": "gear", "a": "a", "b": "b", "anchor": [0, 0, 0], "joints": ["h", "s"], "ratio": 2},
           {"name": "h", "type": "hinge", "a": "a", "anchor": [0, 0, 0], "axis": [0, 0, 1]},
           {"name": "s", "type": "slider", "a": "b", "axis": [1, 0, 0]})");
    ASSERT_EQ(scene.joints.size(), 3u);
    const SceneJoint& gear = scene.joints[2]; // made last
    EXPECT_EQ(gear.def.type(), JointType::gear);
    EXPECT_EQ(scene.joints[static_cast<std::size_t>(gear.gear_a)].def.name, "h");
    EXPECT_EQ(scene.joints[static_cast<std::size_t>(gear.gear_b)].def.name, "s");
    EXPECT_THAT(scene.warnings,
                testing::ElementsAre("joints[0]: a and b do not apply to a gear joint",
                                     "joints[0]: anchor does not apply to a gear joint"));
}

TEST(SceneJoints, ADistanceToTheWorldHangsTheBodyOnTheAnchor) {
    for (const std::string ends : {R"("a": "a")", R"("a": "a", "b": "world")"}) {
        const SceneJoint joint =
            joined("{\"type\": \"distance\", \"anchor\": [1, 2, 9], " + ends + "}").joints[0];
        EXPECT_EQ(joint.def.anchor, (Vec3d{1, 2, 3}));
        EXPECT_EQ(std::get<DistanceJoint>(joint.def.kind).anchor_b, (Vec3d{1, 2, 9}));
    }
    const SceneJoint turned =
        joined(R"({"type": "distance", "a": "world", "b": "a", "anchor": [1, 2, 9]})").joints[0];
    EXPECT_EQ(turned.def.anchor, (Vec3d{1, 2, 9}));
    EXPECT_EQ(std::get<DistanceJoint>(turned.def.kind).anchor_b, (Vec3d{1, 2, 3}));
}

} // namespace
} // namespace rigor::test
