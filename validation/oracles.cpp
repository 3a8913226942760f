// Contacts with reference answers to many digits: impact_oracles, contact_problems.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checks.h"
#include "contact_problem_file.h"
#include "impact_plots.h"
#include "rigor/impact.h"
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

/// `faithful` follows the motion after the impact: its step is too short for forces to matter.
double impact_step(Method method) {
    return method == Method::fast ? kStep : 1e-14;
}

/// The impulse on a.
Vec3d impulse(Method method, const Json& impact) {
    const double friction = impact["friction"], restitution = impact["restitution"];
    const Vec3d normal = vec(impact["normal"]);
    World world = world_of(method, {});
    if (impact["b"].is_null())
        world.add_body(fixed(body(PlaneDef{normal, 0}, friction, restitution))).value();
    else
        world.add_body(touching(impact["b"], -normal, friction, restitution)).value();
    const BodyId a = world.add_body(touching(impact["a"], normal, friction, restitution)).value();
    const Vec3d before = world.state(a).velocity;
    world.step(impact_step(method));
    return (world.state(a).velocity - before) * impact["a"]["mass"].get<double>();
}

/// A contact in its own frame: du = K p, with Coulomb's friction. The normal is z.
struct ContactProblem {
    Sym3d K;
    Vec3d u;
    double friction = 0, restitution = 0;

    // Every K belongs to some body on the ground: mass 1/k for the smallest eigenvalue k, the lever
    // arm along its eigenvector, the inertia from the other two: K = 1/m - [r] I^-1 [r].
    Vec3d impulse(Method method) const {
        const PrincipalInertia e = principal_inertia(K);
        const double mass = 1 / e.moments.x;
        const double about_y = 1 / (e.moments.z - e.moments.x);
        const double about_z = 1 / (e.moments.y - e.moments.x);
        const Sym3d inertia =
            rotate(e.axes, Sym3d::diagonal({std::max(about_y, about_z), about_y, about_z}));
        World world = world_of(method, {});
        add_ground(world, friction, restitution);
        BodyDef def = touching({mass, {}, inertia}, e.axes.cx, {0, 0, 1}, friction, restitution);
        def.velocity = u;
        const BodyId id = world.add_body(def).value();
        world.step(impact_step(method));
        return (world.state(id).velocity - u) * mass;
    }
};

std::vector<double> csv_numbers(const std::string& line) {
    std::vector<double> values;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, ',');) values.push_back(std::stod(word));
    return values;
}

/// What came of the impacts of a file.
struct OracleErrors {
    std::vector<double> fast, faithful; ///< of the impulse, by bodies in a world
    double law = 0;                     ///< the worst of the law alone
    int wrong_modes = 0;                ///< whether it ends sticking or sliding

    void add(const Vec3d& expected, const Vec3d& by_fast, const Vec3d& by_faithful,
             const Vec3d& by_law) {
        const auto error = [&](const Vec3d& got) {
            return length(got - expected) / length(expected);
        };
        fast.push_back(error(by_fast));
        faithful.push_back(error(by_faithful));
        law = std::max(law, error(by_law));
    }
};

ImpactBody impact_body(const Json& j) {
    const Json& i = j["inertia"];
    const Sym3d inertia{i[0], i[4], i[8], i[1], i[2], i[5]};
    return {1 / j["mass"].get<double>(), inverse(inertia), vec(j["r"]), vec(j["velocity"]),
            vec(j["angular_velocity"])};
}

OracleErrors world_frame_errors(const std::filesystem::path& file) {
    std::ifstream in(file);
    OracleErrors errors;
    for (const Json& impact : Json::parse(in)) {
        BodyImpact bodies;
        bodies.a = impact_body(impact["a"]);
        if (!impact["b"].is_null()) bodies.b = impact_body(impact["b"]);
        bodies.normal = vec(impact["normal"]);
        bodies.friction = impact["friction"];
        bodies.restitution = impact["restitution"];
        const ContactFrameImpact contact = in_contact_frame(bodies);
        const ImpactOutcome outcome = solve_impact(contact.impact);
        errors.add(vec(impact["expect"]["impulse"]), impulse(Method::fast, impact),
                   impulse(Method::faithful, impact), contact.axes * outcome.impulse);
        errors.wrong_modes += name(outcome.mode) != impact["expect"]["mode"].get<std::string>();
    }
    return errors;
}

OracleErrors contact_frame_errors(const std::filesystem::path& file) {
    std::ifstream in(file);
    OracleErrors errors;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'i') continue;
        const std::vector<double> v = csv_numbers(line);
        const int mode = static_cast<int>(v[18]); // bits: slides, reaches sticking, slides again
        if (mode >= 8) continue;                  // marked as not to be used
        const ContactProblem problem{
            {v[1], v[4], v[6], v[2], v[3], v[5]}, {v[7], v[8], v[9]}, v[10], v[11]};
        ContactImpact impact;
        impact.k = problem.K.matrix();
        impact.u = problem.u;
        impact.friction = problem.friction;
        impact.restitution = problem.restitution;
        const ImpactOutcome outcome = solve_impact(impact);
        errors.add({v[12], v[13], v[14]}, problem.impulse(Method::fast),
                   problem.impulse(Method::faithful), outcome.impulse);
        const ImpactMode expected = mode >= 4   ? ImpactMode::unstable_sticking
                                    : mode >= 2 ? ImpactMode::stable_sticking
                                                : ImpactMode::sliding;
        errors.wrong_modes += outcome.mode != expected;
    }
    return errors;
}

} // namespace

