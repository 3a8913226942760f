// Random passive mechanisms: trees, loops, limits, springs, brakes, gears and tracks of any size.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {

/// What a mechanism is made of.
enum class MechanismKind {
    trees,
    limits,
    ranges,
    springs,
    brakes,
    friction,
    kinematic,
    planar,
    spinning,
    linkages,
    loops,
    sprung_loops,
    gears,
    tracks,
    on_floor,
};
inline constexpr const char* kMechanismNames[] = {
    "trees",    "limits",   "ranges", "springs",      "brakes", "friction", "kinematic", "planar",
    "spinning", "linkages", "loops",  "sprung_loops", "gears",  "tracks",   "on_floor"};

/// A mechanism at rest, but for a rotation as a whole that its joints allow. Springs are relaxed:
/// what it has at the start is all the energy it can ever have.
class RandomMechanism {
  public:
    RandomMechanism(MechanismKind kind, unsigned seed,
                    const WorldSettings& settings = fast_settings())
        : world_(settings), random_(seed), kind_(kind) {
        size_ = log_uniform(0.01, 10);
        most_mass_ = random_.integer(0, 1) == 0 ? 10 : 1000;
        if (kind == MechanismKind::kinematic) add_kinematic_root();
        if (kind == MechanismKind::on_floor) add_floor();
        build();
        if (kind == MechanismKind::on_floor) lower_floor();
    }
    /// Another one in the same world, elsewhere: of the same size, with what `seed` makes of it.
    void repeat(unsigned seed, const Vec3d& at) {
        random_ = Random(seed);
        bodies_.clear();
        root_.at = at;
        build();
    }
    World& world() { return world_; }
    double size() const { return size_; }
    std::string about() const { return message(size_, " m:", about_); }
    /// The potential energy of all bodies at the end of their joints, and the kinetic one.
    double energy_scale() const { return scale_ + world_.energy().kinetic; }

  private:
    static constexpr double kG = 9.81;
    struct Link {
        BodyId body;
        Vec3d at;
        double reach = 0; ///< along the joints from the ground
    };

    double log_uniform(double lo, double hi) {
        return lo * std::exp(random_.unit() * std::log(hi / lo));
    }
    bool chance(double p) { return random_.unit() < p; }

    void add_kinematic_root() {
        BodyDef def;
        def.type = BodyType::kinematic_body;
        root_.body = world_.add_body(def).value();
    }
    void add_floor() {
        BodyDef def = ground();
        def.mask = 2;
        floor_ = world_.add_body(def).value();
        root_.at = {0, 0, 1.5 * size_};
    }
    /// So that nothing begins in the floor: what is pushed out of it gains energy.
    void lower_floor() {
        double depth = 0;
        for (const ShapePenetration& overlap : world_.penetrating_shapes())
            depth = std::max(depth, overlap.depth);
        if (depth > 0) world_.set_pose(floor_, {{0, 0, -depth - 0.01 * size_}, {}});
    }

    void build() {
        switch (kind_) {
            case MechanismKind::linkages:
            case MechanismKind::loops:
            case MechanismKind::sprung_loops:
                return build_loop();
            case MechanismKind::gears:
                return build_gears();
            case MechanismKind::tracks:
                return build_track();
            default:
                return build_tree();
        }
    }

    /// A body of different moments about any axes; in a plane about those of the world.
    Link add_body(const Link& parent, const Vec3d& at) {
        const double mass = log_uniform(1, most_mass_), r = size_ * random_.uniform(0.08, 0.4);
        const Vec3d extents{random_.uniform(0.2, 1), random_.uniform(0.2, 1),
                            random_.uniform(0.2, 1)};
        const auto moment = [&](double a, double b) { return mass * r * r * (a * a + b * b) / 2; };
        BodyDef def;
        def.position = at;
        def.mass_properties = MassProperties{
            mass,
            {},
            Sym3d::diagonal({moment(extents.y, extents.z), moment(extents.z, extents.x),
                             moment(extents.x, extents.y)})};
        if (kind_ == MechanismKind::planar)
            def.lock = lock_ty | lock_rx | lock_rz;
        else
            def.orientation = from_rotation_vector(random_.vec(-1.5, 1.5));
        if (kind_ == MechanismKind::on_floor) {
            ShapeDef box;
            box.geometry = BoxDef{extents * (0.5 * size_)};
            def.shapes = {box};
            def.group = 2;
            def.mask = 1;
        }
        Link link{world_.add_body(def).value(), at, parent.reach + length(at - parent.at)};
        bodies_.push_back(link);
        scale_ += mass * kG * link.reach;
        mass_ += mass;
        about_ += message(" ", static_cast<int>(mass), "kg");
        return link;
    }

