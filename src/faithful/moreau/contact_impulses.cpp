#include "faithful/moreau/contact_impulses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/resolve_event.h"
#include "faithful/moreau/substep_motion.h"

namespace rigor::faithful {
namespace {

constexpr double kTolerance = 1e-12;     // merit of small contact problems
constexpr double kToleranceLarge = 1e-8; // merit of large ones
constexpr std::size_t kLargeProblem = 300;

/// Relative contact velocities at the start of the substep, before external forces: contacts must
/// not bounce from what gravity added since.
std::vector<Vec3d> velocities_before(const MoreauData& data, const ContactGroup& group) {
    Island before = group.island;
    for (std::size_t k = 0; k < group.world_index.size(); ++k)
        before.motion[k] = data.motion_before[group.world_index[k]];
    return ContactProblem(data.state, before, before.contacts).velocities();
}

/// What bounds the normal velocity of each contact from below:
///
///     v >= max(restitution_velocity, -(gap + rotation_gap) / h)
struct NormalBounds {
    std::vector<double> restitution_velocity; ///< -infinity if the contact does not bounce
    std::vector<double> gap;                  ///< at the start; penetration counts as none
    std::vector<double> rotation_gap;         ///< what rotation adds to the gap at the end

    double velocity(std::size_t i, double h) const {
        return std::max(restitution_velocity[i], -(gap[i] + rotation_gap[i]) / h);
    }

    /// No contact is thrown apart any more: none bounces, and none is lifted for what rotation
    /// takes of its gap. Impulses with such bounds do no positive work, whatever the contacts.
    void allow_no_separation() {
        for (std::size_t i = 0; i < gap.size(); ++i) {
            restitution_velocity[i] = -std::numeric_limits<double>::infinity();
            rotation_gap[i] = std::max(rotation_gap[i], -gap[i]);
        }
    }
};

NormalBounds normal_bounds(const MoreauData& data, const ContactGroup& group,
                           std::span<const ContactFrame> frames, std::span<const Vec3d> start,
                           double h) {
    const double threshold = data.context.laws.tolerances.restitution_threshold;
    const std::vector<Vec3d> before = velocities_before(data, group);
    NormalBounds bounds;
    bounds.rotation_gap.resize(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        const double restitution = group.island.contacts[i].material.restitution;
        const bool bounces = before[i].z < -threshold && restitution > 0 &&
                             frames[i].gap + 0.5 * h * start[i].z <= 0;
        bounds.gap.push_back(std::max(frames[i].gap, 0.0));
        bounds.restitution_velocity.push_back(bounces ? -restitution * before[i].z
                                                      : -std::numeric_limits<double>::infinity());
    }
    return bounds;
}

/// Static friction where a contact stuck at the start of the substep, else kinetic friction.
std::vector<double> friction_of(const MoreauData& data, const ContactGroup& group) {
    std::vector<double> mu;
    for (const Contact& c : group.island.contacts) mu.push_back(c.material.kinetic_friction);
    const auto is_stronger_at_rest = [](const Contact& c) {
        return c.material.static_friction > c.material.kinetic_friction;
    };
    const std::vector<Contact>& contacts = group.island.contacts;
    if (std::none_of(contacts.begin(), contacts.end(), is_stronger_at_rest)) return mu;
    constexpr double kMaxStickingSpeed =
        1e-5; // m/s: what the solver leaves of a contact that sticks
    const std::vector<Vec3d> before = velocities_before(data, group);
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (length(Vec3d{before[i].x, before[i].y, 0}) <= kMaxStickingSpeed)
            mu[i] = contacts[i].material.static_friction;
    return mu;
}

/// The impulses of the solution, row by row.
std::vector<RowImpulse> rows_of(const MoreauData& data, const ContactProblem& contacts,
                                const ContactGroup& group) {
    const double threshold = data.context.laws.tolerances.restitution_threshold;
    return contacts.row_impulses(group.impulses, [&](std::size_t i) {
        const bool is_impact = group.start_velocities[i].z < -threshold;
        return is_impact ? &WorkLedger::impact : &WorkLedger::contact_normal;
    });
}

/// The contacts of a group in one substep, as a problem of velocities.
class SubstepContacts {
  public:
    SubstepContacts(MoreauData& data, ContactGroup& group, double h)
        : data_(data),
          group_(group),
          h_(h),
          contacts_(data.state, group.island, group.island.contacts),
          from_(group.island.motion) {
        group.frames = contacts_.frames();
        group.start_velocities = contacts_.velocities();
        problem_.w = contacts_.matrix();
        problem_.mu = friction_of(data, group);
        bounds_ = normal_bounds(data, group, group.frames, group.start_velocities, h);
    }

