#include "check.h"

#include <algorithm>

#include "checks.h"
#include "known_failures.h"

namespace rigor::validation {

const char* name(Status status) {
    switch (status) {
        case Status::pass:
            return "pass";
        case Status::fail:
            return "fail";
        case Status::known_failure:
            return "known_failure";
        case Status::skipped:
            return "skipped";
        case Status::report:
            break;
    }
    return "report";
}

std::vector<std::string> methods_of(const CheckResult& result) {
    std::vector<std::string> methods;
    std::string rest = result.method + ", ";
    for (auto comma = rest.find(", "); comma != std::string::npos; comma = rest.find(", ")) {
        const std::string part = rest.substr(0, comma);
        if (method_named(part)) methods.push_back(part);
        rest.erase(0, comma + 2);
    }
    if (methods.empty()) methods.push_back(kNoMethod);
    return methods;
}

namespace {

void judge_known_failure(CheckResult& line, const KnownFailure& known) {
    const std::string outdated = "this known failure is out of date: ";
    line.bound = known.bound;
    if (line.status == Status::pass) {
        line.note = outdated + "the line passes, so remove the entry";
        return;
    }
    line.reason = known.reason;
    if (!(line.error <= known.bound)) return; // worse than today: it fails
    line.status = Status::known_failure;
    if (line.error < 0.5 * known.bound)
        line.note = outdated + "its error is less than half of the bound, so tighten the bound";
}

} // namespace

void Reporter::expect(const std::string& method, const std::string& quantity,
                      std::vector<double> expected, std::vector<double> got, double error,
                      double tolerance) {
    const Status status = error <= tolerance ? Status::pass : Status::fail;
    CheckResult& line =
        add(method, quantity, std::move(expected), std::move(got), error, tolerance, status);
    if (const KnownFailure* known = find_known_failure(check_.number, method, quantity))
        judge_known_failure(line, *known);
}

void Reporter::expect(const Bound& bound, const std::string& quantity, std::vector<double> expected,
                      std::vector<double> got, double error) {
    expect(std::string(rigor::name(bound.method)), quantity, std::move(expected), std::move(got),
           error, bound.tolerance);
}

void Reporter::skip(const std::string& method, const std::string& quantity,
                    const std::string& reason) {
    add(method, quantity, {}, {}, 0, 0, Status::skipped, reason);
}

std::optional<std::filesystem::path> Reporter::data_file(const std::string& method,
                                                         const std::string& file) {
    // The folder that holds data/ and reference/, or one of those two.
    for (const auto& base : {data_, data_ / ".."}) {
        if (!data_.empty() && std::filesystem::exists(base / file)) return base / file;
    }
    lacks_data_ = true;
    skip(method, file,
         data_.empty() ? "needs --data DIR or RIGOR_DATA" : "not found in the data folder");
    return std::nullopt;
}

void Reporter::report(const std::string& method, const std::string& quantity,
                      std::vector<double> expected, std::vector<double> got, double error) {
    add(method, quantity, std::move(expected), std::move(got), error, 0, Status::report);
}

CheckResult& Reporter::add(const std::string& method, const std::string& quantity,
                           std::vector<double> expected, std::vector<double> got, double error,
                           double tolerance, Status status, const std::string& reason) {
    results_.push_back({check_.number, check_.slug, check_.name, check_.source, method, quantity,
                        std::move(expected), std::move(got), error, tolerance, status, reason,
                        std::nullopt, ""});
    return results_.back();
}

/// Data that are missing leave lines out, so then nothing can be said.
void Reporter::find_misnamed_failures(std::size_t first) {
    if (lacks_data_) return;
    const std::size_t end = results_.size();
    for (const KnownFailure& known : known_failures()) {
        if (known.check != check_.number) continue;
        const bool is_named = std::any_of(
            results_.begin() + static_cast<std::ptrdiff_t>(first),
            results_.begin() + static_cast<std::ptrdiff_t>(end), [&](const CheckResult& line) {
                return line.method == known.method && line.quantity == known.quantity;
            });
        if (!is_named)
            add(known.method, known.quantity, {}, {}, 1, 0, Status::fail).note =
                "this known failure names no line of the check";
    }
}

void run_check(const Check& check, std::vector<CheckResult>& results,
               const std::filesystem::path& data, std::vector<CheckPlot>* plots) {
    const std::size_t first = results.size();
    Reporter reporter(check, results, data, plots);
    check.run(reporter);
    reporter.find_misnamed_failures(first);
}

const std::vector<Check>& all_checks() {
    static const std::vector<Check> checks = {
        {1, "free_fall", "free fall", "closed form", check_free_fall},
        {2, "asymmetric_top", "asymmetric top", "Jacobi elliptic functions, 22 digits",
         check_asymmetric_top},
        {3, "intermediate_axis", "intermediate axis", "Jacobi elliptic functions, 22 digits",
         check_intermediate_axis},
        {4, "stable_spin", "stable spin", "conservation", check_stable_spin},
        {5, "heavy_top", "heavy top", "quadratures, 22 digits", check_heavy_top},
        {6, "sleeping_top", "sleeping top", "quadratures, 22 digits", check_sleeping_top},
        {7, "pendulum", "pendulum", "complete elliptic integral", check_pendulum},
        {8, "double_pendulum", "double pendulum", "40-digit integration", check_double_pendulum},
        {9, "falling_rod", "falling rod", "quadratures, 22 digits", check_falling_rod},
        {10, "block_on_incline", "block on an incline", "Coulomb's law", check_block_on_incline},
        {11, "slide_to_roll", "slide to roll", "closed form", check_slide_to_roll},
        {12, "sphere_on_incline", "sphere on an incline", "closed form", check_sphere_on_incline},
        {13, "oblique_impact", "oblique impact", "Coulomb's law", check_oblique_impact},
        {14, "bouncing_ball", "bouncing ball", "Newton's restitution", check_bouncing_ball},
        {15, "elastic_ball", "elastic ball", "conservation", check_elastic_ball},
        {16, "impact_oracles", "impact oracles", "40-digit integration", check_impact_oracles},
        {17, "friction_isotropy", "friction isotropy", "closed form, Kang 2018",
         check_friction_isotropy},
        {18, "elastic_energy", "elastic energy", "conservation, Kang 2018", check_elastic_energy},
        {19, "painleve_rod", "Painleve rod", "energy", check_painleve_rod},
        {20, "turntable", "turntable", "closed form", check_turntable},
        {21, "rolling_disk", "rolling disk", "closed form", check_rolling_disk},
        {22, "jellett_integral", "Jellett integral", "conservation", check_jellett},
        {23, "rocking_block", "rocking block", "Housner 1963", check_rocking_block},
        {24, "newtons_cradle", "Newton's cradle", "propagation", check_newtons_cradle},
        {25, "bernoulli_problem", "Bernoulli's problem", "symmetry and conservation",
         check_bernoulli},
        {26, "flat_stick", "flat stick", "symmetry and conservation", check_flat_stick},
        {27, "collisions_count_pi", "collisions count pi", "Galperin 2003", check_pi},
        {28, "five_properties", "five properties", "Smith 2012", check_five_properties},
        {29, "diamonds", "diamonds", "Paterson 2009", check_diamonds},
        {30, "harmonic_overhang", "harmonic overhang", "statics", check_harmonic_overhang},
        {31, "supports", "supports", "statics", check_supports},
        {32, "mass_ratio", "mass ratio", "statics", check_mass_ratio},
        {33, "arch", "arch", "Heyman 1969", check_arch},
        {34, "contact_problems", "contact problems", "Acary 2014", check_contact_problems},
        {35, "hard_sphere_gas", "hard-sphere gas", "Carnahan 1969", check_gas},
        {36, "sphere_grid", "6x6x6 spheres", "Kang 2018", check_six_six_six},
        {37, "hinged_chain", "hinged chain", "catenary", check_hinged_chain},
        {38, "cube_tosses", "cube tosses", "Pfrommer 2020", check_cube_tosses},
        {39, "ellipse_impacts", "ellipse impacts", "Fazeli 2017", check_ellipse_impacts},
        {40, "convergence", "convergence", "halved steps", check_convergence},
        {41, "invariance", "invariance", "symmetries of space", check_invariance},
        {42, "ledger", "ledger", "conservation", check_ledger},
        {43, "determinism", "same bits", "state hash", check_determinism},
        {44, "hinge_limit", "hinge limit", "quadratures", check_hinge_limit},
        {45, "capped_motor", "motor with a torque cap", "closed form", check_capped_motor},
        {46, "hinge_spring", "spring and damper of a hinge", "closed form", check_hinge_spring},
        {47, "hinge_friction", "dry friction in a hinge", "work of friction", check_hinge_friction},
        {48, "joint_special_cases", "joints as special cases", "equality",
         check_joint_special_cases},
        {49, "gyroscope", "gyroscope", "closed form", check_gyroscope},
        {50, "pinned_spin", "pinned spin", "conservation", check_pinned_spin},
        {51, "pinned_bodies", "rods and tops on a ball joint", "conservation", check_pinned_bodies},
        {52, "ladder", "ladder on a smooth wall", "closed form", check_ladder},
        {53, "stick_slip", "stick-slip", "closed form", check_stick_slip},
        {54, "bowl", "ball in a bowl", "conservation", check_bowl},
        {55, "turntables", "turntables", "closed form", check_turntables},
        {56, "gears", "gears", "closed form", check_gears},
        {57, "bead_on_track", "bead on a track", "tautochrone", check_bead_on_track},
        {58, "vehicle", "vehicle", "closed forms of the tire model", check_vehicle},
        {59, "anisotropic_sliding", "friction with a grain", "fourth-order integration",
         check_anisotropic_sliding},
        {60, "conveyor", "conveyor", "closed form", check_conveyor},
        {61, "rolling_resistance", "rolling resistance", "closed form", check_rolling_resistance},
        {62, "torsional_friction", "torsional friction", "closed form", check_torsional_friction},
        {63, "slow_slide", "slow slide", "Coulomb's law", check_slow_slide},
        {64, "box_on_turntable", "box on a turntable", "Coulomb's law", check_box_on_turntable},
        {65, "rolling_bodies", "rolling bodies", "closed form", check_rolling_bodies},
        {66, "conical_pendulum", "conical pendulum", "closed form", check_conical_pendulum},
        {67, "four_bar", "four-bar linkage", "quadrature", check_four_bar},
        {68, "slider_crank", "slider-crank", "quadrature", check_slider_crank},
        {69, "ballistic_pendulum", "ballistic pendulum", "conservation", check_ballistic_pendulum},
        {70, "tunneling", "thin walls", "non-penetration", check_tunneling},
    };
    return checks;
}

const Check* find_check(std::string_view slug_or_number) {
    for (const Check& check : all_checks())
        if (slug_or_number == check.slug || slug_or_number == std::to_string(check.number))
            return &check;
    return nullptr;
}

const std::vector<Chapter>& chapters() {
    static const std::vector<Chapter> chapters = {
        {1, "Free motion"},
        {10, "Sliding, rolling and impact of one body"},
        {24, "Many contacts"},
        {38, "Against measurement"},
        {40, "Every method and scene"},
        {44, "Joints, drives and energy over long times"},
        {59, "Surfaces"},
        {65, "Beyond the list: rolling, linkages, speed"}};
    return chapters;
}

} // namespace rigor::validation
