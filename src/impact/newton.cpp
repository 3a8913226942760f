// Newton's law (kinematic restitution): the separation speed is e times the approach speed. Where
// friction converts normal motion into sliding during the impact, the normal impulse may have to
// return more energy than it absorbed, and energy can grow [Kane 1984].

#include "impact/impact_laws.h"
#include "impact/impact_path.h"

namespace rigor::contact_dynamics {
namespace {

struct NewtonEnding {
    double parting_speed;

    template <class Segment>
    std::optional<double> operator()(const Segment& segment, const PathPoint& from,
                                     const PathPoint& to, const PhaseLedger&) const {
        return segment.find_velocity(from, to, parting_speed);
    }
};

} // namespace

ImpactOutcome newton_impact(const ContactImpact& impact, ImpactTrace* trace) {
    return ImpactPath(impact, NewtonEnding{-impact.restitution * impact.u.z}, trace).run();
}

} // namespace rigor::contact_dynamics
