// Default substeps of a method, and choices by name.

#include "rigor/settings.h"

#include "settings/choice_names.h"

namespace rigor {

#define RIGOR_NAMES(Type, named)                       \
    std::string_view name(Type value) {                \
        return name_of(value);                         \
    }                                                  \
    std::optional<Type> named(std::string_view text) { \
        return value_named<Type>(text);                \
    }
RIGOR_NAMES(Integrator, integrator_named)
RIGOR_NAMES(Method, method_named)
RIGOR_NAMES(ImpactLaw, impact_law_named)
RIGOR_NAMES(MultiImpact, multi_impact_named)
RIGOR_NAMES(ContactOrder, contact_order_named)
RIGOR_NAMES(RestingRule, resting_rule_named)
RIGOR_NAMES(Detection, detection_named)
#undef RIGOR_NAMES

int substeps_of(const WorldSettings& settings) {
    return settings.substeps.value_or(default_substeps(settings.method));
}

int default_substeps(Method method) {
    return method == Method::fast ? 4 : 1;
}

} // namespace rigor
