#include "rigor/settings.h"

#include <array>
#include <utility>

namespace rigor {
namespace {

constexpr std::array<std::pair<Integrator, std::string_view>, 4> kIntegrators = {{
    {Integrator::euler, "euler"},
    {Integrator::symplectic, "symplectic"},
    {Integrator::rk4, "rk4"},
    {Integrator::exact, "exact"},
}};

} // namespace

std::string_view name(Integrator integrator) {
    return kIntegrators[static_cast<std::size_t>(integrator)].second;
}

std::optional<Integrator> integrator_named(std::string_view name) {
    for (const auto& [integrator, its_name] : kIntegrators) {
        if (its_name == name) return integrator;
    }
    return std::nullopt;
}

} // namespace rigor
