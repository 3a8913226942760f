// Spinning bodies on ideal joints: gyroscope, pinned_spin, pinned_bodies. Joints do no work, so the
// energy is constant at every step size, and its error falls as the step shrinks.

#include <algorithm>
#include <array>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

constexpr std::array kRates{60, 240, 1000}; // steps per second

/// A rod that turns level about a ball joint at the origin, and carries a spinning wheel.
struct Gyroscope {
    static constexpr double kSpin = 120, kRodAt = 0.15, kWheelAt = 0.25, kRodMass = 0.2;
    static constexpr double kAxial = 0.01; ///< of the wheel, of mass 1

    World world;
    BodyId wheel;

    /// The weight's moment turns the wheel's spin: level, this is exact.
    static double precession() {
        return kGravity * (kRodMass * kRodAt + kWheelAt) / (kAxial * kSpin);
    }

    explicit Gyroscope(Method method) : world(world_of(method)) {
        const double turn = precession();
        BodyDef rod = mass_at({kRodAt, 0, 0}, kRodMass, {1e-5, 1.5e-3, 1.5e-3});
        rod.velocity = {0, turn * kRodAt, 0};
        rod.angular_velocity = {0, 0, turn};
        BodyDef disk = mass_at({kWheelAt, 0, 0}, 1, {kAxial, 6e-3, 6e-3});
        disk.velocity = {0, turn * kWheelAt, 0};
        disk.angular_velocity = {kSpin, 0, turn};
        const BodyId arm = world.add_body(rod).value();
        wheel = world.add_body(disk).value();
        join(world, BallJoint{}, {}, arm, {});
        join(world, HingeJoint{{1, 0, 0}}, arm, wheel, {kWheelAt, 0, 0});
    }
    double azimuth() const {
        const Vec3d p = world.state(wheel).position;
        return std::atan2(p.y, p.x);
    }
};

/// A body on a ball joint with the world at the origin.
struct Pinned {
    World world;
    BodyId id;
    double scale; ///< J: the energy over the least one that the joint allows

    Pinned(Method method, const BodyDef& def, const Vec3d& gravity)
        : world(world_of(method, gravity)), id(world.add_body(def).value()) {
        join(world, BallJoint{}, {}, id, {});
        scale = energy() + def.mass_properties->mass * length(gravity) * length(def.position);
    }
    double energy() const { return world.energy().total(); }

    /// The largest change of the energy over its scale.
    double energy_error(double seconds, double dt) {
        const double start = energy();
        double worst = 0;
        for (long long i = 0; i < std::llround(seconds / dt); ++i) {
            world.step(dt);
            worst = std::max(worst, std::abs(energy() - start) / scale);
        }
        return worst;
    }
};

/// A body of length 1 whose end is held, leaning by 0.6 rad from below, turned about the vertical.
BodyDef hanging(const Vec3d& moments) {
    BodyDef def = mass_at({0.5 * std::sin(0.6), 0, -0.5 * std::cos(0.6)}, 1, moments);
    def.orientation = from_axis_angle(Vec3d{0, 1, 0}, -0.6);
    def.angular_velocity = {0, 0, 3};
    def.velocity = cross(def.angular_velocity, def.position);
    return def;
}

struct PinnedCase {
    const char* name;
    BodyDef def;
    Vec3d gravity;
};

std::array<PinnedCase, 3> pinned_cases() {
    BodyDef top = mass_at({}, 10, {9.7 / 12, 8.2 / 12, 1.7 / 12});
    top.angular_velocity = {0.1, 5, 0.1};
    const Vec3d down{0, 0, -kGravity};
    return {{{"plank", hanging({1.0025 / 12, 1.16 / 12, 0.1625 / 12}), down},
             {"rod", hanging({1.01 / 12, 1.01 / 12, 0.02 / 12}), down},
             {"top at its center", top, {}}}};
}

plot::Plot plot_energy(const PinnedCase& c) {
    plot::Panel panel{"change of energy / scale"};
    panel.is_logarithmic = true;
    int color = 1;
    for (const int rate : kRates) {
        Pinned pinned(Method::fast, c.def, c.gravity);
        const double start = pinned.energy();
        panel.series.push_back(
            {"fast, " + std::to_string(rate) + " Hz", {}, {}, plot::Mark::line, color++});
        follow(
            panel.series.back(), pinned.world, 60, 1.0 / rate,
            [&] { return magnitude((pinned.energy() - start) / pinned.scale); }, rate / 4);
    }
    return {std::string("Energy of a ") + c.name + " on a ball joint", "time, s", {panel}};
}