namespace {

/// The example of [Baber 2011, 1.2], which has two phases of compression.
ContactImpact pressed_twice() {
    BodyImpact impact;
    impact.a.inverse_mass = 1;
    impact.a.inverse_inertia = {9, 6, 9, 6, -6, -2};
    impact.a.r = {1, 1, 1};
    impact.a.velocity = {630, -780, -0.22};
    impact.normal = {0, 0, 1};
    impact.friction = 0.5;
    impact.restitution = 0.9;
    return in_contact_frame(impact).impact;
}

/// K, friction and an impact of [Baber 2011, 3.7].
ContactImpact leaves_rest() {
    ContactImpact impact;
    impact.k = Sym3d{20, 4, 10, 0, 1, 6}.matrix();
    impact.u = {-0.5, -1, -2};
    impact.friction = 0.7;
    impact.restitution = 0.5;
    return impact;
}

} // namespace

// Darboux-Keller dynamics with Stronge's energetic restitution [Stronge 1990], integrated to 40
// digits. `fast` has one impulse in Coulomb's cone and Newton's restitution: near it, not the same
// law.
void check_impact_oracles(Reporter& reporter) {
    const auto judge = [&](const char* file, auto errors_of) {
        const auto path = reporter.data_file("fast, faithful", file);
        if (!path) return;
        const OracleErrors errors = errors_of(*path);
        const std::string of = std::string(file).substr(10) + ": ";
        const double usual = median(errors.fast);
        reporter.expect("fast", of + "median error of the impulse", {0}, {usual}, usual, 0.1);
        const double worst = *std::max_element(errors.faithful.begin(), errors.faithful.end());
        reporter.expect("faithful", of + "largest error, " + std::to_string(errors.faithful.size()),
                        {0}, {worst}, worst, 1e-9);
        reporter.expect("faithful, law alone", of + "largest error", {0}, {errors.law}, errors.law,
                        1e-9);
        reporter.expect("faithful, law alone", of + "modes that are wrong", {0},
                        {1.0 * errors.wrong_modes}, errors.wrong_modes, 0);
    };
    judge("reference/impacts.json", world_frame_errors);
    judge("reference/impacts_contact_frame.csv", contact_frame_errors);
    reporter.plot([] {
        return plot::plot_impact_path(pressed_twice(), ImpactLaw::energetic, 1e-3,
                                      "An impact that compresses twice, by the law of faithful");
    });
    reporter.plot([] {
        return plot::portrait(leaves_rest(), "Ways of sliding for K and mu of Baber 2011, 3.7");
    });
}

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    return time.count();
}

void check_fast_contact(Reporter& reporter, const std::filesystem::path& file) {
    const FrictionProblem problem = read_contact_problem(file).value();
    const ContactProblem contact{Sym3d::from(problem.w.diagonal(0)), problem.q[0], problem.mu[0]};
    const std::vector<Vec3d> r{contact.impulse(Method::fast)};
    const double error = friction_merit(problem, r);
    reporter.expect("fast", "the problem of one contact, as a body", {0}, {error}, error, 1e-3);
}

/// The problem to 1e-8; whether it was solved to 1e-12.
bool check_problem(Reporter& reporter, const std::filesystem::path& file) {
    const Result<FrictionProblem> problem = read_contact_problem(file);
    const std::string name = file.filename().replace_extension().replace_extension().string();
    if (!problem) {
        reporter.skip("faithful", name, to_string(problem.error()));
        return false;
    }
    FrictionSettings settings;
    settings.tolerance = 1e-12;
    const auto start = std::chrono::steady_clock::now();
    const FrictionResult result = solve_friction(*problem, settings);
    char line[100];
    std::snprintf(line, sizeof line, "%s: %zu contacts, %.3g ms", name.c_str(), problem->q.size(),
                  milliseconds_since(start));
    reporter.expect("faithful", line, {0}, {result.merit}, result.merit, 1e-8);
    return result.merit <= settings.tolerance;
}

} // namespace

// The collection of Siconos [Acary 2014].
void check_contact_problems(Reporter& reporter) {
    if (const auto file =
            reporter.data_file("fast", "data/contact_problems/FrictionContact3D_1c.dat"))
        check_fast_contact(reporter, *file);
    reporter.skip("fast", "the 18 problems of many contacts",
                  "fast solves bodies and shapes; these problems are matrices without bodies");
    const auto folder = reporter.data_file("faithful", "data/contact_problems");
    if (!folder) return;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(*folder))
        if (entry.path().extension() == ".dat") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    double exact = 0;
    for (const std::filesystem::path& file : files) exact += check_problem(reporter, file);
    const double all = static_cast<double>(files.size());
    reporter.expect("faithful", "problems solved to 1e-12, of all", {all}, {exact},
                    (all - exact) / all, 0.5);
}

} // namespace rigor::validation
