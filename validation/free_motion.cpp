// Free motion: free_fall, asymmetric_top, intermediate_axis, stable_spin. Everything goes through
// World, as a user's program would.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// The methods and integrators that move a free body. Two do so in closed form and have a
/// tolerance; the others are reported beside them.
struct Mover {
    Method method;
    Integrator integrator;

    bool is_exact() const { return integrator == Integrator::exact; }
    std::string label() const {
        if (method == Method::faithful) return "faithful";
        return "free, " + std::string(name(integrator));
    }
    World world(const Vec3d& gravity) const {
        WorldSettings settings;
        settings.gravity = gravity;
        settings.method = method;
        settings.integrator = integrator;
        return World(settings);
    }
};

constexpr Mover kMovers[] = {{Method::free, Integrator::exact},
                             {Method::faithful, Integrator::exact},
                             {Method::free, Integrator::rk4},
                             {Method::free, Integrator::symplectic},
                             {Method::free, Integrator::euler}};

Vec3d body_omega(const World& world, BodyId id) {
    const BodyState s = world.state(id);
    return inverse_rotate(s.orientation, s.angular_velocity);
}

// q and -q are the same orientation.
double distance(const Quatd& a, const Quatd& b) {
    return std::min(length(a + b * -1.0), length(a + b));
}

// Times at which f(t) changes sign, by steps and bisection.
template <class F>
std::vector<double> sign_changes(const F& f, double end, double step) {
    std::vector<double> times;
    for (double t = 0; t < end; t += step) {
        double lo = t, hi = t + step;
        if (f(lo) * f(hi) > 0) continue;
        for (int i = 0; i < 50; ++i) {
            const double mid = 0.5 * (lo + hi);
            (f(lo) * f(mid) > 0 ? lo : hi) = mid;
        }
        times.push_back(lo);
    }
    return times;
}

BodyDef asymmetric_top() {
    BodyDef def;
    def.shapes.push_back({BoxDef{{0.1, 0.4, 0.9}}});
    def.mass = 10;
    def.angular_velocity = {0.1, 5, 0.1};
    return def;
}

BodyDef spinning(const Vec3d& moments, const Vec3d& w) {
    BodyDef def;
    def.mass_properties = MassProperties{1, {}, Sym3d::diagonal(moments)};
    def.angular_velocity = w;
    return def;
}

// Body w2 as a function of time, each time from the start in one step.
auto second_omega(const Mover& mover, const BodyDef& def) {
    return [=](double t) {
        World world = mover.world({});
        const BodyId id = world.add_body(def).value();
        if (t > 0) world.step(t);
        return body_omega(world, id).y;
    };
}

BodyDef wakeful(BodyDef def) {
    def.can_sleep = false;
    return def;
}

/// A joint that does nothing, so that all results are those of the free body.
enum class Idle { none, ball_joint, free_joint };

std::string with(Idle joint) {
    switch (joint) {
        case Idle::ball_joint:
            return "pinned at its center: ";
        case Idle::free_joint:
            return "with a joint that is free in all axes: ";
        case Idle::none:
            break;
    }
    return "";
}

/// A spinning body that is stepped at 60 Hz, and the times at which its body w2 changes sign,
/// interpolated linearly.
struct SteppedSpin {
    World world;
    BodyId id;
    std::vector<double> flips;

    SteppedSpin(Method method, const BodyDef& def, Idle joint)
        : world(world_of(method, {})), id(world.add_body(wakeful(def)).value()) {
        if (joint == Idle::ball_joint) join(world, BallJoint{}, {}, id, {});
        if (joint == Idle::free_joint) join(world, SixDofJoint{}, {}, id, {});
    }

