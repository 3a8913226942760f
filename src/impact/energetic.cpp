// Stronge's law (energetic restitution): the work of restitution is e² times that of compression
// [Stronge 1990], over all phases of either [Baber 2011, 3.4]. Friction always dissipates, and the
// normal impulse returns at most the energy it absorbed, so no impact adds energy.

#include "impact/impact_laws.h"
#include "impact/impact_path.h"
#include "math/tolerances.h"

namespace rigor::contact_dynamics {
namespace {

struct EnergeticEnding {
    double restitution;

    template <class Segment>
    std::optional<double> operator()(const Segment& segment, const PathPoint& from,
                                     const PathPoint& to, const PhaseLedger& ledger) const {
        const double due = -restitution * restitution * ledger.compression_work;
        return segment.find_work(from, to, std::max(due - ledger.decompression_work, 0.0));
    }
};

} // namespace

double safe_share(const ContactImpact& impact, const Vec3d& p) {
    const double size = impact.k(0, 0) + impact.k(1, 1) + impact.k(2, 2);
    const double rounding = 8 * kEpsilon<double> * size * length_squared(p);
    const double first = dot(p, impact.u);
    if (rounding <= 1e-9 * std::abs(first)) return 1;
    return std::clamp(-2 * first / (std::max(dot(p, impact.k * p), 0.0) + rounding), 0.0, 1.0);
}

ImpactOutcome energetic_impact(const ContactImpact& impact, ImpactTrace* trace) {
    ImpactOutcome outcome = ImpactPath(impact, EnergeticEnding{impact.restitution}, trace).run();
    outcome.impulse *= safe_share(impact, outcome.impulse);
    return outcome;
}

} // namespace rigor::contact_dynamics
