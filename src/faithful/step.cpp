#include "faithful/step.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <queue>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/pair_prediction.h"
#include "contact_dynamics/resolve_event.h"
#include "faithful/advance_island.h"
#include "faithful/ball_impact.h"
#include "faithful/moreau_step.h"
#include "faithful/pair_time_of_impact.h"

namespace rigor::faithful {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr double kMaxInitialPenetration =
    1e-8;                            // m: bodies that begin deeper in each other are moved apart
constexpr double kHorizonGrowth = 4; // times as far as before, a course is plotted
constexpr double kMinHorizon = 1e-5; // s: and at least so far
constexpr double kMinEventSpacing = 1e-13; // s: meetings that follow each other so soon get nowhere

/// An island with the way it would go if nothing from outside met it, for some time ahead.
struct PredictedMotion {
    Island start, end;
    DenseOutput dense_output;
    StepStatistics statistics; ///< of that way
    double horizon = 0;        ///< s: for how long it is plotted
};

struct ImpactEvent {
    double time = 0;
    ShapePair pair;
    std::uint32_t version_a = 0, version_b = 0; ///< of the bodies' courses
    std::uint32_t prediction = kNone;           ///< nothing meets: this one is to be plotted on

    bool operator>(const ImpactEvent& other) const {
        return time != other.time ? time > other.time : pair > other.pair;
    }
};

class EventStepper {
  public:
    EventStepper(const StepContext& context, RestingIslandCache* resting_cache, double dt)
        : context_(context),
          resting_cache_(resting_cache),
          state_(context.state),
          dt_(dt),
          pair_predictor_(context.state),
          island_of_(context.state.bodies.slot_count(), kNone),
          body_time_(context.state.bodies.slot_count(), 0),
          version_(context.state.bodies.slot_count(), 0),
          acceleration_(context.state.bodies.slot_count()),
          budget_meter_(context.budget),
          outcome_(context.state) {
        for (std::uint32_t body = 0; body < acceleration_.size(); ++body)
            acceleration_[body] = free_flight_acceleration(state_, body);
    }

    /// Which pairs touch, and by how much the deepest overlap.
    double find_touching_pairs() {
        find_pairs();
        double deepest = 0;
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : pair_predictor_.pairs(body)) {
                const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
                if (body != std::min(a, b)) continue;
                const double gap = gap_at_start(pair, a, b);
                deepest = std::min(deepest, gap);
                if (gap <= context_.laws.tolerances.touch_distance) touching_.push_back(pair);
            }
        return deepest;
    }

