#include "faithful/advance_island.h"

#include <algorithm>
#include <array>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/resolve_event.h"
#include "contact_dynamics/state_packing.h"
#include "dynamics/angular_velocity.h"
#include "rigor/rotation.h"

namespace rigor::faithful {
namespace {

constexpr std::size_t kWorks = 5;
constexpr double kNoise = 1e-13; // m

/// An island between two events, as the integrator sees it.
class Smooth {
  public:
    Smooth(const WorldState& state, const Laws& laws, const Island& island, Meter& meter)
        : state_(state), laws_(laws), start_(island), trial_(island), meter_(meter) {}

    std::vector<double> pack_all() const {
        std::vector<double> y(kNumbers * start_.bodies.size() + kWorks);
        for (std::size_t i = 0; i < start_.bodies.size(); ++i)
            pack(start_.motion[i], &y[kNumbers * i]);
        const Works& w = start_.works;
        const double works[kWorks] = {w.forces, w.contact_normal, w.contact_friction, w.joints,
                                      w.damping};
        std::copy(works, works + kWorks, y.end() - kWorks);
        return y;
    }

    const Island& at(double t, std::span<const double> y) {
        trial_.time = t;
        for (std::size_t i = 0; i < trial_.bodies.size(); ++i)
            trial_.motion[i] = unpack(&y[kNumbers * i]);
        const double* works = &y[y.size() - kWorks];
        trial_.works.forces = works[0];
        trial_.works.contact_normal = works[1];
        trial_.works.contact_friction = works[2];
        trial_.works.joints = works[3];
        trial_.works.damping = works[4];
        return trial_;
    }

    void rates(double t, std::span<const double> y, std::span<double> rate) {
        const Island& now = at(t, y);
        const Forces forces = forces_in_modes(state_, now);
        Works power;
        for (std::size_t i = 0; i < now.bodies.size(); ++i) {
            BodyMotion change{{}, {0, 0, 0, 0}, {}, {}};
            if (now.bodies[i] != kTheWorld) change = change_of(now, i, forces, power);
            pack(change, &rate[kNumbers * i]);
        }
        const double works[kWorks] = {power.forces, forces.contact_power, forces.friction_power,
                                      forces.joint_power, power.damping};
        std::copy(works, works + kWorks, rate.end() - kWorks);
    }

    /// Positive while all modes hold, and nothing else tells to stop.
    double slack(double t, std::span<const double> y) {
        const Island& now = at(t, y);
        const double slack = forces_in_modes(state_, now).slack;
        if (slack > 0) return std::min(slack, 1.0);
        if (meter_.is_too_much()) return -1e-3;
        return modes_hold(state_, laws_, now, meter_) ? 1e-3 : -1e-3;
    }

    /// Of a contact that is left just now, the gap may be anything that rounding makes of none.
    double gap(std::size_t near, double t, std::span<const double> y) {
        const double touch = laws_.tolerances.touch;
        const double shift = nearest_of(start_.near[near], start_).gap <= touch ? kNoise : 0;
        const Island& now = at(t, y);
        return nearest_of(now.near[near], now).gap + shift;
    }

    /// Along the direction in which it slid.
    double slip(std::size_t contact, double t, std::span<const double> y) {
        const Island& now = at(t, y);
        const Contact& c = now.contacts[contact];
        const BodyMoment a = moment(now, c.a), b = moment(now, c.b);
        return dot(slip_velocity(frame_of(c.geometry, a, b, c.image), a, b), c.slip);
    }

  private:
    BodyMoment moment(const Island& now, std::uint32_t place) const {
        return now.bodies[place] == kTheWorld
                   ? BodyMoment{}
                   : moment_of(state_.bodies, now.bodies[place], now.motion[place]);
    }

