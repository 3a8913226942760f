// Model section of a certificate: bodies, shapes, materials and joints, and what cannot be
// certified.
#pragma once

#include "common/certificate_text.h"
#include "rigor/simulation.h"

namespace rigor::app {

/// A body that a certificate speaks of, and what it was made from.
struct CertifiedBody {
    BodyId id;
    const SceneBody* definition = nullptr;
};
/// In the order of the certificate.
using CertifiedBodies = std::vector<CertifiedBody>;
/// Those of the scene, which must all be there.
CertifiedBodies bodies_of_scene(const Simulation& simulation);

/// Fails with one sentence when a certificate cannot express a part of the scene.
Result<void> check_certifiable(const Simulation& simulation, const CertifiedBodies& bodies);

/// The first line. Bodies are as they are now; or, where the certificate begins in the middle of a
/// run, as they were made, since that is what joints refer to.
std::string certificate_header(const Simulation& simulation, const CertifiedBodies& bodies,
                               double dt, bool is_window);

/// Joints of the scene that are there, by their place among scene().joints.
std::vector<std::size_t> certified_joints(const Simulation& simulation);

} // namespace rigor::app
