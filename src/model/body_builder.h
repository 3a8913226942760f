// Body records from definitions: all validity rules of one body.
#pragma once

#include <vector>

#include "model/world_state.h"
#include "rigor/result.h"

namespace rigor {

struct BuiltBody {
    BodyMotion motion; ///< at rest: velocities are set by dynamics
    BodyInertia inertia;
    BodyTraits traits;
    Mobility mobility = Mobility::immobile;
    std::vector<ShapeRecord> shapes; ///< compounds are flattened
};

/// Checks the definition and builds its shapes and mass. Fails with the field's path in
/// `where` ("shapes[1].radius") and the rule and value in `message`.
Result<BuiltBody> build_body(const BodyDef& def);

/// Adds the body and its shapes to a state.
BodyId insert_body(WorldState& state, BuiltBody&& body);

/// Mass and trace of the inertia must be from 1e-100 to 1e100: beyond that the energy of a body, a
/// product of such numbers, may not be finite.
Result<void> check_mass_range(double mass, double inertia_trace);

} // namespace rigor
