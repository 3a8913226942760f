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
constexpr double kOverlap = 1e-8; // m: bodies that begin deeper in each other are moved apart
constexpr double kFarther = 4;    // times as far as before, a course is plotted
constexpr double kSoonest = 1e-5; // s: and at least so far
constexpr double kHurry = 1e-13;  // s: meetings that follow each other so soon get nowhere

/// An island with the way it would go if nothing from outside met it, for some time ahead.
struct Course {
    Island start, end;
    Track track;
    Story story;      ///< of that way
    double ahead = 0; ///< s: for how long it is plotted
};

struct Meeting {
    double time = 0;
    ShapePair pair;
    std::uint32_t version_a = 0, version_b = 0; ///< of the bodies' courses
    std::uint32_t course = kNone;               ///< nothing meets: this one is to be plotted on

    bool operator>(const Meeting& other) const {
        return time != other.time ? time > other.time : pair > other.pair;
    }
};

class Stepper {
  public:
    Stepper(const StepContext& context, StillIslands* still, double dt)
        : context_(context),
          still_(still),
          state_(context.state),
          dt_(dt),
          nearby_(context.state),
          island_of_(context.state.bodies.slot_count(), kNone),
          clock_(context.state.bodies.slot_count(), 0),
          version_(context.state.bodies.slot_count(), 0),
          pull_(context.state.bodies.slot_count()),
          meter_(context.budget),
          outcome_(context.state) {
        for (std::uint32_t body = 0; body < pull_.size(); ++body)
            pull_[body] = acceleration(state_, body);
    }