    Range range_around_zero(double size) {
        return {-size * random_.uniform(0.05, 1), size * random_.uniform(0.05, 1)};
    }
    Vec3d axis() {
        if (kind_ == MechanismKind::planar || kind_ == MechanismKind::linkages) return {0, 1, 0};
        return random_.direction();
    }
    /// Of a hinge or slider.
    std::optional<MotorDef> brake(double load) {
        if (kind_ != MechanismKind::brakes || chance(0.4)) return {};
        return MotorDef{.target_velocity = 0, .max_force = load * log_uniform(0.01, 3)};
    }
    JointKind rope(const Vec3d& from, const Vec3d& to, bool has_range) {
        const double d = length(to - from);
        DistanceJoint joint{to};
        if (has_range)
            joint.range = Range{chance(0.5) ? 0 : d * random_.uniform(0.5, 1),
                                d * (chance(0.4) ? 1 : random_.uniform(1, 1.5))};
        return joint;
    }
    JointKind six_dof(bool has_limits) {
        SixDofJoint joint;
        joint.frame = from_rotation_vector(random_.vec(-1.5, 1.5));
        for (int i = 0; i < 6; ++i) {
            Range& range = joint.axes[static_cast<std::size_t>(i)];
            const bool is_free = i >= 3 && !has_limits && chance(0.5);
            if (has_limits && chance(0.5))
                range = range_around_zero(i < 3 ? 0.3 * size_ : 1);
            else if (!is_free)
                range = Range{0, 0};
        }
        return joint;
    }
    JointKind joint_kind(const Vec3d& from, const Vec3d& to, double load) {
        const bool has_limits = kind_ == MechanismKind::limits || kind_ == MechanismKind::on_floor;
        const auto hinge = [&] {
            HingeJoint joint{axis()};
            if (has_limits && chance(0.7)) joint.limits = range_around_zero(1.5);
            joint.motor = brake(load * size_);
            return joint;
        };
        if (kind_ == MechanismKind::planar) return hinge();
        if (kind_ == MechanismKind::ranges && chance(0.6)) return rope(from, to, true);
        switch (random_.integer(0, 7)) {
            case 0:
            case 1:
                return BallJoint{};
            case 2:
            case 3:
                return hinge();
            case 4: {
                SliderJoint joint{axis()};
                joint.limits = range_around_zero(size_);
                if (!has_limits && kind_ != MechanismKind::brakes) return hinge();
                joint.motor = brake(load);
                return joint;
            }
            case 5:
                return chance(0.5) ? JointKind(FixedJoint{}) : rope(from, to, has_limits);
            case 6:
                if (!has_limits) return BallJoint{};
                return ConeTwistJoint{axis(), random_.uniform(0.1, 1.5), range_around_zero(1)};
            default:
                return six_dof(has_limits);
        }
    }
    /// By which it will sink.
    void soften(JointDef& def) {
        const double hertz = log_uniform(0.3, 30), w = 2 * std::numbers::pi * hertz;
        def.spring = SpringDef{hertz, chance(0.5) ? 0 : random_.unit()};
        scale_ += mass_ * kG * kG / (w * w);
    }
    void join(const Link& a, const Link& b, const JointKind& kind, const Vec3d& anchor) {
        JointDef def{.a = a.body, .b = b.body, .anchor = anchor, .kind = kind};
        const bool may_be_sprung =
            kind_ == MechanismKind::springs || kind_ == MechanismKind::sprung_loops;
        if (may_be_sprung && chance(0.5)) soften(def);
        const bool has_friction =
            def.type() != JointType::fixed && def.type() != JointType::distance;
        if (kind_ == MechanismKind::friction && has_friction && chance(0.6))
            def.friction = most_mass_ * kG * size_ * log_uniform(1e-3, 1);
        about_ += message(" ", kJointTypeNames[static_cast<std::size_t>(def.type())], "(",
                          a.body.index, ",", b.body.index);
        if (def.spring)
            about_ += message(" ", static_cast<int>(def.spring->frequency_hz * 10) * 0.1, " Hz ",
                              static_cast<int>(def.spring->damping_ratio * 100) * 0.01);
        about_ += ")";
        world_.add_joint(def).value();
    }
    Vec3d in_plane(Vec3d v) const {
        if (kind_ == MechanismKind::planar || kind_ == MechanismKind::linkages) v.y = 0;
        return v;
    }

