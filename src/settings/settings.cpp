#include "rigor/settings.h"

#include <array>
#include <utility>

namespace rigor {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>; // in the order of the values

template <class E, std::size_t N>
std::string_view name_in(const Names<E, N>& names, E value) {
    return names[static_cast<std::size_t>(value)].second;
}

template <class E, std::size_t N>
std::optional<E> find_in(const Names<E, N>& names, std::string_view name) {
    for (const auto& [value, its_name] : names)
        if (its_name == name) return value;
    return std::nullopt;
}

constexpr Names<Integrator, 4> kIntegrators = {{
    {Integrator::euler, "euler"},
    {Integrator::symplectic, "symplectic"},
    {Integrator::rk4, "rk4"},
    {Integrator::exact, "exact"},
}};

constexpr Names<Method, 9> kMethods = {{
    {Method::free, "free"},
    {Method::fast, "fast"},
    {Method::faithful, "faithful"},
    {Method::baber2006, "baber2006"},
    {Method::kavan2003, "kavan2003"},
    {Method::baber2011, "baber2011"},
    {Method::kenwright, "kenwright"},
    {Method::galoppo2007, "galoppo2007"},
    {Method::penalty, "penalty"},
}};

constexpr Names<MultiImpact, 3> kMultiImpacts = {{
    {MultiImpact::propagation, "propagation"},
    {MultiImpact::simultaneous, "simultaneous"},
    {MultiImpact::reflections, "reflections"},
}};

constexpr Names<RestingRule, 6> kRestingRules = {{
    {RestingRule::lp, "lp"},
    {RestingRule::lcp, "lcp"},
    {RestingRule::cone, "cone"},
    {RestingRule::separation, "separation"},
    {RestingRule::micro, "micro"},
    {RestingRule::penalty, "penalty"},
}};

constexpr Names<Detection, 4> kDetections = {{
    {Detection::static_only, "static"},
    {Detection::substep, "substep"},
    {Detection::bisection, "bisection"},
    {Detection::advancement, "advancement"},
}};

} // namespace

#define RIGOR_NAMES(Type, names, named)                \
    std::string_view name(Type value) {                \
        return name_in(names, value);                  \
    }                                                  \
    std::optional<Type> named(std::string_view text) { \
        return find_in(names, text);                   \
    }
RIGOR_NAMES(Integrator, kIntegrators, integrator_named)
RIGOR_NAMES(Method, kMethods, method_named)
RIGOR_NAMES(MultiImpact, kMultiImpacts, multi_impact_named)
RIGOR_NAMES(RestingRule, kRestingRules, resting_rule_named)
RIGOR_NAMES(Detection, kDetections, detection_named)
#undef RIGOR_NAMES

} // namespace rigor
