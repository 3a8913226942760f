// Newton's law: the bodies part e times as fast as they met. Where friction turns normal motion
// into sliding on the way, the normal impulse may have to give back more than it took, and energy
// can grow [Kane 1984].

#include "faithful/impact/laws.h"
#include "faithful/impact/path.h"

namespace rigor::faithful {
namespace {

struct NewtonEnding {
    double parting_speed;

    template <class Piece>
    std::optional<double> operator()(const Piece& piece, const PathPoint& from, const PathPoint& to,
                                     const PhaseLedger&) const {
        return piece.where_velocity(from, to, parting_speed);
    }
};

} // namespace

ImpactOutcome newton_impact(const ContactImpact& impact, ImpactTrace* trace) {
    return ImpactPath(impact, NewtonEnding{-impact.restitution * impact.u.z}, trace).run();
}

} // namespace rigor::faithful
