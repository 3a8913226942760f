#include "viewer/scene_export_joints.h"

#include <cmath>

namespace rigor::viewer {
namespace {

class JointWriter {
  public:
    JointWriter(const Session& session, const std::vector<std::string>& names,
                std::set<std::string>& notes)
        : session_(session),
          scene_(session.scene()),
          world_(session.world()),
          names_(names),
          notes_(notes) {}

    ordered all() {
        ordered out = ordered::array();
        for (std::size_t i = 0; i < scene_.joints.size(); ++i)
            if (world_.is_valid(session_.joint(i))) out.push_back(joint(i));
        for (const Simulation::Bonded& bonded : session_.bonded())
            for (std::size_t i = 0; i < bonded.made.bonds.size(); ++i)
                if (world_.is_valid(bonded.made.bonds[i]))
                    out.push_back(bond(bonded.made.bonds[i], bonded.made.bond_definitions[i]));
        return out;
    }

  private:
    std::string end_name(std::int32_t body) {
        const BodyId id = session_.joint_body(body);
        return id.is_null() ? "world" : names_[id.index];
    }

    /// A joint between two pieces of a body that is made of them from the start.
    ordered bond(JointId id, const JointDef& def) {
        ordered o;
        o["name"] = def.name;
        o["type"] = kJointTypeNames[def.kind.index()];
        o["a"] = names_[def.a.index], o["b"] = names_[def.b.index];
        o["anchor"] = vec(world_.joint_state(id).anchor_a);
        put_common(o, def);
        return o;
    }

    /// An initial direction rotated with a body.
    Vec3d turned(std::int32_t body, const Vec3d& v) {
        const BodyId id = session_.joint_body(body);
        if (id.is_null()) return v;
        const Quatd start = scene_.bodies[static_cast<std::size_t>(body)].def.orientation;
        return rotate(world_.pose(id).q, inverse_rotate(start, v));
    }

    ordered joint(std::size_t i) {
        const SceneJoint& joint = scene_.joints[i];
        const JointDef& def = joint.def;
        const JointState now = world_.joint_state(session_.joint(i));
        ordered o;
        o["name"] = def.name;
        o["type"] = kJointTypeNames[def.kind.index()];
        if (const auto* gear = std::get_if<GearJoint>(&def.kind)) {
            o["joints"] = {scene_.joints[static_cast<std::size_t>(joint.gear_a)].def.name,
                           scene_.joints[static_cast<std::size_t>(joint.gear_b)].def.name};
            o["ratio"] = gear->ratio;
            return o;
        }
        o["a"] = end_name(joint.a), o["b"] = end_name(joint.b);
        o["anchor"] = vec(now.anchor_a);
        std::visit([&](const auto& kind) { put_kind(o, kind, joint, now); }, def.kind);
        put_common(o, def);
        return o;
    }

    static ordered range(const Range& r, double shift = 0) {
        return ordered::array({r.lo - shift, r.hi - shift});
    }

    // The fields of each kind of joint. Limits and targets count from the exported configuration.

    void put_kind(ordered&, const BallJoint&, const SceneJoint&, const JointState&) {}
    void put_kind(ordered&, const FixedJoint&, const SceneJoint&, const JointState&) {}
    void put_kind(ordered&, const GearJoint&, const SceneJoint&, const JointState&) {}

    void put_kind(ordered& o, const HingeJoint& hinge, const SceneJoint& joint,
                  const JointState& now) {
        put_driven_axis(o, hinge, joint, now);
    }

    void put_kind(ordered& o, const SliderJoint& slider, const SceneJoint& joint,
                  const JointState& now) {
        put_driven_axis(o, slider, joint, now);
    }

    void put_kind(ordered& o, const WheelJoint& wheel, const SceneJoint& joint,
                  const JointState& now) {
        o["steer_axis"] = vec(turned(joint.a, wheel.steer_axis));
        put_driven_axis(o, wheel, joint, now);
    }

    void put_kind(ordered& o, const DistanceJoint& distance, const SceneJoint&,
                  const JointState& now) {
        o["anchor_b"] = vec(now.anchor_b);
        if (distance.range) o["range"] = range(*distance.range);
    }