    BodyMotion change_of(const Island& now, std::size_t i, const Forces& forces,
                         Works& power) const {
        const BodyMoment body = moment(now, static_cast<std::uint32_t>(i));
        const BodyMotion& m = now.motion[i];
        BodyMotion change{body.v, derivative(m.q, body.w), {}, {}};
        if (!is_mover(state_, now.bodies[i])) return change;
        const BodyTraits& traits = state_.bodies.traits[now.bodies[i]];
        change.p = without_locked(forces.on_bodies[i].linear, traits.lock, lock_tx);
        change.l = without_locked(forces.on_bodies[i].angular, traits.lock, lock_rx);
        power.damping -=
            traits.linear_damping * dot(m.p, body.v) + traits.angular_damping * dot(m.l, body.w);
        if (state_.bodies.wrenches.empty()) return change;
        const Wrench& wrench = state_.bodies.wrenches[now.bodies[i]];
        power.forces += dot(wrench.force, body.v) + dot(wrench.torque, body.w);
        return change;
    }

    const WorldState& state_;
    const Laws& laws_;
    const Island& start_;
    Island trial_;
    Meter& meter_;
};

std::vector<OdeEvent> events_of(Smooth& smooth, const Island& island) {
    using Direction = OdeEvent::Direction;
    std::vector<OdeEvent> events;
    if (!island.contacts.empty())
        events.push_back({[&](double t, auto y) { return smooth.slack(t, y); }, Direction::falling,
                          OdeEvent::Stop::after});
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (c.mode != ContactMode::slide || c.material.kinetic_friction == 0) continue;
        events.push_back(
            {[&smooth, i](double t, auto y) { return smooth.slip(i, t, y); }, Direction::falling});
    }
    for (std::size_t i = 0; i < island.near.size(); ++i)
        events.push_back(
            {[&smooth, i](double t, auto y) { return smooth.gap(i, t, y); }, Direction::falling});
    return events;
}

/// The directions in which contacts slide now are those in which they are watched to stop.
void note_slips(const WorldState& state, Island& island) {
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    for (Contact& c : island.contacts) {
        if (c.mode != ContactMode::slide) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const Vec3d slip = slip_velocity(frame, bodies[c.a], bodies[c.b]);
        if (length(slip) > 1e-9) c.slip = normalize(slip);
    }
}

/// True: nothing moves and nothing pushes it to, to within rounding. The contacts get the forces
/// that hold it.
bool stands_still(const WorldState& state, const Laws& laws, Island& island) {
    if (!island.near.empty()) return false;
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    const Forces forces = forces_in_modes(state, island);
    const double g = std::max(length(state.gravity), 1.0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (length(bodies[i].v) + length(bodies[i].w) > laws.tolerances.motion) return false;
        const Push a = response(bodies[i], forces.on_bodies[i]);
        if (length(a.linear) + length(a.angular) > laws.tolerances.force * g) return false;
    }
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        island.contacts[i].force = forces.contacts[i];
    return true;
}

/// Goes on smoothly to a time or to the first event, whichever comes first. True at an event.
bool flow(const WorldState& state, const Laws& laws, double until, Island& island, Meter& meter,
          Track& track) {
    Smooth smooth(state, laws, island, meter);
    std::vector<double> y = smooth.pack_all();
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = laws.tolerances.motion;
    settings.first_step = until - island.time;
    settings.max_steps = 500; // then the meter is asked
    const std::vector<OdeEvent> events = events_of(smooth, island);
    const OdeResult result = DormandPrince(settings).integrate(
        [&](double t, auto at, auto rate) { smooth.rates(t, at, rate); }, island.time, until, y,
        events,
        [&](const DenseStep& step, auto) {
            track.push_back({step.begin(), step.end(), step});
        });
    const auto size = static_cast<double>(island.bodies.size() + island.contacts.size());
    meter.spend_effort(result.evaluations * size * size * (1 + 0.02 * size));
    Island reached = smooth.at(result.t, y);
    island = std::move(reached);
    project(state, island, holding_entry(island));
    return result.status == OdeStatus::stopped_at_event;
}

constexpr double kSameContacts = 1e-6; // m, rad: contacts that differ by less are the same
constexpr double kShortest = 1e-9;     // s: changes of contacts are found to within it
constexpr double kHurry = 1e-6;        // s: events that follow each other so soon are too many
constexpr double kDeepest = 3;         // times the gap that counts as touching: no deeper

/// What became of the contacts in a motion that was tried.
enum class Change : std::uint8_t {
    none,
    contacts, ///< some came or went
    overlap,  ///< a body went into another: a meeting was missed
};

Change change_of(const WorldState& state, const Laws& laws, const Island& island) {
    Island seen = island;
    const double change = look(state, laws, 0, seen);
    const std::vector<BodyMoment> bodies = moments_of(state, seen);
    for (const ContactFrame& frame : frames_of(seen.contacts, bodies))
        if (frame.gap < -kDeepest * laws.tolerances.touch) return Change::overlap;
    return change > kSameContacts ? Change::contacts : Change::none;
}

struct Trial {
    Island island;
    Track track;
    bool at_event = false;
    Change change = Change::none;
};

Trial try_flow(const WorldState& state, const Laws& laws, const Island& island, double duration,
               Meter& meter) {
    Trial trial{island, {}, false, Change::none};
    trial.at_event = flow(state, laws, island.time + duration, trial.island, meter, trial.track);
    trial.change = change_of(state, laws, trial.island);
    return trial;
}

bool is_over_then(Change change, bool passes_over) {
    return passes_over ? change == Change::overlap : change != Change::none;
}

/// As far as possible until contacts change by other ways than events: a corner that slides off an
/// edge, or touches twice within a step. The time is found by halving. A change of contacts that is
/// nowhere belongs to no motion, only to the choice of points, and is passed over.
Trial flow_until_change(const WorldState& state, const Laws& laws, const Island& island,
                        double duration, Meter& meter) {
    Trial whole = try_flow(state, laws, island, duration, meter);
    const auto stops = [](const Trial& trial) {
        return trial.change == Change::overlap ||
               (trial.change == Change::contacts && !trial.at_event);
    };
    if (!stops(whole) || duration <= kShortest) return whole;
    Trial first = try_flow(state, laws, island, kShortest, meter);
    const bool passes_over = first.change == Change::contacts;
    const auto is_over = [&](const Trial& trial) {
        return passes_over ? trial.change == Change::overlap : stops(trial);
    };
    if (is_over(first) || first.at_event) return first;
    if (!is_over(whole)) return whole;
    // Where the bodies were is read from the track; only the last stretch is gone again.
    double safe = kShortest, over = whole.island.time - island.time;
    Island then = island;
    while (over - safe > kShortest) {
        const double middle = 0.5 * (safe + over);
        for (std::size_t i = 0; i < then.motion.size(); ++i)
            then.motion[i] = motion_at(whole.track, i, island.time + middle);
        (is_over_then(change_of(state, laws, then), passes_over) ? over : safe) = middle;
    }
    return try_flow(state, laws, island, over, meter);
}

} // namespace