    void build_tree() {
        const int count = random_.integer(1, 7);
        Vec3d pivot;
        for (int i = 0; i < count; ++i) {
            const bool is_chain = chance(0.6) || bodies_.empty();
            const Link parent = bodies_.empty() ? root_
                                : is_chain      ? bodies_.back()
                                                : bodies_[static_cast<std::size_t>(random_.integer(
                                                      0, static_cast<int>(bodies_.size()) - 1))];
            const Vec3d way = in_plane(random_.direction()) * (size_ * random_.uniform(0.3, 1));
            const Vec3d at = parent.at + way, anchor = parent.at + way * random_.uniform(0, 0.7);
            const Link link = add_body(parent, at);
            const bool is_pivot = i == 0 && kind_ == MechanismKind::spinning;
            join(parent, link,
                 is_pivot ? JointKind(BallJoint{}) : joint_kind(anchor, at, most_mass_ * kG),
                 anchor);
            if (is_pivot) pivot = anchor;
        }
        if (kind_ == MechanismKind::spinning) spin(pivot);
    }
    void spin(const Vec3d& pivot) {
        const Vec3d w = random_.direction() * log_uniform(1, 60);
        for (const Link& link : bodies_) {
            world_.set_velocity(link.body, cross(w, link.at - pivot));
            world_.set_angular_velocity(link.body, w);
        }
    }

    void build_loop() {
        const int count = random_.integer(2, 6);
        const Vec3d side{1, 0, 0}, up{0, 0, random_.uniform(-1, 1)};
        std::vector<Vec3d> points{{}};
        for (int i = 1; i <= count; ++i) {
            const double a = std::numbers::pi * i / count;
            points.push_back(side * (size_ * (1 - std::cos(a))) + up * (size_ * std::sin(a)) +
                             in_plane(random_.vec(-0.3, 0.3)) * size_);
        }
        const bool has_balls = chance(0.5);
        Link last = root_;
        for (int i = 0; i < count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const Link link = add_body(last, (points[k] + points[k + 1]) * 0.5);
            join_loop(last, link, points[k], has_balls);
            last = link;
        }
        join_loop(last, chance(0.7) ? root_ : bodies_[0], points.back(), has_balls);
    }
    void join_loop(const Link& a, const Link& b, const Vec3d& anchor, bool has_balls) {
        if (kind_ == MechanismKind::linkages) return join(a, b, HingeJoint{{0, 1, 0}}, anchor);
        if (has_balls) return join(a, b, BallJoint{}, anchor);
        join(a, b, joint_kind(anchor, anchor + random_.direction() * size_, 1), anchor);
    }

    /// Wheels with eccentric masses on the ground or on an arm, coupled to each other, with
    /// pendulums on them.
    void build_gears() {
        const bool has_arm = chance(0.4);
        Link base = root_;
        if (has_arm) {
            base = add_body(root_, random_.direction() * size_);
            join(root_, base, HingeJoint{random_.direction()}, {});
        }
        std::vector<JointId> hinges;
        const int count = random_.integer(2, 3);
        for (int i = 0; i < count; ++i) {
            const Vec3d anchor = base.at + random_.vec(-0.5, 0.5) * size_;
            const Link wheel = add_body(base, anchor + random_.vec(-0.3, 0.3) * size_);
            const JointDef def{.a = base.body,
                               .b = wheel.body,
                               .anchor = anchor,
                               .kind = HingeJoint{random_.direction()}};
            hinges.push_back(world_.add_joint(def).value());
            if (!chance(0.4)) continue;
            const Link bob = add_body(wheel, wheel.at + random_.direction() * (0.5 * size_));
            join(wheel, bob, BallJoint{}, wheel.at);
        }
        for (std::size_t i = 1; i < hinges.size(); ++i) {
            const double ratio = log_uniform(0.2, 5) * (chance(0.5) ? 1 : -1);
            world_.add_joint({.kind = GearJoint{hinges[i - 1], hinges[i], ratio}}).value();
        }
    }

    void build_track() {
        TrackJoint track;
        track.closed = chance(0.7);
        const double a = size_ * random_.uniform(0.5, 2), b = size_ * random_.uniform(0.5, 2),
                     c = size_ * random_.uniform(-1, 1);
        const double turn = track.closed ? 2 * std::numbers::pi : std::numbers::pi;
        for (int i = 0; i < 12; ++i) {
            const double t = turn * i / (track.closed ? 12 : 11);
            track.curve.push_back({a * std::cos(t), b * std::sin(t), c * std::sin(t)});
        }
        const Vec3d anchor = track.curve[4];
        const Link car = add_body(root_, anchor + random_.vec(-0.4, 0.4) * size_);
        join(car, root_, track, anchor);
        scale_ += most_mass_ * kG * size_;
        Link last = car;
        for (int i = random_.integer(0, 2); i > 0; --i) {
            const Link bob = add_body(last, last.at + random_.direction() * size_);
            join(last, bob, chance(0.5) ? JointKind(BallJoint{}) : HingeJoint{axis()}, last.at);
            last = bob;
        }
    }

    World world_;
    Random random_;
    MechanismKind kind_;
    double size_ = 1, most_mass_ = 1, mass_ = 0, scale_ = 0;
    std::string about_;
    Link root_;
    BodyId floor_;
    std::vector<Link> bodies_;
};

} // namespace rigor::test