    /// Nothing when that is too much. The touching pairs are found.
    std::optional<StepOutcome> run() {
        form_islands();
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : pair_predictor_.pairs(body))
                if (body_of(pair.a) == body) schedule_impact(pair);
        process_events();
        if (budget_meter_.exceeds_effort()) return std::nullopt;
        finish_step();
        outcome_.hits = report_hits(state_, outcome_.statistics, context_.hit_speed);
        return std::move(outcome_);
    }

  private:
    bool is_moving(std::uint32_t body) const {
        return state_.bodies.traits[body].type != BodyType::static_body;
    }

    std::uint32_t body_of(std::uint32_t shape) const { return pair_predictor_.bound(shape).body; }

    // ---- where bodies are, and where they go

    BodyMotion body_motion_at(std::uint32_t body, double time) const {
        const std::uint32_t island = island_of_[body];
        if (island == kNone)
            return free_flight_motion(state_, body, state_.bodies.motion[body],
                                      time - body_time_[body]);
        const PredictedMotion& prediction = *predictions_[island];
        const auto index = static_cast<std::size_t>(
            std::find(prediction.end.bodies.begin(), prediction.end.bodies.end(), body) -
            prediction.end.bodies.begin());
        if (prediction.dense_output.empty() || time >= prediction.end.time)
            return prediction.end.motion[index];
        return motion_at(prediction.dense_output, index, time);
    }

    Vec3d body_center_at(std::uint32_t body, double time) const {
        if (island_of_[body] != kNone) return body_motion_at(body, time).x;
        return free_flight_center_after(body, time - body_time_[body]);
    }

    Vec3d free_flight_center_after(std::uint32_t body, double since) const {
        return free_flight_center(state_.bodies.motion[body], state_.bodies.inertia[body].inv_mass,
                                  acceleration_[body], since);
    }

    double prediction_start(std::uint32_t body) const {
        const std::uint32_t island = island_of_[body];
        return island == kNone ? body_time_[body] : predictions_[island]->start.time;
    }

    /// Up to where its way is known.
    double prediction_end(std::uint32_t body) const {
        const std::uint32_t island = island_of_[body];
        return island == kNone ? dt_ : predictions_[island]->end.time;
    }

    Trajectory trajectory_of(std::uint32_t body, std::uint32_t shape) const {
        Trajectory trajectory;
        trajectory.at = [this, body](double time) { return body_motion_at(body, time); };
        trajectory.inv_mass = state_.bodies.inertia[body].inv_mass;
        if (!is_moving(body)) return trajectory;
        const BodyMotion& m = state_.bodies.motion[body];
        const double fastest = length(m.l) * max_component(state_.bodies.inertia[body].inv_moments);
        const double radius =
            pair_predictor_.bound(shape).is_ball ? 0 : pair_predictor_.bound(shape).radius;
        const std::uint32_t island = island_of_[body];
        if (island == kNone) {
            trajectory.acceleration = acceleration_[body];
            trajectory.rotation_speed = fastest * radius;
            return trajectory;
        }
        const MotionBounds bounds = motion_bounds(body, *predictions_[island]);
        trajectory.rotation_speed = bounds.angular * radius;
        trajectory.velocity_change = bounds.velocity_change;
        return trajectory;
    }

    struct MotionBounds {
        double angular = 0, velocity_change = 0;
        Aabb<double> centers;
    };

    /// From the nodes of its track, with half as much again for what lies between them.
    MotionBounds motion_bounds(std::uint32_t body, const PredictedMotion& prediction) const {
        const auto index = static_cast<std::size_t>(
            std::find(prediction.end.bodies.begin(), prediction.end.bodies.end(), body) -
            prediction.end.bodies.begin());
        const BodyInertia& inertia = state_.bodies.inertia[body];
        const BodyMotion& start = prediction.start.motion[index];
        MotionBounds bounds{0, 0, {start.x, start.x}};
        Aabb<double> velocities{start.p * inertia.inv_mass, start.p * inertia.inv_mass};
        const auto include_motion = [&](const BodyMotion& m) {
            const double rotation_speed = length(m.l) * max_component(inertia.inv_moments);
            bounds.angular = std::max(bounds.angular, 1.5 * rotation_speed);
            bounds.centers = {min(bounds.centers.lo, m.x), max(bounds.centers.hi, m.x)};
            const Vec3d v = m.p * inertia.inv_mass;
            velocities = {min(velocities.lo, v), max(velocities.hi, v)};
        };
        include_motion(start);
        for (const DenseOutputSegment& segment : prediction.dense_output) {
            include_motion(motion_at(segment, index, segment.begin));
            include_motion(motion_at(segment, index, segment.end));
        }
        include_motion(prediction.end.motion[index]);
        bounds.velocity_change = 1.5 * length(velocities.hi - velocities.lo);
        const double spread = length(bounds.centers.hi - bounds.centers.lo);
        bounds.centers = expand(bounds.centers, 0.5 * spread + 1e-6);
        return bounds;
    }

    Aabb<double> center_bounds(std::uint32_t body) const {
        if (island_of_[body] != kNone)
            return motion_bounds(body, *predictions_[island_of_[body]]).centers;
        const BodyMotion& m = state_.bodies.motion[body];
        const double left = dt_ - body_time_[body];
        const Vec3d v = m.p * state_.bodies.inertia[body].inv_mass;
        const Vec3d a = acceleration_[body];
        const Vec3d end = m.x + v * left + a * (0.5 * left * left);
        const Vec3d bulge = abs(a) * (0.125 * left * left); // of a parabola over its chord
        return {min(m.x, end) - bulge, max(m.x, end) + bulge};
    }

    // ---- pairs

    void find_pairs() {
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            if (is_moving(body) && !pair_predictor_.shapes(body).empty())
                pair_predictor_.set_center_bounds(body, center_bounds(body));
        pair_predictor_.find_new_pairs(context_.team);
    }

    bool is_island_pair(const ShapePair& pair) const {
        const auto holds_pair = [&](std::uint32_t shape) {
            const std::uint32_t island = island_of_[body_of(shape)];
            if (island == kNone) return false;
            const std::vector<ShapePair>& pairs = predictions_[island]->start.pairs;
            return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
        };
        return holds_pair(pair.a) || holds_pair(pair.b);
    }

    void schedule_impact(const ShapePair& pair) {
        if (is_island_pair(pair)) return;
        const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
        const double begin = std::max(prediction_start(a), prediction_start(b));
        const double end = std::min(prediction_end(a), prediction_end(b));
        if (begin >= end) return;
        const std::optional<double> time = find_impact_time(pair, a, b, begin, end);
        if (time) queue_.push({*time, pair, version_[a], version_[b]});
    }

    std::optional<double> find_impact_time(const ShapePair& pair, std::uint32_t a, std::uint32_t b,
                                           double begin, double end) const {
        if (has_closed_form(pair) && island_of_[a] == kNone && island_of_[b] == kNone) {
            const std::optional<double> after = closed_form_impact_time(pair, a, b, begin);
            if (!after || begin + *after >= end) return std::nullopt;
            return begin + *after;
        }
        return first_time_of_impact(state_, pair, trajectory_of(a, pair.a),
                                    trajectory_of(b, pair.b), begin, end,
                                    context_.laws.tolerances.touch_distance);
    }

    /// Whether there are closed forms for it: two balls that fly alike, or a ball and a fixed
    /// plane.
    bool has_closed_form(const ShapePair& pair) const {
        const PairPredictor::ShapeBound &a = pair_predictor_.bound(pair.a),
                                        &b = pair_predictor_.bound(pair.b);
        if (!a.is_ball) return a.plane && b.is_ball;
        if (!b.is_ball) return b.plane.has_value();
        return acceleration_[body_of(pair.a)] == acceleration_[body_of(pair.b)];
    }

    std::optional<double> closed_form_impact_time(const ShapePair& pair, std::uint32_t a,
                                                  std::uint32_t b, double begin) const {
        const Tolerances& t = context_.laws.tolerances;
        const Vec3d image = image_of(state_, pair);
        if (const auto& plane = pair_predictor_.bound(pair.a).plane)
            return plane_impact_time(ball_flight(pair.b, b, image, begin), *plane, t.touch_distance,
                                     t.slip_speed);
        if (const auto& plane = pair_predictor_.bound(pair.b).plane)
            return plane_impact_time(ball_flight(pair.a, a, -image, begin), *plane,
                                     t.touch_distance, t.slip_speed);
        return ball_impact_time(ball_flight(pair.a, a, {}, begin),
                                ball_flight(pair.b, b, image, begin), t.touch_distance,
                                t.slip_speed);
    }

    BallFlight ball_flight(std::uint32_t shape, std::uint32_t body, const Vec3d& image,
                           double begin) const {
        const BodyMotion& m = state_.bodies.motion[body];
        const double since = begin - body_time_[body];
        const Vec3d a = acceleration_[body];
        return {free_flight_center_after(body, since) + image,
                m.p * state_.bodies.inertia[body].inv_mass + a * since, a,
                pair_predictor_.bound(shape).radius};
    }

    double closed_form_gap(const ShapePair& pair, const Vec3d& a, const Vec3d& b) const {
        const PairPredictor::ShapeBound &at_a = pair_predictor_.bound(pair.a),
                                        &at_b = pair_predictor_.bound(pair.b);
        const Vec3d image = image_of(state_, pair);
        if (at_a.plane) return height_over(*at_a.plane, b + image) - at_b.radius;
        if (at_b.plane) return height_over(*at_b.plane, a - image) - at_a.radius;
        return length(b + image - a) - at_a.radius - at_b.radius;
    }

    // ---- islands

    void form_islands() {
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_enforced(state_.joints[slot])) continue;
            const JointRecord& joint = state_.joints[slot];
            const auto body = [](const JointEnd& end) {
                return end.body.is_null() ? kWorldBody : end.body.index;
            };
            Island island;
            const std::uint32_t a = island.find_or_add_body(body(joint.a), state_);
            const std::uint32_t b = island.find_or_add_body(body(joint.b), state_);
            island.joints.push_back({slot, a, b});
            start_island(std::move(island));
        }
        for (const ShapePair& pair : touching_) {
            Island island;
            island.find_or_add_body(body_of(pair.a), state_);
            island.find_or_add_body(body_of(pair.b), state_);
            island.pairs.push_back(pair);
            start_island(std::move(island));
        }
        for (std::uint32_t body = 0; body < version_.size(); ++body) {
            if (!responds_to_impulses(state_, body) || is_in_free_flight(state_, body) ||
                island_of_[body] != kNone)
                continue;
            Island island;
            island.find_or_add_body(body, state_);
            start_island(std::move(island));
        }
        for (std::uint32_t i = 0; i < predictions_.size(); ++i)
            if (predictions_[i] && !reuse_resting_island(i)) predict_motion(i, dt_);
    }

    /// An island that stood still before, and is as it was.
    bool reuse_resting_island(std::uint32_t i) {
        PredictedMotion& prediction = *predictions_[i];
        const Island* before = resting_cache_ ? resting_cache_->find(prediction.start) : nullptr;
        if (!before) return false;
        prediction.start = *before;
        prediction.start.time = 0;
        prediction.start.work = {};
        prediction.end = prediction.start;
        prediction.end.time = prediction.horizon = dt_;
        return true;
    }

    double gap_at_start(const ShapePair& pair, std::uint32_t a, std::uint32_t b) const {
        const BodyMotion &at_a = state_.bodies.motion[a], &at_b = state_.bodies.motion[b];
        return has_closed_form(pair) ? closed_form_gap(pair, at_a.x, at_b.x)
                                     : separation(state_, pair, at_a, at_b).gap;
    }

    /// Joins an island with all that its movers belong to already.
    void start_island(Island&& island) {
        for (const std::uint32_t body : std::vector<std::uint32_t>(island.bodies))
            if (responds_to_impulses(state_, body) && island_of_[body] != kNone)
                absorb_island(island, island_of_[body]);
        const auto index = static_cast<std::uint32_t>(predictions_.size());
        for (const std::uint32_t body : island.bodies)
            if (responds_to_impulses(state_, body)) island_of_[body] = index;
        PredictedMotion prediction;
        prediction.start = std::move(island);
        predictions_.push_back(std::move(prediction));
    }

    void absorb_island(Island& island, std::uint32_t other) {
        const Island from = std::move(predictions_[other]->start);
        predictions_[other].reset();
        merge(island, from, state_);
        for (const std::uint32_t body : island.bodies)
            if (responds_to_impulses(state_, body) && island_of_[body] == other)
                island_of_[body] = kNone;
    }

    /// Settles an island, lets its bodies fly if nothing holds them, and else looks ahead.
    void predict_motion(std::uint32_t i, double horizon) {
        PredictedMotion& prediction = *predictions_[i];
        Island& island = prediction.start;
        update_contacts(state_, context_.laws, 0, island);
        resolve_event(state_, context_.laws, island, outcome_.statistics);
        const bool all_fly =
            std::all_of(island.bodies.begin(), island.bodies.end(), [&](std::uint32_t body) {
                return !responds_to_impulses(state_, body) || is_in_free_flight(state_, body);
            });
        if (island.contacts.empty() && island.joints.empty() && all_fly)
            return release_to_free_flight(i);
        prediction.horizon = horizon;
        integrate_prediction(i);
    }

    /// From its start.
    void integrate_prediction(std::uint32_t i) {
        PredictedMotion& prediction = *predictions_[i];
        prediction.end = prediction.start;
        prediction.dense_output.clear();
        prediction.statistics = {};
        const double until = std::min(prediction.start.time + prediction.horizon, dt_);
        advance_island(state_, context_.laws, until, prediction.end, prediction.statistics,
                       budget_meter_, &prediction.dense_output);
        if (prediction.end.time < until) end_limit_ = std::min(end_limit_, prediction.end.time);
        if (until < dt_) queue_.push({until, {}, 0, 0, i});
    }

    /// Nothing met it so far, and it is seen farther ahead.
    void extend_prediction(std::uint32_t i) {
        PredictedMotion& prediction = *predictions_[i];
        add(outcome_.statistics, prediction.statistics);
        prediction.start = std::move(prediction.end);
        prediction.horizon *= kHorizonGrowth;
        integrate_prediction(i);
        reschedule_impacts(predictions_[i]->start.bodies);
    }

    void release_to_free_flight(std::uint32_t i) {
        const Island& island = predictions_[i]->start;
        for (std::size_t k = 0; k < island.bodies.size(); ++k) {
            const std::uint32_t body = island.bodies[k];
            if (!responds_to_impulses(state_, body)) continue;
            set_body_motion(body, island.motion[k], island.time);
        }
        outcome_.work.record(state_, island);
        predictions_[i].reset();
        if (i + 1 == predictions_.size()) predictions_.pop_back(); // nothing in the queue names it
    }

    void set_body_motion(std::uint32_t body, const BodyMotion& motion, double time) {
        record_gravity_work(body, motion);
        state_.bodies.motion[body] = motion;
        body_time_[body] = time;
        island_of_[body] = kNone;
    }

    void record_gravity_work(std::uint32_t body, const BodyMotion& motion) {
        const Vec3d displacement = motion.x - state_.bodies.motion[body].x;
        outcome_.work.by_body[body].gravity +=
            state_.bodies.inertia[body].weight * dot(state_.gravity, displacement);
    }

    // ---- events

    void process_events() {
        while (!queue_.empty() && !budget_meter_.exceeds_effort()) {
            const ImpactEvent event = queue_.top();
            if (is_stale(event)) {
                queue_.pop();
                continue;
            }
            if (!budget_meter_.count_event()) {
                end_limit_ = std::min(end_limit_, event.time); // what follows is not known
                return;
            }
            queue_.pop();
            if (event.prediction != kNone)
                extend_prediction(event.prediction);
            else
                handle_impact(event);
        }
    }

    bool is_stale(const ImpactEvent& event) const {
        if (event.prediction != kNone) {
            const std::optional<PredictedMotion>& prediction = predictions_[event.prediction];
            return !prediction || prediction->end.time > event.time;
        }
        return version_[body_of(event.pair.a)] != event.version_a ||
               version_[body_of(event.pair.b)] != event.version_b;
    }

    void handle_impact(const ImpactEvent& event) {
        ++outcome_.statistics.event_count;
        Island island;
        island.time = event.time;
        const double quiet_time = time_since_last_event(event);
        if (quiet_time <= kMinEventSpacing) budget_meter_.charge_cascade_event();
        for (const std::uint32_t shape : {event.pair.a, event.pair.b})
            bring_to_event(island, body_of(shape));
        if (!has_pair(island, event.pair)) island.pairs.push_back(event.pair);
        add_touching_bodies(island);
        const std::vector<std::uint32_t> bodies = island.bodies;
        start_island(std::move(island));
        predict_motion(static_cast<std::uint32_t>(predictions_.size()) - 1,
                       kHorizonGrowth * std::max(quiet_time, kMinHorizon));
        reschedule_impacts(bodies);
    }

    /// How long nothing had happened to the two: the next event may come as soon, and all that is
    /// plotted beyond it is lost.
    double time_since_last_event(const ImpactEvent& event) const {
        double quiet_time = dt_;
        for (const std::uint32_t shape : {event.pair.a, event.pair.b}) {
            const std::uint32_t body = body_of(shape);
            if (responds_to_impulses(state_, body))
                quiet_time = std::min(quiet_time, event.time - prediction_start(body));
        }
        return quiet_time;
    }

    /// Bodies are on new ways.
    void reschedule_impacts(const std::vector<std::uint32_t>& bodies) {
        for (const std::uint32_t body : bodies) {
            if (!responds_to_impulses(state_, body)) continue;
            ++version_[body];
            pair_predictor_.set_center_bounds(body, center_bounds(body));
        }
        pair_predictor_.find_new_pairs(context_.team);
        for (const std::uint32_t body : bodies) {
            if (!responds_to_impulses(state_, body)) continue;
            for (const ShapePair& pair : pair_predictor_.pairs(body)) schedule_impact(pair);
        }
    }

    static bool has_pair(const Island& island, const ShapePair& pair) {
        return std::find(island.pairs.begin(), island.pairs.end(), pair) != island.pairs.end();
    }

    /// What touches the bodies of an island at its time takes part in what happens there, and what
    /// touches that, and so on.
    void add_touching_bodies(Island& island) {
        for (std::size_t i = 0; i < island.bodies.size(); ++i) { // grows on the way
            if (!responds_to_impulses(state_, island.bodies[i])) continue;
            for (const ShapePair& pair : pair_predictor_.pairs(island.bodies[i])) {
                if (has_pair(island, pair) || !are_touching(pair, island.time)) continue;
                bring_to_event(island, body_of(pair.a));
                bring_to_event(island, body_of(pair.b));
                if (!has_pair(island, pair)) island.pairs.push_back(pair);
            }
        }
    }

    bool are_touching(const ShapePair& pair, double time) const {
        const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
        const double gap =
            has_closed_form(pair)
                ? closed_form_gap(pair, body_center_at(a, time), body_center_at(b, time))
                : separation(state_, pair, body_motion_at(a, time), body_motion_at(b, time)).gap;
        return gap <= context_.laws.tolerances.touch_distance;
    }

    /// Brings a body, with all its island, to the time of a new one.
    void bring_to_event(Island& island, std::uint32_t body) {
        if (std::find(island.bodies.begin(), island.bodies.end(), body) != island.bodies.end())
            return;
        const std::uint32_t i = responds_to_impulses(state_, body) ? island_of_[body] : kNone;
        if (i == kNone) {
            const std::uint32_t index = island.find_or_add_body(body, state_);
            island.motion[index] = free_flight_motion(state_, body, state_.bodies.motion[body],
                                                      island.time - body_time_[body]);
            return;
        }
        Island other = std::move(predictions_[i]->start);
        predictions_[i].reset();
        for (const std::uint32_t member : other.bodies)
            if (responds_to_impulses(state_, member)) island_of_[member] = kNone;
        replay_prediction(other, island.time, outcome_.statistics);
        merge(island, other, state_);
    }

    /// A part of the way that was plotted for it: it costs no more than that did.
    void replay_prediction(Island& island, double until, StepStatistics& statistics) {
        BudgetMeter unlimited{StepBudget{UINT64_MAX, std::numeric_limits<double>::infinity(), 0}};
        advance_island(state_, context_.laws, until, island, statistics, unlimited);
    }

    // ---- the end

    void finish_step() {
        const double end = std::min(end_limit_, dt_);
        outcome_.reached = end;
        cache_resting_islands(end);
        for (std::optional<PredictedMotion>& prediction : predictions_) {
            if (!prediction) continue;
            Island& island = prediction->end;
            if (end < dt_) {
                island = prediction->start;
                prediction->statistics = {};
                replay_prediction(island, end, prediction->statistics);
            }
            add(outcome_.statistics, prediction->statistics);
            outcome_.work.record(state_, island);
            for (std::size_t k = 0; k < island.bodies.size(); ++k)
                if (responds_to_impulses(state_, island.bodies[k]))
                    set_body_motion(island.bodies[k], island.motion[k], end);
            report_contacts(state_, island, dt_, outcome_.touching);
        }
        for (std::uint32_t body = 0; body < version_.size(); ++body) {
            if (!is_moving(body) || state_.bodies.mobility[body] == Mobility::absent) continue;
            const BodyMotion& m = state_.bodies.motion[body];
            set_body_motion(body, free_flight_motion(state_, body, m, end - body_time_[body]), end);
            ++outcome_.moved;
        }
    }

    /// What acts on bodies during this step alone holds nothing still in the next.
    void cache_resting_islands(double end) {
        if (!resting_cache_) return;
        RestingIslandCache resting;
        for (const std::optional<PredictedMotion>& prediction : predictions_)
            if (prediction && end == dt_ && state_.bodies.wrenches.empty() &&
                prediction->start.time == 0 && prediction->dense_output.empty() &&
                !prediction->end.contacts.empty())
                resting.insert(prediction->end);
        *resting_cache_ = std::move(resting);
    }

    const StepContext& context_;
    RestingIslandCache* resting_cache_;
    WorldState& state_;
    double dt_;
    double end_limit_ = std::numeric_limits<double>::infinity();
    PairPredictor pair_predictor_;
    std::vector<std::uint32_t> island_of_; // by slot of the body
    std::vector<double> body_time_;        // of bodies that fly, likewise
    std::vector<std::uint32_t> version_;   // grows with each change of course
    std::vector<Vec3d> acceleration_;      // acceleration of those, likewise
    std::vector<ShapePair> touching_;      // at the start
    std::vector<std::optional<PredictedMotion>> predictions_;
    std::priority_queue<ImpactEvent, std::vector<ImpactEvent>, std::greater<>> queue_;
    BudgetMeter budget_meter_;
    StepOutcome outcome_;
};

/// Nothing when there is too much to follow, or no place where nothing overlaps is found.
std::optional<StepOutcome> step_by_events(const StepContext& context,
                                          RestingIslandCache* resting_cache, double dt) {
    const StageTimer timer(context.profile, "events");
    auto stepper = std::make_unique<EventStepper>(context, resting_cache, dt);
    if (stepper->find_touching_pairs() < -kMaxInitialPenetration) {
        resolve_penetration(context);
        stepper = std::make_unique<EventStepper>(context, resting_cache, dt);
        if (stepper->find_touching_pairs() < -kMaxInitialPenetration) return std::nullopt;
    }
    return stepper->run();
}

} // namespace

StepOutcome step(const StepContext& context, RestingIslandCache* resting_cache, double dt) {
    const std::vector<BodyMotion> start = context.state.bodies.motion;
    if (std::optional<StepOutcome> outcome = step_by_events(context, resting_cache, dt))
        return std::move(*outcome);
    context.state.bodies.motion = start;
    return moreau_step(context, dt);
}

} // namespace rigor::faithful
