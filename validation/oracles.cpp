// Single contacts with answers to many digits: rows 16 and 34, for `fast`.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

using Json = nlohmann::json;

constexpr double kTip = 0.01; ///< radius of the ball that touches

Vec3d vec(const Json& j) {
    return {j[0], j[1], j[2]};
}

/// A body with a small ball whose lowest point, seen along `normal`, is the contact at the origin.
BodyDef touching(const MassProperties& mass, const Vec3d& arm, const Vec3d& normal, double friction,
                 double restitution) {
    BodyDef def = body(SphereDef{kTip}, friction, restitution);
    def.shapes[0].position = arm + normal * kTip;
    def.position = -arm;
    def.mass_properties = mass;
    return def;
}

BodyDef touching(const Json& j, const Vec3d& normal, double friction, double restitution) {
    const Json& i = j["inertia"];
    const Sym3d inertia{i[0], i[4], i[8], i[1], i[2], i[5]};
    BodyDef def = touching({j["mass"], {}, inertia}, vec(j["r"]), normal, friction, restitution);
    def.velocity = vec(j["velocity"]);
    def.angular_velocity = vec(j["angular_velocity"]);
    return def;
}

/// The impulse on a.
Vec3d impulse(const Json& impact) {
    const double friction = impact["friction"], restitution = impact["restitution"];
    const Vec3d normal = vec(impact["normal"]);
    World world = world_of(Method::fast, {});
    if (impact["b"].is_null())
        world.add_body(fixed(body(PlaneDef{normal, 0}, friction, restitution))).value();
    else
        world.add_body(touching(impact["b"], -normal, friction, restitution)).value();
    const BodyId a = world.add_body(touching(impact["a"], normal, friction, restitution)).value();
    const Vec3d before = world.state(a).velocity;
    world.step(kStep);
    return (world.state(a).velocity - before) * impact["a"]["mass"].get<double>();
}

/// A contact in its own frame: du = K p, with Coulomb's friction. The normal is z.
struct ContactProblem {
    Sym3d K;
    Vec3d u;
    double friction = 0, restitution = 0;

    // Any K is that of one body on the ground: of mass 1/k for its least eigenvalue k, the arm
    // along the eigenvector, and turned by the other two: K = 1/m - [r] I^-1 [r].
    Vec3d impulse() const {
        const PrincipalInertia e = principal_inertia(K);
        const double mass = 1 / e.moments.x;
        const double about_y = 1 / (e.moments.z - e.moments.x);
        const double about_z = 1 / (e.moments.y - e.moments.x);
        const Sym3d inertia =
            rotate(e.axes, Sym3d::diagonal({std::max(about_y, about_z), about_y, about_z}));
        World world = world_of(Method::fast, {});
        add_ground(world, friction, restitution);
        BodyDef def = touching({mass, {}, inertia}, e.axes.cx, {0, 0, 1}, friction, restitution);
        def.velocity = u;
        const BodyId id = world.add_body(def).value();
        world.step(kStep);
        return (world.state(id).velocity - u) * mass;
    }
};

std::vector<double> csv_numbers(const std::string& line) {
    std::vector<double> values;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, ',');) values.push_back(std::stod(word));
    return values;
}

std::vector<double> world_frame_errors(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<double> errors;
    for (const Json& impact : Json::parse(in)) {
        const Vec3d expected = vec(impact["expect"]["impulse"]);
        errors.push_back(length(impulse(impact) - expected) / length(expected));
    }
    return errors;
}

std::vector<double> contact_frame_errors(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<double> errors;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'i') continue;
        const std::vector<double> v = csv_numbers(line);
        if (static_cast<int>(v[17]) >= 8) continue; // marked as not to be used
        const ContactProblem problem{
            {v[1], v[4], v[6], v[2], v[3], v[5]}, {v[7], v[8], v[9]}, v[10], v[11]};
        const Vec3d expected{v[12], v[13], v[14]};
        errors.push_back(length(problem.impulse() - expected) / length(expected));
    }
    return errors;
}

/// One contact of a file of the Siconos collection; the normal comes first there.
ContactProblem read_single_contact(const std::filesystem::path& file) {
    std::ifstream in(file);
    double skip = 0, w[9] = {}, q[3] = {};
    ContactProblem problem;
    for (int i = 0; i < 7; ++i) in >> skip;
    for (double& x : w) in >> x;
    for (double& x : q) in >> x;
    in >> problem.friction;
    problem.K = {w[4], w[8], w[0], w[5], w[1], w[2]};
    problem.u = {q[1], q[2], q[0]};
    return problem;
}

/// The error of row 34: how far r is from being its own projection on the cone.
double natural_map_error(const ContactProblem& p, const Vec3d& r) {
    const Vec3d u = p.u + p.K * r;
    const Vec3d s = r - u - Vec3d{0, 0, p.friction * std::hypot(u.x, u.y)};
    const double t = std::hypot(s.x, s.y), mu = p.friction;
    Vec3d projected = s;
    if (t > mu * s.z) {
        const double n = std::max(0.0, (s.z + mu * t) / (1 + mu * mu));
        projected = t > 0 ? Vec3d{mu * n * s.x / t, mu * n * s.y / t, n} : Vec3d{0, 0, n};
    }
    return length(r - projected) / std::max({length(p.u), length(r), length(u)});
}

} // namespace

// Darboux-Keller dynamics with Stronge's energetic restitution [Stronge 1990], integrated to 40
// digits. `fast` has one impulse in Coulomb's cone and Newton's restitution: near it, not the same
// law.
void check_impact_oracles(Reporter& reporter) {
    const auto judge = [&](const char* file, auto errors_of) {
        const auto path = reporter.data_file("fast", file);
        if (!path) return;
        const double error = median(errors_of(*path));
        reporter.expect("fast", std::string(file).substr(10) + ": median error of the impulse", {0},
                        {error}, error, 0.1);
    };
    judge("reference/impacts.json", world_frame_errors);
    judge("reference/impacts_contact_frame.csv", contact_frame_errors);
}

// The collection of Siconos [Acary 2014].
void check_contact_problems(Reporter& reporter) {
    const auto single =
        reporter.data_file("fast", "data/contact_problems/FrictionContact3D_1c.dat");
    if (single) {
        const ContactProblem problem = read_single_contact(*single);
        const double error = natural_map_error(problem, problem.impulse());
        reporter.expect_known("fast", "the problem of one contact, as a body", {0}, {error}, error,
                              1e-3,
                              "an impact is over in one sweep: its normal impulse, 1/15, does not "
                              "learn what friction does to it, and 0.015 m/s are left");
    }
    reporter.skip(
        "fast", "the 18 problems of many contacts",
        "fast solves bodies and shapes; these are matrices, and no bodies come with them");
}

} // namespace rigor::validation
