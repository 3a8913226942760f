// Several impacts at once: rows 24 to 26. There is no one right answer without a law of
// propagation; what `fast` gives is shown beside the symmetric answers of the literature.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

BodyId add_ball(World& world, const Vec3d& position, const Vec3d& velocity) {
    BodyDef ball = body(SphereDef{0.5}, 0, 1);
    ball.mass = 1;
    ball.position = position;
    ball.velocity = velocity;
    return world.add_body(ball).value();
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

/// Speeds of five touching balls after the first `coming` of them came in at speed 1.
std::vector<double> cradle(int coming) {
    World world = world_of(Method::fast, {});
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i) {
        const bool comes = i < coming;
        balls.push_back(
            add_ball(world, {i - (comes ? 0.1 : 0.0), 0, 0}, {comes ? 1.0 : 0.0, 0, 0}));
    }
    run(world, 0.5);
    std::vector<double> speeds;
    for (const BodyId ball : balls) speeds.push_back(world.state(ball).velocity.x);
    return speeds;
}

} // namespace

void check_newtons_cradle(Reporter& reporter) {
    const std::vector<double> one{0, 0, 0, 0, 1}, two{0, 0, 0, 1, 1};
    const std::vector<double> got_one = cradle(1), got_two = cradle(2);
    reporter.report("fast", "1 in: speeds", one, got_one, largest_difference(one, got_one));
    reporter.report("fast", "2 in: speeds", two, got_two, largest_difference(two, got_two));
}

void check_bernoulli(Reporter& reporter) {
    World world = world_of(Method::fast, {});
    const double x = std::sqrt(3.0) / 2;
    const BodyId first = add_ball(world, {-x - 0.1, 0, 0}, {1, 0, 0});
    const BodyId upper = add_ball(world, {0, 0.5, 0}, {}),
                 lower = add_ball(world, {0, -0.5, 0}, {});
    run(world, 0.5);
    std::vector<double> got;
    for (const BodyId ball : {first, upper, lower}) {
        got.push_back(world.state(ball).velocity.x);
        got.push_back(world.state(ball).velocity.y);
    }
    const double side = std::sqrt(3.0) / 5;
    const std::vector<double> expected{-0.2, 0, 0.6, side, 0.6, -side};
    reporter.report("fast", "velocities of the three balls", expected, got,
                    largest_difference(expected, got));
}

void check_flat_stick(Reporter& reporter) {
    for (const double inertia : {1.0 / 3, 1.0, 1.0 / 5, 1.0 / 20}) {
        World world = world_of(Method::fast, {});
        add_ground(world, 0, 1);
        BodyDef stick = mass_at({0, 0, 0.11}, 1, {inertia, inertia, inertia});
        stick.velocity = {0, 0, -1};
        stick.shapes = body(SphereDef{0.1}, 0, 1).shapes;
        stick.shapes.push_back(stick.shapes[0]);
        stick.shapes[0].position = {-1, 0, 0};
        stick.shapes[1].position = {1, 0, 0};
        const BodyId id = world.add_body(stick).value();
        run(world, 0.2);
        const BodyState s = world.state(id);
        const std::vector<double> got{s.velocity.z, s.angular_velocity.y};
        reporter.report("fast", "v, w for I = " + std::to_string(inertia).substr(0, 5), {1, 0}, got,
                        largest_difference({1, 0}, got));
    }
}

} // namespace rigor::validation
