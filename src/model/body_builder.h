// From a definition to the records of a body: all rules about one body are here.
#pragma once

#include <vector>

#include "model/body_store.h"
#include "model/shape_store.h"
#include "rigor/result.h"

namespace rigor {

struct BuiltBody {
    BodyMotion motion; ///< at rest: velocities are the business of dynamics
    BodyInertia inertia;
    BodyTraits traits;
    Mobility mobility = Mobility::immobile;
    std::vector<ShapeRecord> shapes; ///< compounds are taken apart
};

/// Checks the definition and builds its shapes and mass. Fails with the field's path in
/// `where` ("shapes[1].radius") and the rule and value in `message`.
Result<BuiltBody> build_body(const BodyDef& def);

/// Mass and trace of the inertia must be from 1e-100 to 1e100: beyond that the energy of a body, a
/// product of such numbers, may not be finite.
Result<void> check_mass_range(double mass, double inertia_trace);

} // namespace rigor
