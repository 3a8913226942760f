// Wears a world out: bodies come and go, joints are made and broken, forces of no number are
// tried, settings change; for the given number of seconds. Ends with 1 when anything is not as it
// should be. Not part of the tests: run it for half an hour, and for minutes under the sanitizers.
//
//     soak [SECONDS [SEED]]

#include <malloc.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr std::size_t kMostBodies = 400;

class Soak {
  public:
    explicit Soak(std::uint64_t seed) : random_(seed) {
        WorldSettings settings;
        settings.threads = 2;
        world_ = World(settings);
        BodyDef floor;
        floor.type = BodyType::static_body;
        ShapeDef shape;
        shape.geometry = BoxDef{{60, 60, 2}};
        floor.shapes.assign(1, shape);
        floor.position = {0, 0, -1};
        world_.add_body(floor).value();
        for (int i = 0; i < 4; ++i) { // so that nothing leaves
            shape.geometry = BoxDef{{i < 2 ? 1.0 : 40.0, i < 2 ? 40.0 : 1.0, 40}};
            floor.shapes.assign(1, shape);
            floor.position = {i == 0   ? -20.0
                              : i == 1 ? 20.0
                                       : 0,
                              i == 2   ? -20.0
                              : i == 3 ? 20.0
                                       : 0,
                              20};
            world_.add_body(floor).value();
        }
    }

    void step() {
        const int actions = static_cast<int>(random_.uniform(0, 4));
        for (int i = 0; i < actions; ++i) act();
        const StepReport report = world_.step(kStep);
        quarantined_ += report.quarantined.size();
        broken_ += report.broken.size();
        events_ += world_.events().begun.size() + world_.events().ended.size();
        for (const BodyId id : report.quarantined) remove(id);
        if (world_.step_count() % 256 == 0) check();
    }

    bool failed() const { return failed_; }
    std::string summary() const {
        return std::to_string(world_.step_count()) + " steps, " +
               std::to_string(world_.body_count()) + " bodies (" +
               std::to_string(world_.awake_count()) + " awake), " +
               std::to_string(world_.joint_count()) + " joints, " + std::to_string(made_) +
               " bodies made, " + std::to_string(broken_) + " joints broken, " +
               std::to_string(quarantined_) + " quarantined, " + std::to_string(refused_) +
               " bad calls refused, " + std::to_string(events_) + " touches";
    }

  private:
    void act() {
        const double choice = random_.uniform(0, 100);
        if (choice < 40 || bodies_.size() < 20) return spawn();
        if (choice < 60) return remove(any());
        if (choice < 75) return join();
        if (choice < 80) return push();
        if (choice < 85) return bad_call();
        if (choice < 87) return poison();
        if (choice < 92) return motorize();
        if (choice < 96) return teleport();
        if (choice < 98) return rewind();
        change_settings();
    }

    Vec3d place() {
        return {random_.uniform(-15, 15), random_.uniform(-15, 15), random_.uniform(1, 20)};
    }
    BodyId any() {
        return bodies_[static_cast<std::size_t>(random_.uniform(0, 0.999999) *
                                                static_cast<double>(bodies_.size()))];
    }

    void spawn() {
        if (bodies_.size() >= kMostBodies) remove(any());
        BodyDef def;
        ShapeDef shape;
        const int kind = static_cast<int>(random_.uniform(0, 6));
        const double size = random_.uniform(0.1, 1);
        if (kind == 0) shape.geometry = SphereDef{size / 2};
        if (kind == 1) shape.geometry = BoxDef{{size, random_.uniform(0.05, 1), 0.5}};
        if (kind == 2) shape.geometry = CapsuleDef{size / 3, size};
        if (kind == 3) shape.geometry = CylinderDef{size / 2, size};
        if (kind == 4) shape.geometry = ConeDef{size / 2, size};
        if (kind == 5) {
            HullDef hull;
            for (int i = 0; i < 12; ++i)
                hull.points.push_back({random_.uniform(-size, size), random_.uniform(-size, size),
                                       random_.uniform(-size, size)});
            shape.geometry = hull;
        }
        shape.material.restitution = random_.uniform(0, 1) < 0.2 ? 0.7 : 0;
        shape.sensor = random_.uniform(0, 1) < 0.03;
        def.shapes.push_back(shape);
        if (shape.sensor) def.mass_properties = MassProperties{1, {}, Sym3d::identity()};
        def.position = place();
        def.velocity = {random_.uniform(-20, 20), random_.uniform(-20, 20), 0};
        def.angular_velocity = {random_.uniform(-20, 20), 0, random_.uniform(-20, 20)};
        def.continuous = random_.uniform(0, 1) < 0.1;
        const Result<BodyId> id = world_.add_body(def);
        if (!id) return; // a hull may be flat
        bodies_.push_back(*id);
        ++made_;
    }

    void remove(BodyId id) {
        if (!world_.is_valid(id)) return;
        world_.remove_body(id);
        std::erase(bodies_, id);
    }

