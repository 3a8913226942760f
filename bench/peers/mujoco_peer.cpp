// MuJoCo (Apache-2.0): the scene as an MJCF text, at its default solver (Newton).
//
// This version keeps the rows of all contacts in dense arrays, so that it can hold only small
// scenes; what would not fit is refused before the library, which ends the program when it runs
// out of memory, is asked.

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "bench/peers/scene_support.h"

namespace rigor::bench {
namespace {

// A brick on two others has at most 16 points, each with 4 rows for the pyramid of friction.
constexpr double kPointsPerBody = 16, kRowsPerPoint = 4;
constexpr double kMaxBytes = 1 << 30;

struct Size {
    double bodies = 0, joints = 0;

    double points() const { return kPointsPerBody * bodies; }
    double rows() const { return kRowsPerPoint * points() + 3 * joints; }
    double freedoms() const { return 6 * bodies; }
    // Two dense matrices of the rows, Jacobians, and the stack MuJoCo makes for its solvers.
    double bytes() const {
        const double all = rows() + freedoms();
        return rows() * (12 * rows() + 24 * freedoms()) + 40 * all * all;
    }
};

Size size_of(const Scene& scene) {
    Size size;
    for (const SceneBody& body : scene.bodies) {
        size.bodies += body.def.type == BodyType::dynamic_body ? 1 : 0;
    }
    size.joints = static_cast<double>(scene.joints.size());
    return size;
}

// Writes numbers so that they read back to the same bits.
class Xml {
  public:
    Xml() { out_.precision(17); }
    template <class... Args>
    void add(const Args&... args) {
        (write(args), ...);
        out_ << '\n';
    }
    std::string text() const { return out_.str(); }

  private:
    void write(const Vec3d& v) { out_ << v.x << ' ' << v.y << ' ' << v.z; }
    void write(const Quatd& q) { out_ << q.w << ' ' << q.x << ' ' << q.y << ' ' << q.z; }
    template <class T>
    void write(const T& value) {
        out_ << value;
    }
    std::ostringstream out_;
};

// The attributes of a geom, or nothing for what is not held here.
std::string geom_attributes(const ShapeGeometry& geometry, const std::string& name) {
    Xml xml;
    if (const auto* sphere = std::get_if<SphereDef>(&geometry)) {
        xml.add("type=\"sphere\" size=\"", sphere->radius, "\"");
    } else if (const auto* box = std::get_if<BoxDef>(&geometry)) {
        xml.add("type=\"box\" size=\"", box->size / 2, "\"");
    } else if (const auto* capsule = std::get_if<CapsuleDef>(&geometry)) {
        xml.add("type=\"capsule\" size=\"", capsule->radius, ' ', capsule->length / 2, "\"");
    } else if (std::holds_alternative<HullDef>(geometry)) {
        xml.add("type=\"mesh\" mesh=\"", name, "\"");
    }
    return xml.text();
}

void add_assets(Xml& xml, const Scene& scene) {
    xml.add("<asset>");
    for (const SceneBody& body : scene.bodies) {
        const auto* hull = std::get_if<HullDef>(&body.def.shapes[0].geometry);
        if (!hull) continue;
        Xml points;
        for (const Vec3d& p : hull->points) points.add(p);
        xml.add("<mesh name=\"", body.def.name, "\" vertex=\"", points.text(), "\"/>");
    }
    xml.add("</asset>");
}

Result<void> add_body(Xml& xml, const BodyDef& def, const MassProperties& mass) {
    const std::string attributes = geom_attributes(def.shapes[0].geometry, def.name);
    if (attributes.empty()) return unsupported_shape(def.shapes[0].geometry);
    xml.add("<body name=\"", def.name, "\" pos=\"", def.position, "\" quat=\"", def.orientation,
            "\">");
    if (def.type == BodyType::dynamic_body) {
        const Sym3d& I = mass.inertia;
        xml.add("<freejoint/><inertial pos=\"0 0 0\" mass=\"", mass.mass, "\" diaginertia=\"",
                Vec3d{I.xx, I.yy, I.zz}, "\"/>");
    }
    xml.add("<geom ", attributes, " friction=\"", def.shapes[0].material.kinetic_friction,
            " 0.005 0.0001\"/></body>");
    return {};
}

void add_joint(Xml& xml, const Scene& scene, const SceneJoint& joint) {
    const auto name = [&](std::int32_t i) {
        return i == SceneJoint::kWorld ? std::string("world")
                                       : scene.bodies[static_cast<std::size_t>(i)].def.name;
    };
    xml.add("<connect body1=\"", name(joint.a), "\" body2=\"", name(joint.b), "\" anchor=\"",
            local_anchor(scene, joint.a, joint.def.anchor), "\"/>");
}

Result<std::string> to_mjcf(const PeerSetup& setup) {
    const Scene& scene = setup.scene;
    const Size size = size_of(scene);
    Xml xml;
    xml.add("<mujoco><option timestep=\"", scene.time_step, "\" gravity=\"", scene.gravity, "\"/>");
    xml.add("<size nconmax=\"", static_cast<long>(size.points()), "\" njmax=\"",
            static_cast<long>(size.rows()), "\"/>");
    add_assets(xml, scene);
    xml.add("<worldbody>");
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const auto added = add_body(xml, scene.bodies[i].def, setup.masses[i]);
        if (!added) return added.error();
    }
    xml.add("</worldbody><equality>");
    for (const SceneJoint& joint : scene.joints) add_joint(xml, scene, joint);
    xml.add("</equality><contact>");
    for (const SceneJoint& joint : scene.joints) {
        if (joint.def.collide || joint.a < 0 || joint.b < 0) continue;
        const auto& bodies = scene.bodies;
        xml.add("<exclude body1=\"", bodies[static_cast<std::size_t>(joint.a)].def.name,
                "\" body2=\"", bodies[static_cast<std::size_t>(joint.b)].def.name, "\"/>");
    }
    xml.add("</contact></mujoco>");
    return xml.text();
}

using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

// Through MuJoCo's files in memory; the table of them is 2 MB, too much for a stack.
Result<Model> compile(const std::string& mjcf) {
    constexpr const char* kName = "scene.xml";
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(mjcf.size()));
    std::memcpy(files->filedata[0], mjcf.data(), mjcf.size());
    char error[500] = "";
    Model model(mj_loadXML(kName, files.get(), error, sizeof error), mj_deleteModel);
    mj_deleteVFS(files.get());
    if (!model) return Error{ErrorCode::unsupported, "", std::string("refused: ") + error};
    return model;
}