    void run(double seconds) {
        double before = body_omega(world, id).y;
        for (int i = 0; i < std::lround(seconds / kStep); ++i) {
            world.step(kStep);
            const double now = body_omega(world, id).y;
            if (before * now < 0) flips.push_back(world.time() - kStep * now / (now - before));
            before = now;
        }
    }
    /// The time until w2 next changes sign, exactly.
    double next_flip(double seconds) {
        const double sign = body_omega(world, id).y > 0 ? -1 : 1;
        return first_passage(
                   world, [&] { return sign * body_omega(world, id).y; }, 0, seconds)
            .time;
    }
};

void fast_free_fall(Reporter& reporter) {
    World world = world_of(Method::fast);
    BodyDef def = wakeful(asymmetric_top());
    def.velocity = {3, -2, 40};
    const BodyId id = world.add_body(def).value();
    validation::run(world, 10);
    const Vec3d expected = def.velocity * 10.0 + world.settings().gravity * 50.0;
    const Vec3d got = world.state(id).position;
    reporter.expect("fast", "position after 10 s at 60 Hz", numbers(expected), numbers(got),
                    length(got - expected) / length(expected), 1e-6);
}

void fast_asymmetric_top(Reporter& reporter, Idle joint) {
    SteppedSpin spin(Method::fast, asymmetric_top(), joint);
    const Vec3d before = spin.world.momentum().angular;
    const double energy = spin.world.energy().kinetic;
    spin.run(8);
    const double turned = length(spin.world.momentum().angular - before) / length(before);
    reporter.expect("fast", with(joint) + "angular momentum after 8 s", {0}, {turned}, turned,
                    1e-6);
    const double kept = spin.world.energy().kinetic / energy;
    reporter.expect("fast", with(joint) + "energy after 8 s / at the start", {1}, {kept},
                    std::abs(kept - 1), 0.01);
    const double flips = static_cast<double>(spin.flips.size());
    reporter.expect("fast", with(joint) + "flips in 8 s", {3}, {flips}, std::abs(flips - 3), 0);
}

void fast_intermediate_axis(Reporter& reporter, Idle joint) {
    SteppedSpin spin(Method::fast, spinning({1, 2, 3}, {0.01, 1, 0.01}), joint);
    spin.run(40);
    const double expected = 19.552867099;
    const double got = spin.flips.size() < 2 ? 0 : spin.flips[1] - spin.flips[0];
    reporter.expect("fast", with(joint) + "between sign changes of w2", {expected}, {got},
                    relative(got, expected), 0.02);
}

void stepped_stable_spin(Reporter& reporter, const Bound& bound, Idle joint) {
    SteppedSpin spin(bound.method, spinning({1, 2, 3}, {0.01, 0, 1}), joint);
    const double start = spin.world.energy().kinetic;
    double worst = 0, tilt = 0;
    for (int i = 0; i < 60000; ++i) {
        spin.world.step(kStep);
        worst = std::max(worst, std::abs(spin.world.energy().kinetic / start - 1));
        const Vec3d w = body_omega(spin.world, spin.id);
        tilt = std::max(tilt, std::atan2(std::hypot(w.x, w.y), std::abs(w.z)));
    }
    reporter.expect(bound, with(joint) + "energy over 1,000 s", {0}, {worst}, worst);
    reporter.expect(Bound{bound.method, 0.02},
                    with(joint) + "largest angle to the axis: never tumbles", {0.01}, {tilt}, tilt);
}

} // namespace

void check_free_fall(Reporter& reporter) {
    const Vec3d v0{3, -2, 40}, gravity{0, 0, -kGravity};
    for (const Mover& mover : kMovers) {
        World world = mover.world(gravity);
        BodyDef def = asymmetric_top();
        def.velocity = v0;
        const BodyId id = world.add_body(def).value();
        run(world, 10);
        const Vec3d expected = v0 * 10.0 + gravity * 50.0;
        const Vec3d got = world.state(id).position;
        const double error = length(got - expected) / length(expected);
        const char* quantity = "position after 10 s at 60 Hz";
        if (mover.is_exact()) {
            reporter.expect(mover.label(), quantity, numbers(expected), numbers(got), error, 1e-13);
        } else {
            reporter.report(mover.label(), quantity, numbers(expected), numbers(got), error);
        }
    }
    fast_free_fall(reporter);
}