    void put_kind(ordered& o, const ConeTwistJoint& shoulder, const SceneJoint& joint,
                  const JointState&) {
        notes_.insert("(Cone limits are relative to the exported configuration.)");
        o["axis"] = vec(turned(joint.a, shoulder.axis)), o["cone"] = shoulder.cone;
        if (std::isfinite(shoulder.twist.lo)) o["twist"] = range(shoulder.twist);
    }

    void put_kind(ordered& o, const SixDofJoint& six_dof, const SceneJoint& joint,
                  const JointState&) {
        constexpr const char* kAxes[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
        notes_.insert("(Limits of six_dof joints are relative to the exported configuration.)");
        const BodyId a = session_.joint_body(joint.a);
        Quatd frame = six_dof.frame;
        if (!a.is_null()) {
            const Quatd start = scene_.bodies[static_cast<std::size_t>(joint.a)].def.orientation;
            frame = world_.pose(a).q * conjugate(start) * frame;
        }
        o["frame"] = quat(frame);
        ordered limits = ordered::object();
        for (std::size_t i = 0; i < 6; ++i) {
            const Range& r = six_dof.axes[i];
            if (std::isfinite(r.lo) && std::isfinite(r.hi)) {
                limits[kAxes[i]] = {r.lo, r.hi};
            } else {
                limits[kAxes[i]] = "free";
            }
        }
        o["limits"] = std::move(limits);
    }

    /// Its coordinate counts from the first point of the curve, in every configuration.
    void put_kind(ordered& o, const TrackJoint& track, const SceneJoint& joint, const JointState&) {
        Posed moved;
        if (const BodyId b = session_.joint_body(joint.b); !b.is_null()) {
            const BodyDef& start = scene_.bodies[static_cast<std::size_t>(joint.b)].def;
            moved = world_.pose(b) * inverse(Posed{start.position, start.orientation});
        }
        ordered curve = ordered::array();
        for (const Vec3d& point : track.curve) curve.push_back(vec(transform(moved, point)));
        o["curve"] = std::move(curve);
        if (track.closed) o["closed"] = true;
        if (track.closed && (track.limits || (track.motor && track.motor->target_position)))
            notes_.insert("(Laps of closed tracks count from the exported configuration.)");
        put_limits_and_motor(o, track, 0);
    }

    /// Axis, limits and motor of a hinge, slider or wheel.
    template <class Kind>
    void put_driven_axis(ordered& o, const Kind& kind, const SceneJoint& joint,
                         const JointState& now) {
        o["axis"] = vec(turned(joint.a, kind.axis));
        put_limits_and_motor(o, kind, now.coordinate);
    }

    template <class Kind>
    void put_limits_and_motor(ordered& o, const Kind& kind, double shift) {
        if (kind.limits && std::isfinite(kind.limits->lo) && std::isfinite(kind.limits->hi))
            o["limits"] = range(*kind.limits, shift);
        if (!kind.motor) return;
        ordered motor = ordered::object();
        if (kind.motor->target_velocity) motor["target_velocity"] = *kind.motor->target_velocity;
        if (kind.motor->target_position)
            motor["target_position"] = *kind.motor->target_position - shift;
        if (std::isfinite(kind.motor->max_force)) motor["max_force"] = kind.motor->max_force;
        o["motor"] = std::move(motor);
    }

    void put_common(ordered& o, const JointDef& def) {
        if (def.spring) {
            notes_.insert("(Springs have their rest position at the exported configuration.)");
            o["spring"] = {{"frequency_hz", def.spring->frequency_hz},
                           {"damping_ratio", def.spring->damping_ratio}};
        }
        put_if(o, "friction", def.friction, 0);
        if (std::isfinite(def.break_force)) o["break_force"] = def.break_force;
        if (std::isfinite(def.break_torque)) o["break_torque"] = def.break_torque;
        if (def.collide) o["collide"] = true;
    }

    const Session& session_;
    const Scene& scene_;
    const World& world_;
    const std::vector<std::string>& names_; ///< by slot
    std::set<std::string>& notes_;
};

} // namespace

ordered export_joints(const Session& session, const std::vector<std::string>& names,
                      std::set<std::string>& notes) {
    return JointWriter(session, names, notes).all();
}

} // namespace rigor::viewer