    /// Which pairs touch, and by how much the deepest overlap.
    double find_touching() {
        find_pairs();
        double deepest = 0;
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : nearby_.pairs(body)) {
                const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
                if (body != std::min(a, b)) continue;
                const double gap = gap_at_start(pair, a, b);
                deepest = std::min(deepest, gap);
                if (gap <= context_.laws.tolerances.touch) touching_.push_back(pair);
            }
        return deepest;
    }

    /// Nothing when that is too much. The touching pairs are found.
    std::optional<StepOutcome> run() {
        form_islands();
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : nearby_.pairs(body))
                if (body_of(pair.a) == body) predict(pair);
        follow_events();
        if (meter_.is_too_much()) return std::nullopt;
        finish();
        outcome_.hits = hits_of(state_, outcome_.story, context_.hit_speed);
        return std::move(outcome_);
    }

  private:
    bool moves(std::uint32_t body) const {
        return state_.bodies.traits[body].type != BodyType::static_body;
    }

    std::uint32_t body_of(std::uint32_t shape) const { return nearby_.reach(shape).body; }

    // ---- where bodies are, and where they go

    BodyMotion motion_now(std::uint32_t body, double time) const {
        const std::uint32_t island = island_of_[body];
        if (island == kNone)
            return flown(state_, body, state_.bodies.motion[body], time - clock_[body]);
        const Course& course = *courses_[island];
        const auto place = static_cast<std::size_t>(
            std::find(course.end.bodies.begin(), course.end.bodies.end(), body) -
            course.end.bodies.begin());
        if (course.track.empty() || time >= course.end.time) return course.end.motion[place];
        return motion_at(course.track, place, time);
    }

    Vec3d center_now(std::uint32_t body, double time) const {
        if (island_of_[body] != kNone) return motion_now(body, time).x;
        return center_after(body, time - clock_[body]);
    }

    Vec3d center_after(std::uint32_t body, double since) const {
        return center_flown(state_.bodies.motion[body], state_.bodies.inertia[body].inv_mass,
                            pull_[body], since);
    }

    double last_time(std::uint32_t body) const {
        const std::uint32_t island = island_of_[body];
        return island == kNone ? clock_[body] : courses_[island]->start.time;
    }

    /// Up to where its way is known.
    double known_until(std::uint32_t body) const {
        const std::uint32_t island = island_of_[body];
        return island == kNone ? dt_ : courses_[island]->end.time;
    }

    Way way_of(std::uint32_t body, std::uint32_t shape) const {
        Way way;
        way.at = [this, body](double time) { return motion_now(body, time); };
        way.inv_mass = state_.bodies.inertia[body].inv_mass;
        if (!moves(body)) return way;
        const BodyMotion& m = state_.bodies.motion[body];
        const double fastest = length(m.l) * max_component(state_.bodies.inertia[body].inv_moments);
        const double radius = nearby_.reach(shape).is_ball ? 0 : nearby_.reach(shape).radius;
        const std::uint32_t island = island_of_[body];
        if (island == kNone) {
            way.gravity = pull_[body];
            way.turning = fastest * radius;
            return way;
        }
        const Bounds bounds = bounds_of(body, *courses_[island]);
        way.turning = bounds.angular * radius;
        way.strays = bounds.strays;
        return way;
    }

    struct Bounds {
        double angular = 0, strays = 0;
        Aabb<double> centers;
    };

    /// From the nodes of its track, with half as much again for what lies between them.
    Bounds bounds_of(std::uint32_t body, const Course& course) const {
        const auto place = static_cast<std::size_t>(
            std::find(course.end.bodies.begin(), course.end.bodies.end(), body) -
            course.end.bodies.begin());
        const BodyInertia& inertia = state_.bodies.inertia[body];
        const BodyMotion& start = course.start.motion[place];
        Bounds bounds{0, 0, {start.x, start.x}};
        Aabb<double> velocities{start.p * inertia.inv_mass, start.p * inertia.inv_mass};
        const auto note = [&](const BodyMotion& m) {
            const double turning = length(m.l) * max_component(inertia.inv_moments);
            bounds.angular = std::max(bounds.angular, 1.5 * turning);
            bounds.centers = {min(bounds.centers.lo, m.x), max(bounds.centers.hi, m.x)};
            const Vec3d v = m.p * inertia.inv_mass;
            velocities = {min(velocities.lo, v), max(velocities.hi, v)};
        };
        note(start);
        for (const TrackPiece& piece : course.track) {
            note(motion_at(piece, place, piece.begin));
            note(motion_at(piece, place, piece.end));
        }
        note(course.end.motion[place]);
        bounds.strays = 1.5 * length(velocities.hi - velocities.lo);
        const double spread = length(bounds.centers.hi - bounds.centers.lo);
        bounds.centers = expand(bounds.centers, 0.5 * spread + 1e-6);
        return bounds;
    }

    Aabb<double> centers_of(std::uint32_t body) const {
        if (island_of_[body] != kNone) return bounds_of(body, *courses_[island_of_[body]]).centers;
        const BodyMotion& m = state_.bodies.motion[body];
        const double left = dt_ - clock_[body];
        const Vec3d v = m.p * state_.bodies.inertia[body].inv_mass;
        const Vec3d a = pull_[body];
        const Vec3d end = m.x + v * left + a * (0.5 * left * left);
        const Vec3d bulge = abs(a) * (0.125 * left * left); // of a parabola over its chord
        return {min(m.x, end) - bulge, max(m.x, end) + bulge};
    }

    // ---- pairs

    void find_pairs() {
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            if (moves(body) && !nearby_.shapes(body).empty())
                nearby_.set_way(body, centers_of(body));
        nearby_.find_new(context_.team);
    }

    bool is_looked_after(const ShapePair& pair) const {
        const auto looks = [&](std::uint32_t shape) {
            const std::uint32_t island = island_of_[body_of(shape)];
            if (island == kNone) return false;
            const std::vector<ShapePair>& pairs = courses_[island]->start.pairs;
            return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
        };
        return looks(pair.a) || looks(pair.b);
    }

    void predict(const ShapePair& pair) {
        if (is_looked_after(pair)) return;
        const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
        const double begin = std::max(last_time(a), last_time(b));
        const double end = std::min(known_until(a), known_until(b));
        if (begin >= end) return;
        const std::optional<double> time = find_meeting(pair, a, b, begin, end);
        if (time) queue_.push({*time, pair, version_[a], version_[b]});
    }

    std::optional<double> find_meeting(const ShapePair& pair, std::uint32_t a, std::uint32_t b,
                                       double begin, double end) const {
        if (is_round(pair) && island_of_[a] == kNone && island_of_[b] == kNone) {
            const std::optional<double> after = round_meeting(pair, a, b, begin);
            if (!after || begin + *after >= end) return std::nullopt;
            return begin + *after;
        }
        return first_meeting(state_, pair, way_of(a, pair.a), way_of(b, pair.b), begin, end,
                             context_.laws.tolerances.touch);
    }

    /// Whether there are closed forms for it: two balls that fly alike, or a ball and a fixed
    /// plane.
    bool is_round(const ShapePair& pair) const {
        const Nearby::Reach &a = nearby_.reach(pair.a), &b = nearby_.reach(pair.b);
        if (!a.is_ball) return a.plane && b.is_ball;
        if (!b.is_ball) return b.plane.has_value();
        return pull_[body_of(pair.a)] == pull_[body_of(pair.b)];
    }

    std::optional<double> round_meeting(const ShapePair& pair, std::uint32_t a, std::uint32_t b,
                                        double begin) const {
        const Tolerances& t = context_.laws.tolerances;
        const Vec3d image = image_of(state_, pair);
        if (const auto& plane = nearby_.reach(pair.a).plane)
            return plane_meeting(ball_flight(pair.b, b, image, begin), *plane, t.touch, t.slip);
        if (const auto& plane = nearby_.reach(pair.b).plane)
            return plane_meeting(ball_flight(pair.a, a, -image, begin), *plane, t.touch, t.slip);
        return ball_meeting(ball_flight(pair.a, a, {}, begin), ball_flight(pair.b, b, image, begin),
                            t.touch, t.slip);
    }

    BallFlight ball_flight(std::uint32_t shape, std::uint32_t body, const Vec3d& image,
                           double begin) const {
        const BodyMotion& m = state_.bodies.motion[body];
        const double since = begin - clock_[body];
        const Vec3d a = pull_[body];
        return {center_after(body, since) + image,
                m.p * state_.bodies.inertia[body].inv_mass + a * since, a,
                nearby_.reach(shape).radius};
    }

    double round_gap(const ShapePair& pair, const Vec3d& a, const Vec3d& b) const {
        const Nearby::Reach &at_a = nearby_.reach(pair.a), &at_b = nearby_.reach(pair.b);
        const Vec3d image = image_of(state_, pair);
        if (at_a.plane) return height_over(*at_a.plane, b + image) - at_b.radius;
        if (at_b.plane) return height_over(*at_b.plane, a - image) - at_a.radius;
        return length(b + image - a) - at_a.radius - at_b.radius;
    }

    // ---- islands

    void form_islands() {
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_kept(state_.joints[slot])) continue;
            const JointRecord& joint = state_.joints[slot];
            const auto body = [](const JointEnd& end) {
                return end.body.is_null() ? kTheWorld : end.body.index;
            };
            Island island;
            const std::uint32_t a = island.place_of(body(joint.a), state_);
            const std::uint32_t b = island.place_of(body(joint.b), state_);
            island.joints.push_back({slot, a, b});
            begin_with(std::move(island));
        }
        for (const ShapePair& pair : touching_) {
            Island island;
            island.place_of(body_of(pair.a), state_);
            island.place_of(body_of(pair.b), state_);
            island.pairs.push_back(pair);
            begin_with(std::move(island));
        }
        for (std::uint32_t body = 0; body < version_.size(); ++body) {
            if (!is_mover(state_, body) || flies(state_, body) || island_of_[body] != kNone)
                continue;
            Island island;
            island.place_of(body, state_);
            begin_with(std::move(island));
        }
        for (std::uint32_t i = 0; i < courses_.size(); ++i)
            if (courses_[i] && !stays(i)) plot_course(i, dt_);
    }

    /// An island that stood still before, and is as it was.
    bool stays(std::uint32_t i) {
        Course& course = *courses_[i];
        const Island* before = still_ ? still_->find(course.start) : nullptr;
        if (!before) return false;
        course.start = *before;
        course.start.time = 0;
        course.start.works = {};
        course.end = course.start;
        course.end.time = course.ahead = dt_;
        return true;
    }

    double gap_at_start(const ShapePair& pair, std::uint32_t a, std::uint32_t b) const {
        const BodyMotion &at_a = state_.bodies.motion[a], &at_b = state_.bodies.motion[b];
        return is_round(pair) ? round_gap(pair, at_a.x, at_b.x)
                              : separation(state_, pair, at_a, at_b).gap;
    }

    /// Joins an island with all that its movers belong to already.
    void begin_with(Island&& island) {
        for (const std::uint32_t body : std::vector<std::uint32_t>(island.bodies))
            if (is_mover(state_, body) && island_of_[body] != kNone)
                absorb(island, island_of_[body]);
        const auto place = static_cast<std::uint32_t>(courses_.size());
        for (const std::uint32_t body : island.bodies)
            if (is_mover(state_, body)) island_of_[body] = place;
        Course course;
        course.start = std::move(island);
        courses_.push_back(std::move(course));
    }

    void absorb(Island& island, std::uint32_t other) {
        const Island from = std::move(courses_[other]->start);
        courses_[other].reset();
        merge(island, from, state_);
        for (const std::uint32_t body : island.bodies)
            if (is_mover(state_, body) && island_of_[body] == other) island_of_[body] = kNone;
    }

    /// Settles an island, lets its bodies fly if nothing holds them, and else looks ahead.
    void plot_course(std::uint32_t i, double ahead) {
        Course& course = *courses_[i];
        Island& island = course.start;
        look(state_, context_.laws, 0, island);
        settle(state_, context_.laws, island, outcome_.story);
        const bool all_fly = std::all_of(
            island.bodies.begin(), island.bodies.end(),
            [&](std::uint32_t body) { return !is_mover(state_, body) || flies(state_, body); });
        if (island.contacts.empty() && island.joints.empty() && all_fly) return dissolve(i);
        course.ahead = ahead;
        plot_on(i);
    }

    /// From its start.
    void plot_on(std::uint32_t i) {
        Course& course = *courses_[i];
        course.end = course.start;
        course.track.clear();
        course.story = {};
        const double until = std::min(course.start.time + course.ahead, dt_);
        advance(state_, context_.laws, until, course.end, course.story, meter_, &course.track);
        if (course.end.time < until) limit_ = std::min(limit_, course.end.time);
        if (until < dt_) queue_.push({until, {}, 0, 0, i});
    }

    /// Nothing met it so far, and it is seen farther ahead.
    void go_on(std::uint32_t i) {
        Course& course = *courses_[i];
        add(outcome_.story, course.story);
        course.start = std::move(course.end);
        course.ahead *= kFarther;
        plot_on(i);
        announce(courses_[i]->start.bodies);
    }

    void dissolve(std::uint32_t i) {
        const Island& island = courses_[i]->start;
        for (std::size_t k = 0; k < island.bodies.size(); ++k) {
            const std::uint32_t body = island.bodies[k];
            if (!is_mover(state_, body)) continue;
            put(body, island.motion[k], island.time);
        }
        outcome_.works.book(state_, island);
        courses_[i].reset();
        if (i + 1 == courses_.size()) courses_.pop_back(); // nothing in the queue names it
    }

    void put(std::uint32_t body, const BodyMotion& motion, double time) {
        book_gravity(body, motion);
        state_.bodies.motion[body] = motion;
        clock_[body] = time;
        island_of_[body] = kNone;
    }

    void book_gravity(std::uint32_t body, const BodyMotion& motion) {
        const Vec3d way = motion.x - state_.bodies.motion[body].x;
        outcome_.works.by_body[body].gravity +=
            state_.bodies.inertia[body].weight * dot(state_.gravity, way);
    }

    // ---- events

    void follow_events() {
        while (!queue_.empty() && !meter_.is_too_much()) {
            const Meeting meeting = queue_.top();
            if (is_stale(meeting)) {
                queue_.pop();
                continue;
            }
            if (!meter_.spend_event()) {
                limit_ = std::min(limit_, meeting.time); // what follows is not known
                return;
            }
            queue_.pop();
            if (meeting.course != kNone)
                go_on(meeting.course);
            else
                meet(meeting);
        }
    }

    bool is_stale(const Meeting& meeting) const {
        if (meeting.course != kNone) {
            const std::optional<Course>& course = courses_[meeting.course];
            return !course || course->end.time > meeting.time;
        }
        return version_[body_of(meeting.pair.a)] != meeting.version_a ||
               version_[body_of(meeting.pair.b)] != meeting.version_b;
    }

    void meet(const Meeting& meeting) {
        ++outcome_.story.events;
        Island island;
        island.time = meeting.time;
        const double quiet = quiet_time(meeting);
        if (quiet <= kHurry) meter_.spend_hurried();
        for (const std::uint32_t shape : {meeting.pair.a, meeting.pair.b})
            bring(island, body_of(shape));
        if (!has(island, meeting.pair)) island.pairs.push_back(meeting.pair);
        gather(island);
        const std::vector<std::uint32_t> bodies = island.bodies;
        begin_with(std::move(island));
        plot_course(static_cast<std::uint32_t>(courses_.size()) - 1,
                    kFarther * std::max(quiet, kSoonest));
        announce(bodies);
    }

    /// How long nothing had happened to the two: the next event may come as soon, and all that is
    /// plotted beyond it is lost.
    double quiet_time(const Meeting& meeting) const {
        double quiet = dt_;
        for (const std::uint32_t shape : {meeting.pair.a, meeting.pair.b}) {
            const std::uint32_t body = body_of(shape);
            if (is_mover(state_, body)) quiet = std::min(quiet, meeting.time - last_time(body));
        }
        return quiet;
    }

    /// Bodies are on new ways.
    void announce(const std::vector<std::uint32_t>& bodies) {
        for (const std::uint32_t body : bodies) {
            if (!is_mover(state_, body)) continue;
            ++version_[body];
            nearby_.set_way(body, centers_of(body));
        }
        nearby_.find_new(context_.team);
        for (const std::uint32_t body : bodies) {
            if (!is_mover(state_, body)) continue;
            for (const ShapePair& pair : nearby_.pairs(body)) predict(pair);
        }
    }

    static bool has(const Island& island, const ShapePair& pair) {
        return std::find(island.pairs.begin(), island.pairs.end(), pair) != island.pairs.end();
    }

    /// What touches the bodies of an island at its time takes part in what happens there, and what
    /// touches that, and so on.
    void gather(Island& island) {
        for (std::size_t i = 0; i < island.bodies.size(); ++i) { // grows on the way
            if (!is_mover(state_, island.bodies[i])) continue;
            for (const ShapePair& pair : nearby_.pairs(island.bodies[i])) {
                if (has(island, pair) || !touch(pair, island.time)) continue;
                bring(island, body_of(pair.a));
                bring(island, body_of(pair.b));
                if (!has(island, pair)) island.pairs.push_back(pair);
            }
        }
    }

    bool touch(const ShapePair& pair, double time) const {
        const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
        const double gap =
            is_round(pair) ? round_gap(pair, center_now(a, time), center_now(b, time))
                           : separation(state_, pair, motion_now(a, time), motion_now(b, time)).gap;
        return gap <= context_.laws.tolerances.touch;
    }

    /// Brings a body, with all its island, to the time of a new one.
    void bring(Island& island, std::uint32_t body) {
        if (std::find(island.bodies.begin(), island.bodies.end(), body) != island.bodies.end())
            return;
        const std::uint32_t i = is_mover(state_, body) ? island_of_[body] : kNone;
        if (i == kNone) {
            const std::uint32_t place = island.place_of(body, state_);
            island.motion[place] =
                flown(state_, body, state_.bodies.motion[body], island.time - clock_[body]);
            return;
        }
        Island there = std::move(courses_[i]->start);
        courses_[i].reset();
        for (const std::uint32_t member : there.bodies)
            if (is_mover(state_, member)) island_of_[member] = kNone;
        advance_again(there, island.time, outcome_.story);
        merge(island, there, state_);
    }

    /// A part of the way that was plotted for it: it costs no more than that did.
    void advance_again(Island& island, double until, Story& story) {
        Meter unlimited{Budget{UINT64_MAX, std::numeric_limits<double>::infinity(), 0}};
        advance(state_, context_.laws, until, island, story, unlimited);
    }

    // ---- the end

    void finish() {
        const double end = std::min(limit_, dt_);
        outcome_.reached = end;
        remember_still(end);
        for (std::optional<Course>& course : courses_) {
            if (!course) continue;
            Island& island = course->end;
            if (end < dt_) {
                island = course->start;
                course->story = {};
                advance_again(island, end, course->story);
            }
            add(outcome_.story, course->story);
            outcome_.works.book(state_, island);
            for (std::size_t k = 0; k < island.bodies.size(); ++k)
                if (is_mover(state_, island.bodies[k]))
                    put(island.bodies[k], island.motion[k], end);
            add_views(state_, island, dt_, outcome_.touching);
        }
        for (std::uint32_t body = 0; body < version_.size(); ++body) {
            if (!moves(body) || state_.bodies.mobility[body] == Mobility::absent) continue;
            const BodyMotion& m = state_.bodies.motion[body];
            put(body, flown(state_, body, m, end - clock_[body]), end);
            ++outcome_.moved;
        }
    }

    /// What acts on bodies during this step alone holds nothing still in the next.
    void remember_still(double end) {
        if (!still_) return;
        StillIslands now;
        for (const std::optional<Course>& course : courses_)
            if (course && end == dt_ && state_.bodies.wrenches.empty() && course->start.time == 0 &&
                course->track.empty() && !course->end.contacts.empty())
                now.remember(course->end);
        *still_ = std::move(now);
    }

    const StepContext& context_;
    StillIslands* still_;
    WorldState& state_;
    double dt_;
    double limit_ = std::numeric_limits<double>::infinity();
    Nearby nearby_;
    std::vector<std::uint32_t> island_of_; // by slot of the body
    std::vector<double> clock_;            // of bodies that fly, likewise
    std::vector<std::uint32_t> version_;   // grows with each change of course
    std::vector<Vec3d> pull_;              // acceleration of those, likewise
    std::vector<ShapePair> touching_;      // at the start
    std::vector<std::optional<Course>> courses_;
    std::priority_queue<Meeting, std::vector<Meeting>, std::greater<>> queue_;
    Meter meter_;
    StepOutcome outcome_;
};

/// Nothing when there is too much to follow, or no place where nothing overlaps is found.
std::optional<StepOutcome> follow(const StepContext& context, StillIslands* still, double dt) {
    const StageTimer timer(context.profile, "events");
    auto stepper = std::make_unique<Stepper>(context, still, dt);
    if (stepper->find_touching() < -kOverlap) {
        part_overlaps(context);
        stepper = std::make_unique<Stepper>(context, still, dt);
        if (stepper->find_touching() < -kOverlap) return std::nullopt;
    }
    return stepper->run();
}

} // namespace

StepOutcome step(const StepContext& context, StillIslands* still, double dt) {
    const std::vector<BodyMotion> start = context.state.bodies.motion;
    if (std::optional<StepOutcome> outcome = follow(context, still, dt)) return std::move(*outcome);
    context.state.bodies.motion = start;
    return fixed_step(context, dt);
}

} // namespace rigor::faithful