namespace {

const Vec3d kOmegaAt10{2.755840405146849405718, -3.735963519216219904338, -3.161809003467518335258};
const Quatd kTurnedAt10{0.2251645634139581639296, -0.6199275624994524882782,
                        -0.2770291506871945918102, 0.6987457236403101407178};

void spin_for_10_s(Reporter& reporter, const Mover& mover, int steps, double tolerance) {
    World world = mover.world({});
    const BodyId id = world.add_body(asymmetric_top()).value();
    for (int i = 0; i < steps; ++i) world.step(10.0 / steps);
    const Vec3d w = body_omega(world, id);
    const Quatd q = world.state(id).orientation;
    const std::string how = steps == 1 ? " in one step" : " at 60 Hz";
    const double error_w = length(w - kOmegaAt10), error_q = distance(q, kTurnedAt10);
    if (!mover.is_exact()) {
        return reporter.report(mover.label(), "body w(10)" + how, numbers(kOmegaAt10), numbers(w),
                               error_w);
    }
    reporter.expect(mover.label(), "body w(10)" + how, numbers(kOmegaAt10), numbers(w), error_w,
                    tolerance);
    reporter.expect(mover.label(), "q(10)" + how, numbers(kTurnedAt10), numbers(q), error_q,
                    tolerance);
}

void flip(Reporter& reporter, const Mover& mover) {
    const std::vector<double> flips = sign_changes(second_omega(mover, asymmetric_top()), 8, 0.25);
    if (flips.size() < 3) {
        return reporter.expect(mover.label(), "flips in 8 s", {3},
                               {static_cast<double>(flips.size())}, kNone, 0);
    }
    reporter.expect(mover.label(), "first sign change of w_y", {1.165960046}, {flips[0]},
                    std::abs(flips[0] - 1.165960046), 1e-9);
    reporter.expect(mover.label(), "between sign changes", {3.028422079008}, {flips[2] - flips[1]},
                    std::abs(flips[2] - flips[1] - 3.028422079008), 1e-11);
}

/// What `faithful` integrates because a joint is there, and would otherwise do in closed form.
void pinned_asymmetric_top(Reporter& reporter) {
    const std::string pinned = with(Idle::ball_joint);
    SteppedSpin spin(Method::faithful, asymmetric_top(), Idle::ball_joint);
    spin.run(10);
    const Vec3d w = body_omega(spin.world, spin.id);
    const Quatd q = spin.world.state(spin.id).orientation;
    const Bound bound{Method::faithful, 1e-9};
    reporter.expect(bound, pinned + "body w(10)", numbers(kOmegaAt10), numbers(w),
                    length(w - kOmegaAt10));
    reporter.expect(bound, pinned + "q(10)", numbers(kTurnedAt10), numbers(q),
                    distance(q, kTurnedAt10));
}

void pinned_intermediate_axis(Reporter& reporter) {
    SteppedSpin spin(Method::faithful, spinning({1, 2, 3}, {0.01, 1, 0.01}), Idle::ball_joint);
    const double first = spin.next_flip(30), expected = 19.552867099;
    const double got = spin.next_flip(30) - first;
    reporter.expect(Bound{Method::faithful, 1e-9},
                    with(Idle::ball_joint) + "between sign changes of w2", {expected}, {got},
                    std::abs(got - expected));
}

} // namespace

