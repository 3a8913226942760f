// The names of the choices of each setting that has some, in the order of its enumeration.
#pragma once

#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "rigor/settings.h"

namespace rigor {

using ChoiceNames = std::span<const std::string_view>;

/// Empty for an enumeration that is no setting.
template <class E>
inline constexpr ChoiceNames kChoiceNames{};
template <>
inline constexpr std::string_view kChoiceNames<Integrator>[] = {"euler", "symplectic", "rk4",
                                                                "exact"};
template <>
inline constexpr std::string_view kChoiceNames<Method>[] = {
    "free",      "fast",      "faithful",    "baber2006", "kavan2003",
    "baber2011", "kenwright", "galoppo2007", "penalty",
};
template <>
inline constexpr std::string_view kChoiceNames<ImpactLaw>[] = {"newton", "poisson", "energetic",
                                                               "euler",  "mirtich", "planar"};
template <>
inline constexpr std::string_view kChoiceNames<MultiImpact>[] = {"propagation", "simultaneous",
                                                                 "reflections"};
template <>
inline constexpr std::string_view kChoiceNames<ContactOrder>[] = {"fastest", "listed"};
template <>
inline constexpr std::string_view kChoiceNames<RestingRule>[] = {
    "lp", "lcp", "cone", "separation", "micro", "penalty", "none", "projection"};
template <>
inline constexpr std::string_view kChoiceNames<Detection>[] = {"static", "substep", "bisection",
                                                               "advancement", "regula_falsi"};

template <class E>
concept HasChoiceNames = !std::empty(kChoiceNames<E>);

template <HasChoiceNames E>
constexpr std::string_view name_of(E value) {
    return kChoiceNames<E>[static_cast<std::size_t>(value)];
}

template <HasChoiceNames E>
constexpr std::optional<E> value_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kChoiceNames<E>); ++i)
        if (kChoiceNames<E>[i] == name) return static_cast<E>(i);
    return std::nullopt;
}

} // namespace rigor
