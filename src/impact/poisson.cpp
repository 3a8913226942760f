// Poisson's law (kinetic restitution): the normal impulse of restitution is e times that of
// compression, over all phases of either.

#include "impact/impact_laws.h"
#include "impact/impact_path.h"

namespace rigor::contact_dynamics {
namespace {

struct PoissonEnding {
    double restitution;

    template <class Segment>
    std::optional<double> operator()(const Segment& segment, const PathPoint& from,
                                     const PathPoint& to, const PhaseLedger& ledger) const {
        const double due = restitution * ledger.compression_impulse;
        return segment.find_impulse(from, to, std::max(due - ledger.decompression_impulse, 0.0));
    }
};

} // namespace

ImpactOutcome poisson_impact(const ContactImpact& impact, ImpactTrace* trace) {
    return ImpactPath(impact, PoissonEnding{impact.restitution}, trace).run();
}

} // namespace rigor::contact_dynamics