namespace {

plot::Series series_of(const Mover& mover) {
    const int color = mover.method == Method::faithful ? 0 : 2 + static_cast<int>(mover.integrator);
    return {mover.label(), {}, {}, plot::Mark::line, color};
}

plot::Plot plot_flips() {
    plot::Panel panel{"w_y in the body, rad/s"};
    for (const Mover& mover : kMovers) {
        if (mover.method == Method::free && mover.is_exact()) continue; // what faithful does
        World world = mover.world({});
        const BodyId id = world.add_body(asymmetric_top()).value();
        panel.series.push_back(series_of(mover));
        follow(panel.series.back(), world, 10, kStep, [&] { return body_omega(world, id).y; });
    }
    plot::Series exact = theory("where it changes sign", plot::Mark::dots);
    for (double t = 1.165960046; t < 10; t += 3.028422079008) exact.add(t, 0);
    panel.series.push_back(exact);
    return {"A box spun about its middle axis flips over", "time, s", {panel}};
}

plot::Plot plot_energy(const std::string& title, const BodyDef& def, double seconds, int every) {
    plot::Panel panel{"energy, relative error"};
    panel.is_logarithmic = true;
    for (const Mover& mover : kMovers) {
        World world = mover.world({});
        world.add_body(def).value();
        const double start = world.energy().kinetic;
        panel.series.push_back(series_of(mover));
        follow(
            panel.series.back(), world, seconds, kStep,
            [&] { return magnitude(world.energy().kinetic / start - 1); }, every);
    }
    return {title, "time, s", {panel}};
}

} // namespace

void check_asymmetric_top(Reporter& reporter) {
    for (const Mover& mover : kMovers) {
        if (mover.is_exact()) spin_for_10_s(reporter, mover, 1, 1e-12);
        spin_for_10_s(reporter, mover, 600, 1e-9);
        if (mover.is_exact()) flip(reporter, mover);
    }
    for (const Idle joint : {Idle::none, Idle::ball_joint}) fast_asymmetric_top(reporter, joint);
    pinned_asymmetric_top(reporter);
    reporter.plot(plot_flips);
    reporter.plot([] { return plot_energy("Its energy, by integrator", asymmetric_top(), 10, 1); });
}

void check_intermediate_axis(Reporter& reporter) {
    const double expected = 19.552867099;
    for (const Mover& mover : kMovers) {
        if (!mover.is_exact()) continue;
        const std::vector<double> flips =
            sign_changes(second_omega(mover, spinning({1, 2, 3}, {0.01, 1, 0.01})), 40, 1);
        const double got = flips.size() < 2 ? kNone : flips[1] - flips[0];
        reporter.expect(mover.label(), "between sign changes of w2", {expected}, {got},
                        std::abs(got - expected), 1e-9);
    }
    for (const Idle joint : {Idle::none, Idle::ball_joint}) fast_intermediate_axis(reporter, joint);
    pinned_intermediate_axis(reporter);
}

void check_stable_spin(Reporter& reporter) {
    for (const Mover& mover : kMovers) {
        World world = mover.world({});
        const BodyId id = world.add_body(spinning({1, 2, 3}, {0.01, 0, 1})).value();
        const double start = world.energy().kinetic;
        double worst = 0, tilt = 0;
        for (int i = 0; i < 60000; ++i) {
            world.step(kStep);
            worst = std::max(worst, std::abs(world.energy().kinetic / start - 1));
            const Vec3d w = body_omega(world, id);
            tilt = std::max(tilt, std::atan2(std::hypot(w.x, w.y), std::abs(w.z)));
        }
        if (mover.is_exact()) {
            reporter.expect(mover.label(), "energy over 1,000 s", {0}, {worst}, worst, 1e-11);
            reporter.expect(mover.label(), "largest angle to the axis: never tumbles", {0.01},
                            {tilt}, tilt, 0.02);
        } else {
            reporter.report(mover.label(), "energy over 1,000 s", {0}, {worst}, worst);
        }
    }
    for (const Idle joint : {Idle::none, Idle::free_joint})
        stepped_stable_spin(reporter, {Method::fast, 1e-3}, joint);
    stepped_stable_spin(reporter, {Method::faithful, 1e-11}, Idle::free_joint);
    reporter.plot([] {
        return plot_energy("Energy over 1,000 s, by integrator", spinning({1, 2, 3}, {0.01, 0, 1}),
                           1000, 150);
    });
}

} // namespace rigor::validation