    /// Bounds that account for the rotation of a substep can ask for more and more velocity, as
    /// faster bodies rotate further. Where the impulses would do work, those of a collision without
    /// restitution are taken, and what penetrates is left to the correction of positions.
    void solve() {
        solve_with_rotation();
        if (work() > 1e-12 * largest_work()) {
            bounds_.allow_no_separation();
            solve_once();
        }
        group_.impulses = std::move(result_.r);
        group_.island.motion = from_;
        apply_impulses(data_.state, rows_of(data_, contacts_, group_), group_);
    }

  private:
    void solve_once() {
        problem_.q = group_.start_velocities;
        for (std::size_t i = 0; i < problem_.q.size(); ++i)
            problem_.q[i].z -= bounds_.velocity(i, h_);
        result_ = solve_contact_problem(problem_, data_.outcome.statistics, result_.r);
        end_velocities_ = group_.start_velocities;
        add_product(problem_.w, result_.r, end_velocities_);
    }

    void solve_with_rotation() {
        Island& island = group_.island;
        // What penetrates already is left to the correction of positions: as a velocity it would
        // be energy, and between walls that squeeze a body there is none.
        double deepest = 0;
        for (const ContactFrame& frame : group_.frames) deepest = std::min(deepest, frame.gap);
        for (int round = 0; round < kMaxIterations; ++round) {
            // At least once, or there would be no impulses.
            if (round > 0 && deadline_has_passed()) break;
            solve_once();
            island.motion = from_;
            apply(island, data_.state, contacts_.body_impulses(result_.r));
            Island end = island;
            integrate_positions(data_.state, end, h_);
            if (deepest_gap(end) > deepest - kMaxPenetration) break;
            for (std::size_t i = 0; i < end_velocities_.size(); ++i)
                bounds_.rotation_gap[i] = closest_points_of(end.contacts[i], end).gap -
                                          group_.frames[i].gap - h_ * end_velocities_[i].z;
        }
    }

    /// Of all impulses: each at the mean of the relative velocities before and after.
    double work() const {
        double sum = 0;
        for (std::size_t i = 0; i < result_.r.size(); ++i)
            sum += 0.5 * dot(result_.r[i], group_.start_velocities[i] + end_velocities_[i]);
        return sum;
    }
    double largest_work() const {
        double sum = 0;
        for (std::size_t i = 0; i < result_.r.size(); ++i)
            sum += length(result_.r[i]) * length(group_.start_velocities[i]);
        return sum;
    }

    MoreauData& data_;
    ContactGroup& group_;
    double h_;
    ContactProblem contacts_;
    std::vector<BodyMotion> from_;
    FrictionProblem problem_;
    FrictionResult result_;
    NormalBounds bounds_;
    std::vector<Vec3d> end_velocities_;
};

/// Impulses of rolling resistance and torsional friction are bounded by the normal ones, and change
/// the velocities that those start from: both are found in turn until they agree.
void apply_couples(MoreauData& data, ContactGroup& group, double h) {
    const WorldState& state = data.state;
    Island& island = group.island;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    CoupleImpulses couples(island.contacts, frames_of(island.contacts, bodies), bodies);
    const StepStatistics statistics = data.outcome.statistics;
    constexpr int kMaxRounds = 60;
    for (int round = 0; round < kMaxRounds && !deadline_has_passed(); ++round) {
        ContactGroup trial = group;
        apply_impulses(state, couples.row_impulses(&WorkLedger::contact_friction), trial);
        SubstepContacts(data, trial, h).solve();
        double largest = 0;
        for (const Vec3d& r : trial.impulses) largest = std::max(largest, r.z);
        if (couples.update(kinematics_of(state, trial.island), trial.impulses) <= 1e-12 * largest)
            break;
    }
    data.outcome.statistics = statistics;
    apply_impulses(state, couples.row_impulses(&WorkLedger::contact_friction), group);
}

} // namespace

void solve_contact_impulses(MoreauData& data, ContactGroup& group, double h) {
    if (group.island.contacts.empty()) return;
    if (has_couples(group.island.contacts)) apply_couples(data, group, h);
    SubstepContacts(data, group, h).solve();
}

FrictionResult solve_contact_problem(const FrictionProblem& problem, StepStatistics& statistics,
                                     std::span<const Vec3d> guess) {
    FrictionSettings settings;
    settings.tolerance = problem.q.size() > kLargeProblem ? kToleranceLarge : kTolerance;
    settings.sufficient = kToleranceLarge;
    FrictionResult result = solve_friction(problem, settings, guess);
    statistics.residual = std::max(statistics.residual, result.merit);
    if (!(result.merit <= kToleranceLarge)) ++statistics.unsolved_count;
    return result;
}

} // namespace rigor::faithful
