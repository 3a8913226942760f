// Common to the checks: worlds with default settings, bodies of one shape, and timing. Sleeping is
// off.
#pragma once

#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor::validation {

constexpr double kGravity = 9.81;
constexpr double kStep = 1.0 / 60;
constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;
/// The value of a quantity that was never reached; passes no tolerance.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A method with its default settings.
World world_of(Method method, const Vec3d& gravity = {0, 0, -kGravity});

/// A body of one shape; static ones carry `fixed`.
BodyDef body(const ShapeGeometry& geometry, double friction, double restitution = 0);
BodyDef fixed(BodyDef def);
/// A body without shapes, at rest at a position.
BodyDef mass_at(const Vec3d& position, double mass, const Vec3d& moments);
/// Tiny moments of inertia, for the textbook's point mass.
BodyDef point_mass(const Vec3d& position, double mass);

/// A plane z = 0.
BodyId add_ground(World& world, double friction, double restitution = 0);
JointId join(World& world, const JointKind& kind, BodyId a, BodyId b, const Vec3d& anchor);

void run(World& world, double seconds, double dt = kStep);

/// The time at which a quantity passed a level, and by how much the world has advanced since.
struct Passage {
    double time = kNone, ago = 0;
};

/// Steps until f(), taken after every step, first passes `level` from below: for `fast` in a
/// straight line between two steps; `faithful` goes back and steps to the exact time. None when it
/// does not within `seconds`.
Passage first_passage(World& world, const std::function<double()>& f, double level, double seconds,
                      double dt = kStep);

/// The mean vertical contact force on a body during the last step of kStep, N.
double load_on(const World& world, BodyId id);

/// |got / expected - 1|.
double relative(double got, double expected);
double median(std::vector<double> values);
std::vector<double> numbers(const Vec3d& v);
std::vector<double> numbers(const Quatd& q);

/// Uniform in [0, 1), the same on every machine [Steele 2014].
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double next();
    double next(double lo, double hi) { return lo + (hi - lo) * next(); }

  private:
    std::uint64_t state_;
};

} // namespace rigor::validation
