#include "check.h"

#include "checks.h"

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

void Reporter::expect(const std::string& method, const std::string& quantity,
                      std::vector<double> expected, std::vector<double> got, double error,
                      double tolerance) {
    const Status status = error <= tolerance ? Status::pass : Status::fail;
    add(method, quantity, std::move(expected), std::move(got), error, tolerance, status);
}

void Reporter::report(const std::string& method, const std::string& quantity,
                      std::vector<double> expected, std::vector<double> got, double error) {
    add(method, quantity, std::move(expected), std::move(got), error, 0, Status::report);
}

void Reporter::add(const std::string& method, const std::string& quantity,
                   std::vector<double> expected, std::vector<double> got, double error,
                   double tolerance, Status status) {
    results_.push_back({check_.number, check_.name, check_.source, method, quantity,
                        std::move(expected), std::move(got), error, tolerance, status, ""});
}

const std::vector<Check>& all_checks() {
    static const std::vector<Check> checks = {
        {1, "free fall", "closed form", check_free_fall},
        {2, "asymmetric top", "Jacobi elliptic functions, 22 digits", check_asymmetric_top},
        {3, "intermediate axis", "Jacobi elliptic functions, 22 digits", check_intermediate_axis},
        {4, "stable spin", "conservation", check_stable_spin},
        {10, "block on an incline", "Coulomb's law", check_block_on_incline},
        {11, "slide to roll", "closed form", check_slide_to_roll},
        {12, "sphere on an incline", "closed form", check_sphere_on_incline},
        {14, "bouncing ball", "Newton's restitution", check_bouncing_ball},
        {15, "elastic ball", "conservation", check_elastic_ball},
    };
    return checks;
}

} // namespace rigor::validation
