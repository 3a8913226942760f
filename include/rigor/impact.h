// One impact at one contact point, by a chosen impact law.
//
// Seen from the point of contact the two bodies are a matrix K: an impulse p changes their relative
// velocity there by K p. Frame of the contact: two tangents, then the normal, which is the
// direction of the force on a; u is the velocity of a's point seen from b's, so that u.z < 0
// before.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rigor/export.h"
#include "rigor/mat.h"

namespace rigor {

/// Friction is Coulomb's in all of them.
enum class ImpactLaw {
    newton,    ///< the normal velocity is reversed times e; with friction it may add energy
    poisson,   ///< the impulse of restitution is e times that of compression
    energetic, ///< the work of restitution is e² times that of compression [Stronge 1990]: never
               ///< adds energy
    euler,     ///< the same by explicit Euler steps in p, as [Baber 2011] has it
    mirtich,   ///< likewise, but with one compression and one decompression only: for comparison
    planar,    ///< in a plane, closed form [Baber 2011, 5.2]
};

RIGOR_API std::string_view name(ImpactLaw law);
RIGOR_API std::optional<ImpactLaw> impact_law_named(std::string_view name);

struct ContactImpact {
    Mat3d k; ///< symmetric, positive definite
    Vec3d u;
    double friction = 0, restitution = 0;
};

enum class ImpactMode { separating, sliding, stable_sticking, unstable_sticking };

RIGOR_API std::string_view name(ImpactMode mode);

struct ImpactOutcome {
    Vec3d impulse;                            ///< on a; on b the opposite
    ImpactMode mode = ImpactMode::separating; ///< at the end
    double work_compression = 0,
           work_decompression = 0; ///< of the normal impulse, all phases: <= 0 and >= 0
    int phases = 0;                ///< of compression and of decompression together
};

/// A point of the path of an impact in impulse space, for plots.
struct ImpactTracePoint {
    Vec3d p, u;
};

/// The step in p_z of `euler` and `mirtich`.
struct ImpulseStep {
    double size = 1e-3;
    bool is_absolute = false; ///< N s, as [Baber 2011] prints it; else a share of the whole impulse

    /// A share: 1e-3 means about 1,000 steps.
    constexpr ImpulseStep(double share = 1e-3) : size(share) {}
    static constexpr ImpulseStep absolute(double impulse) {
        ImpulseStep step(impulse);
        step.is_absolute = true;
        return step;
    }
};

/// Solves one impact. With a trace, the path is written to it. Never fails: the impulse is zero
/// when the bodies separate, when neither can move, or when a number is not finite.
RIGOR_API ImpactOutcome solve_impact(const ContactImpact& impact,
                                     ImpactLaw law = ImpactLaw::energetic, ImpulseStep delta = {},
                                     std::vector<ImpactTracePoint>* trace = nullptr);

/// One of the bodies of an impact. The defaults are those of an immovable body.
struct ImpactBody {
    double inverse_mass = 0;
    Sym3d inverse_inertia; ///< about the center of mass, in world axes
    Vec3d r;               ///< from the center of mass to the contact
    Vec3d velocity, angular_velocity;
};

/// Impact of two bodies at a point, in world coordinates.
struct BodyImpact {
    ImpactBody a, b;
    Vec3d normal; ///< a unit vector: the direction of the force on a
    double friction = 0, restitution = 0;
};

/// An impact in its contact frame. The columns of `axes` are that frame: two tangents, then the
/// normal. World vectors are axes * contact vectors.
struct ContactFrameImpact {
    Mat3d axes;
    ContactImpact impact;
};
RIGOR_API ContactFrameImpact in_contact_frame(const BodyImpact& impact);

/// Applies an impulse at the contact to a body. The caller chooses the sign: the impulse on b is
/// the opposite of that on a.
RIGOR_API void apply_impulse(ImpactBody& body, const Vec3d& impulse);

} // namespace rigor
