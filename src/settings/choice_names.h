// The names of the choices of each setting that has some, in the order of its enumeration.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>

#include "rigor/settings.h"

namespace rigor {

inline constexpr std::string_view kIntegratorNames[] = {"euler", "symplectic", "rk4", "exact"};
inline constexpr std::string_view kMethodNames[] = {
    "free",      "fast",      "faithful",    "baber2006", "kavan2003",
    "baber2011", "kenwright", "galoppo2007", "penalty",
};
inline constexpr std::string_view kImpactLawNames[] = {"newton", "poisson", "energetic",
                                                       "euler",  "mirtich", "planar"};
inline constexpr std::string_view kMultiImpactNames[] = {"propagation", "simultaneous",
                                                         "reflections"};
inline constexpr std::string_view kContactOrderNames[] = {"fastest", "listed"};
inline constexpr std::string_view kRestingRuleNames[] = {"lp",    "lcp",     "cone", "separation",
                                                         "micro", "penalty", "none", "projection"};
inline constexpr std::string_view kDetectionNames[] = {"static", "substep", "bisection",
                                                       "advancement", "regula_falsi"};

using ChoiceNames = std::span<const std::string_view>;

constexpr ChoiceNames names_of(Integrator) {
    return kIntegratorNames;
}
constexpr ChoiceNames names_of(Method) {
    return kMethodNames;
}
constexpr ChoiceNames names_of(ImpactLaw) {
    return kImpactLawNames;
}
constexpr ChoiceNames names_of(MultiImpact) {
    return kMultiImpactNames;
}
constexpr ChoiceNames names_of(ContactOrder) {
    return kContactOrderNames;
}
constexpr ChoiceNames names_of(RestingRule) {
    return kRestingRuleNames;
}
constexpr ChoiceNames names_of(Detection) {
    return kDetectionNames;
}

template <class E>
concept HasChoiceNames = requires(E value) {
    { names_of(value) } -> std::same_as<ChoiceNames>;
};

template <HasChoiceNames E>
constexpr std::string_view name_of(E value) {
    return names_of(value)[static_cast<std::size_t>(value)];
}

template <HasChoiceNames E>
constexpr std::optional<E> value_named(std::string_view name) {
    const ChoiceNames names = names_of(E{});
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<E>(i);
    return std::nullopt;
}

} // namespace rigor
