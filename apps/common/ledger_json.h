// A ledger as JSON. Scripts rely on the names.
#pragma once

#include "rigor/report.h"

namespace rigor::app {

/// Json is nlohmann::json or nlohmann::ordered_json.
template <class Json>
Json ledger_json(const Ledger& l) {
    return {{"gravity", l.gravity},
            {"forces", l.forces},
            {"contact_normal", l.contact_normal},
            {"contact_friction", l.contact_friction},
            {"impact", l.impact},
            {"joints", l.joints},
            {"damping", l.damping},
            {"edits", l.edits},
            {"remainder", l.remainder}};
}

} // namespace rigor::app
