// Single pass over contacts, without iteration [Kenwright].
//
// Each contact gets its impulses once, in turn: a normal one for the restitution plus a bias
// velocity that grows with the penetration (Baumgarte), then a tangential one against the slip that
// is left, of at most mu times the normal one:
//
//     r_n = max((-(1 + e) u_n + rate max(-gap, 0)) / K_nn, 0)
//     r_t = -t min(|u_t| / (t K t), mu r_n)     with t = u_t / |u_t|
//
// Later contacts see the velocities that earlier ones left, and undo part of their effect.
#pragma once

#include <span>
#include <vector>

#include "contact_dynamics/contact_geometry.h"
#include "multi_impact/impact_problem.h"

namespace rigor::literature {

/// Impulses along tangents and normal, on b. `frames` gives the gaps; `baumgarte_rate` in 1/s.
/// Contacts that approach no faster than `ignored_speed`, if that is positive, get none.
std::vector<Vec3d> single_pass_impulses(const contact_dynamics::ImpactProblem& problem,
                                        std::span<const contact_dynamics::ContactFrame> frames,
                                        double baumgarte_rate, double ignored_speed = 0);

/// Impulses of equation (14) of [Baber 2006] at every contact that overlaps, once and in turn, also
/// where it separates already. There the impulse pulls: bodies that overlap after an impact are
/// pulled together in the next step, and again. It is the error that video 04 shows.
std::vector<Vec3d> signed_impulses(const contact_dynamics::ImpactProblem& problem,
                                   std::span<const contact_dynamics::ContactFrame> frames);

} // namespace rigor::literature