BodyMotion motion_at(const TrackPiece& piece, std::size_t place, double time) {
    std::array<double, kNumbers> y;
    piece.dense.evaluate(std::clamp(time, piece.begin, piece.end), y, kNumbers * place);
    return unpack(y.data());
}

BodyMotion motion_at(const Track& track, std::size_t place, double time) {
    const auto after = std::find_if(track.begin(), track.end(),
                                    [&](const TrackPiece& piece) { return time <= piece.end; });
    return motion_at(after == track.end() ? track.back() : *after, place, time);
}

void advance(const WorldState& state, const Laws& laws, double until, Island& island, Story& story,
             Meter& meter, Track* track) {
    while (island.time < until && meter.spend_event()) {
        const double change = look(state, laws, until - island.time, island);
        if (change > kSameContacts || !island.is_settled) settle(state, laws, island, story);
        note_slips(state, island);
        if (stands_still(state, laws, island)) {
            island.time = until;
            return;
        }
        Trial trial = flow_until_change(state, laws, island, until - island.time, meter);
        if (trial.island.time - island.time < kHurry) meter.spend_hurried();
        island = std::move(trial.island);
        if (track) track->insert(track->end(), trial.track.begin(), trial.track.end());
        if (trial.at_event || trial.change != Change::none) {
            ++story.events;
            island.is_settled = false;
        }
    }
}

} // namespace rigor::faithful