std::string at_rate(int rate) {
    return std::to_string(rate) + " Hz: ";
}

} // namespace

void check_gyroscope(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        Gyroscope gyroscope(bound.method);
        const double start = gyroscope.world.energy().kinetic;
        double turn = 0, last = 0, fall = 0, change = 0;
        for (int i = 0; i < 3600; ++i) {
            gyroscope.world.step(kStep);
            turn += std::remainder(gyroscope.azimuth() - last, 2 * kPi);
            last = gyroscope.azimuth();
            const double z = gyroscope.world.state(gyroscope.wheel).position.z;
            fall = std::max(fall, std::abs(z) / Gyroscope::kWheelAt);
            change = std::max(change, std::abs(gyroscope.world.energy().total() / start - 1));
        }
        const double expected = Gyroscope::precession(), got = turn / 60;
        reporter.expect(bound, "precession over 60 s, rad/s", {expected}, {got},
                        relative(got, expected));
        reporter.expect(bound, "level: largest height / arm", {0}, {fall}, fall);
        reporter.expect(bound, "energy: largest change", {0}, {change}, change);
    }
}

// As stable_spin, with a ball joint at the center of mass, which does nothing. The steps of
// `faithful` only set its output times, so its shorter ones run for 100 s.
void check_pinned_spin(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 1e-3}, {Method::faithful, 1e-10}}) {
        for (const int rate : kRates) {
            BodyDef def = mass_at({}, 1, {1, 2, 3});
            def.angular_velocity = {0.01, 0, 1};
            Pinned top(method, def, {});
            const int seconds = method == Method::faithful && rate > 60 ? 100 : 1000;
            const double dt = 1.0 / rate, start = top.energy();
            double change = 0, tilt = 0;
            for (int i = 0; i < seconds * rate; ++i) {
                top.world.step(dt);
                change = std::max(change, std::abs(top.energy() / start - 1));
                const BodyState s = top.world.state(top.id);
                const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
                tilt = std::max(tilt, std::atan2(std::hypot(w.x, w.y), std::abs(w.z)));
            }
            reporter.expect(Bound{method, tolerance},
                            at_rate(rate) + "energy over " + std::to_string(seconds) + " s", {0},
                            {change}, change);
            reporter.expect(Bound{method, 0.02},
                            at_rate(rate) + "largest angle to the axis: never tumbles", {0.01},
                            {tilt}, tilt);
        }
    }
}

// The order is that of the errors at the largest and the smallest step. Below 1e-4 of the energy
// the rounding of floats ends the descent, and the order says nothing.
void check_pinned_bodies(Reporter& reporter) {
    for (const PinnedCase& c : pinned_cases()) {
        std::vector<double> errors;
        for (const int rate : kRates)
            errors.push_back(Pinned(Method::fast, c.def, c.gravity).energy_error(60, 1.0 / rate));
        for (std::size_t i = 0; i < kRates.size(); ++i)
            reporter.expect(Bound{Method::fast, 0.01},
                            c.name + std::string(", ") + at_rate(kRates[i]) + "energy over 60 s",
                            {0}, {errors[i]}, errors[i]);
        const double order = std::log(errors.front() / errors.back()) /
                             std::log(1.0 * kRates.back() / kRates.front());
        const bool is_rounding = *std::max_element(errors.begin(), errors.end()) < 1e-4;
        reporter.expect(Bound{Method::fast, 0}, c.name + std::string(": order, at least 1"), {1},
                        {order}, is_rounding ? 0 : std::max(0.0, 1 - order));
        const double faithful = Pinned(Method::faithful, c.def, c.gravity).energy_error(60, kStep);
        reporter.expect(Bound{Method::faithful, 1e-10}, c.name + std::string(": energy over 60 s"),
                        {0}, {faithful}, faithful);
        reporter.plot([&] { return plot_energy(c); });
    }
}

} // namespace rigor::validation