    void join() {
        const BodyId a = any(), b = any();
        const Vec3d at_a = world_.state(a).position, at_b = world_.state(b).position;
        if (a == b || length(at_b - at_a) > 4) return;
        const Vec3d axis{1, 0, 0};
        const Range limits{-0.5, 0.5};
        const JointKind kinds[] = {BallJoint{},
                                   HingeJoint{.axis = axis, .limits = limits},
                                   SliderJoint{.axis = axis, .limits = limits},
                                   FixedJoint{},
                                   DistanceJoint{.anchor_b = at_b},
                                   ConeTwistJoint{.axis = axis, .cone = 0.5},
                                   WheelJoint{.axis = axis, .limits = limits},
                                   SixDofJoint{}};
        JointDef def;
        def.kind = kinds[static_cast<std::size_t>(random_.uniform(0, 7.999))];
        def.a = a;
        def.b = random_.uniform(0, 1) < 0.1 ? BodyId{} : b;
        def.anchor = (at_a + at_b) * 0.5;
        def.break_force = random_.uniform(100, 2e4);
        if (world_.joint_count() < 100) (void)world_.add_joint(def);
    }

    void push() {
        const BodyId id = any();
        const double size = 0.1;
        const Vec3d off{random_.uniform(-size, size), random_.uniform(-size, size), 0};
        const double mass = world_.mass_properties(id).mass;
        world_.apply_impulse_at(id,
                                Vec3d{random_.uniform(-10, 10), 0, random_.uniform(0, 15)} * mass,
                                world_.state(id).position + off);
    }

    void bad_call() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        try {
            world_.apply_force(any(), {nan, 0, 0});
        } catch (const UsageError&) {
            ++refused_;
            return;
        }
        fail("a force of NaN was taken");
    }

    /// Too much for any number: the body must be quarantined, and nobody else notice.
    void poison() { world_.apply_force(any(), {1e308, 1e308, 0}); }

    void motorize() {
        for (const JointId joint : world_.joints()) {
            if (random_.uniform(0, 1) >= 0.1) continue;
            try {
                world_.set_motor(joint, MotorDef{random_.uniform(-5, 5), std::nullopt, 1e4});
            } catch (const UsageError&) { // a ball or fixed joint has no motor
            }
        }
    }

    void teleport() {
        const BodyId id = any();
        if (world_.joints(id).empty()) world_.set_pose(id, {place(), {}});
    }

    void rewind() {
        const Snapshot then = world_.snapshot();
        for (int i = 0; i < 5; ++i) world_.step(kStep);
        const std::uint64_t hash = world_.state_hash();
        world_.restore(then);
        for (int i = 0; i < 5; ++i) world_.step(kStep);
        if (world_.state_hash() != hash) fail("a restored world went another way");
        world_.restore(then);
    }

    void change_settings() {
        WorldSettings settings = world_.settings();
        settings.threads = 1 + static_cast<int>(random_.uniform(0, 3));
        settings.substeps = 1 + static_cast<int>(random_.uniform(0, 6));
        settings.periodic.reset(); // or a cell inside the walls: who is outside is brought in
        if (random_.uniform(0, 1) < 0.3)
            settings.periodic = PeriodicBox{{-12, -12, -5}, {12, 12, 40}};
        world_.set_settings(settings);
        world_.keep_island_ledgers(random_.uniform(0, 1) < 0.5);
    }

    void check() {
        for (const BodyId id : bodies_) {
            const BodyState state = world_.state(id);
            if (!is_finite(state.position) || !is_finite(state.velocity) ||
                !is_finite(state.angular_velocity))
                fail("a body is not finite");
        }
        for (const ContactView& contact : world_.contacts())
            if (!is_finite(contact.normal)) fail("a normal is not finite");
        for (const IslandLedger& island : world_.island_ledgers())
            if (!std::isfinite(island.ledger.remainder)) fail("a ledger is not finite");
    }

    void fail(const char* what) {
        if (!failed_)
            std::printf("step %llu: %s\n", static_cast<unsigned long long>(world_.step_count()),
                        what);
        failed_ = true;
    }

    World world_;
    Random random_;
    std::vector<BodyId> bodies_;
    std::size_t made_ = 0, broken_ = 0, quarantined_ = 0, refused_ = 0, events_ = 0;
    bool failed_ = false;
};

double megabytes_in_use() {
    return static_cast<double>(mallinfo2().uordblks) / 1e6;
}

int run(double seconds, std::uint64_t seed) {
    using Clock = std::chrono::steady_clock;
    Soak soak(seed);
    const auto start = Clock::now();
    double at_first = 0, next = seconds / 10;
    while (!soak.failed()) {
        const double now = std::chrono::duration<double>(Clock::now() - start).count();
        if (now >= next) {
            const double memory = megabytes_in_use();
            if (at_first == 0) at_first = memory;
            std::printf("%6.0f s  %.1f MB  %s\n", now, memory, soak.summary().c_str());
            std::fflush(stdout);
            next += seconds / 10;
        }
        if (now >= seconds) break;
        soak.step();
    }
    const double memory = megabytes_in_use();
    const bool grown = memory > 1.5 * at_first + 5;
    if (grown) std::printf("memory grew from %.1f to %.1f MB\n", at_first, memory);
    return soak.failed() || grown ? 1 : 0;
}

} // namespace
} // namespace rigor::test

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 60;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(arguments[2]) : 1);
    return rigor::test::run(seconds, seed);
}
