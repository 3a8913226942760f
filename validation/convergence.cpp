// Order of convergence: the error as the step is halved.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// The angle of a pendulum released at 90 degrees, after a second.
double pendulum_angle(Method method, double dt) {
    World world = world_of(method);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    const JointId pin = join(world, HingeJoint{{0, 1, 0}}, {}, bob, {});
    run(world, 1, dt);
    return world.joint_state(pin).coordinate;
}

/// The position after a second of a ball that starts sliding without spin and then rolls.
double rolling_place(Method method, double dt) {
    World world = world_of(method);
    add_ground(world, 0.2);
    BodyDef ball = body(SphereDef{0.5}, 0.2);
    ball.position = {0, 0, 0.5};
    ball.velocity = {5, 0, 0};
    const BodyId id = world.add_body(ball).value();
    run(world, 1, dt);
    return world.state(id).position.x;
}

/// The error of the angular velocity of an asymmetric top after a second.
double spin_error(Integrator integrator, double dt) {
    WorldSettings settings;
    settings.gravity = {};
    settings.method = Method::free;
    settings.integrator = integrator;
    World world(settings);
    BodyDef def = mass_at({}, 1, {1, 2, 2.5});
    def.angular_velocity = {1, 2, 0.5};
    const BodyId top = world.add_body(def).value();
    const Snapshot start = world.snapshot();
    run(world, 1, dt);
    const Vec3d got = world.state(top).angular_velocity;
    settings.integrator = Integrator::exact;
    world.restore(start);
    world.set_settings(settings);
    world.step(1);
    return length(got - world.state(top).angular_velocity);
}

using Answer = double (*)(Method, double dt);

/// `fast` is reported. The step of `faithful` only sets its output times: in between it takes as
/// many steps of order 5 as its tolerance of 1e-12 needs.
void judge_order(Reporter& reporter, const std::string& what, Answer f, double exact) {
    for (const Method method : {Method::fast, Method::faithful}) {
        const auto error = [&](double dt) { return std::abs(f(method, dt) - exact); };
        const double coarse = error(kStep), middle = error(kStep / 2), fine = error(kStep / 4);
        const std::string quantity = what + ": errors at dt, dt/2, dt/4";
        if (method == Method::faithful) {
            const double worst = std::max({coarse, middle, fine});
            reporter.expect(Bound{method, 1e-10}, quantity, {0}, {coarse, middle, fine}, worst);
            continue;
        }
        reporter.report("fast", quantity, {0}, {coarse, middle, fine}, coarse);
        const double order = std::log2(coarse / middle);
        reporter.report("fast", what + ": order from dt to dt/2", {1}, {order}, order);
    }
}

constexpr double kSteps[] = {kStep * 2, kStep, kStep / 2, kStep / 4, kStep / 8, kStep / 16};

plot::Plot plot_order(const std::string& title, const std::string& label, Answer f, double exact) {
    plot::Panel panel{label};
    panel.is_logarithmic = true;
    for (const Method method : kOwnMethods) {
        panel.series.push_back(series_of(method, plot::Mark::line_and_dots));
        for (const double dt : kSteps)
            panel.series.back().add(dt, magnitude(f(method, dt) - exact));
    }
    plot::Plot plot{title, "time step, s", {panel}};
    plot.is_logarithmic = true;
    return plot;
}

plot::Plot plot_integrators() {
    plot::Panel panel{"error of w after 1 s, rad/s"};
    panel.is_logarithmic = true;
    for (const Integrator integrator :
         {Integrator::rk4, Integrator::symplectic, Integrator::euler}) {
        panel.series.push_back({std::string(name(integrator)),
                                {},
                                {},
                                plot::Mark::line_and_dots,
                                2 + static_cast<int>(integrator)});
        for (const double dt : kSteps) panel.series.back().add(dt, spin_error(integrator, dt));
    }
    for (const auto& [order, at] : {std::pair{1, 0.1}, {2, 1e-3}, {4, 1e-7}}) {
        plot::Series slope = theory("order 1, 2, 4");
        for (const double dt : kSteps) slope.add(dt, at * std::pow(dt / kStep, order));
        panel.series.push_back(slope);
    }
    plot::Plot plot{"A top by the integrators of free motion", "time step, s", {panel}};
    plot.is_logarithmic = true;
    return plot;
}

} // namespace

void check_convergence(Reporter& reporter) {
    // From 90 degrees, by Jacobi's elliptic functions. Float's rounding ends the descent at 3e-6.
    judge_order(reporter, "pendulum", pendulum_angle, 2.881670197938151);
    // Slides for 2 v / (7 mu g), then rolls at 5/7 of its speed.
    const double sliding = 2 * 5.0 / (7 * 0.2 * kGravity);
    const double place =
        5 * sliding - 0.1 * kGravity * sliding * sliding + 25.0 / 7 * (1 - sliding);
    judge_order(reporter, "slide to roll", rolling_place, place);
    // The integrators of free motion that can be selected.
    const std::pair<Integrator, double> nominal[] = {
        {Integrator::rk4, 4}, {Integrator::symplectic, 1}, {Integrator::euler, 1}};
    for (const auto& [integrator, order] : nominal) {
        const double got =
            std::log2(spin_error(integrator, kStep / 2) / spin_error(integrator, kStep / 4));
        reporter.expect("free, " + std::string(name(integrator)), "a top: order from dt/2 to dt/4",
                        {order}, {got}, std::max(0.0, order - got), 0.1);
    }
    reporter.plot([] {
        return plot_order("A pendulum: error after 1 s", "error of the angle, rad", pendulum_angle,
                          2.881670197938151);
    });
    reporter.plot([&] {
        return plot_order("Slide to roll: error after 1 s", "error of the place, m", rolling_place,
                          place);
    });
    reporter.plot(plot_integrators);
}

} // namespace rigor::validation