class MujocoPeer : public Peer {
  public:
    MujocoPeer(const Scene& scene, Model model)
        : model_(std::move(model)), data_(mj_makeData(model_.get()), mj_deleteData) {
        for (const SceneBody& body : scene.bodies) {
            const bool is_dynamic = body.def.type == BodyType::dynamic_body;
            joints_.push_back(is_dynamic ? next_joint_++ : -1);
            if (is_dynamic) set_velocity(joints_.back(), body.def);
        }
    }

    void step(double dt) override {
        model_->opt.timestep = dt;
        mj_step(model_.get(), data_.get());
    }

    // A free joint has position and orientation; the velocity of its frame, here the center of
    // mass, in world axes, and the angular velocity in the body's.
    Motion motion(std::size_t i) const override {
        if (joints_[i] < 0) return {};
        const mjtNum* q = data_->qpos + 7 * joints_[i];
        const mjtNum* v = data_->qvel + 6 * joints_[i];
        const Quatd turn = normalize(Quatd{q[3], q[4], q[5], q[6]});
        return {{{q[0], q[1], q[2]}, turn}, {v[0], v[1], v[2]}, rotate(turn, {v[3], v[4], v[5]})};
    }

    std::vector<std::string> notes() const override {
        std::vector<std::string> notes;
        if (data_->warning[mjWARN_CONTACTFULL].number > 0) notes.push_back("ran out of contacts");
        if (data_->warning[mjWARN_CNSTRFULL].number > 0) notes.push_back("ran out of rows");
        return notes;
    }

  private:
    void set_velocity(int joint, const BodyDef& def) {
        const Vec3d w = inverse_rotate(def.orientation, def.angular_velocity);
        for (int k = 0; k < 3; ++k) {
            data_->qvel[6 * joint + k] = def.velocity[k];
            data_->qvel[6 * joint + 3 + k] = w[k];
        }
    }

    Model model_;
    Data data_;
    int next_joint_ = 0;
    std::vector<int> joints_; ///< of each body; -1 for those that do not move
};

Result<std::unique_ptr<Peer>> make(const PeerSetup& setup) {
    mju_user_warning = [](const char*) {}; // counted in the data; a log file is not wanted
    if (const auto checked = check_supported(setup); !checked) return checked.error();
    if (const double bytes = size_of(setup.scene).bytes(); bytes > kMaxBytes) {
        return Error{ErrorCode::limit, "",
                     "its dense arrays would need " +
                         std::to_string(static_cast<long>(std::ceil(bytes / (1 << 30)))) + " GiB"};
    }
    const Result<std::string> mjcf = to_mjcf(setup);
    if (!mjcf) return mjcf.error();
    Result<Model> model = compile(*mjcf);
    if (!model) return model.error();
    return std::unique_ptr<Peer>(
        std::make_unique<MujocoPeer>(setup.scene, std::move(model).value()));
}

} // namespace

Engine mujoco_engine() {
    return {.name = "mujoco",
            .package = "libmujoco-dev",
            .version = mj_versionString(),
            .flags = "double, Newton solver",
            .max_threads = 1,
            .make = make};
}

} // namespace rigor::bench
