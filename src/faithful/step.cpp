#include "faithful/step.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <queue>

#include "faithful/advance.h"
#include "faithful/ball_meeting.h"
#include "faithful/flight.h"
#include "faithful/look.h"
#include "faithful/meeting.h"
#include "faithful/nearby.h"
#include "faithful/settle.h"

namespace rigor::faithful {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// An island with the way it would go if nothing from outside met it.
struct Course {
    Island start, end;
    Track track;
    Story story; ///< of that way
};

struct Meeting {
    double time = 0;
    ShapePair pair;
    std::uint32_t version_a = 0, version_b = 0; ///< of the bodies' courses

    bool operator>(const Meeting& other) const {
        return time != other.time ? time > other.time : pair > other.pair;
    }
};

class Stepper {
  public:
    Stepper(const StepContext& context, double dt)
        : context_(context),
          state_(context.state),
          dt_(dt),
          nearby_(context.state),
          island_of_(context.state.bodies.slot_count(), kNone),
          clock_(context.state.bodies.slot_count(), 0),
          version_(context.state.bodies.slot_count(), 0),
          pairs_of_(context.state.bodies.slot_count()),
          began_(std::chrono::steady_clock::now()) {}

    StepOutcome run() {
        find_pairs();
        form_islands();
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : pairs_of_[body])
                if (body_of(state_, pair.a) == body) predict(pair);
        follow_events();
        finish();
        tell_hits();
        return std::move(outcome_);
    }

  private:
    bool moves(std::uint32_t body) const {
        return state_.bodies.traits[body].type != BodyType::static_body;
    }

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
        return center_flown(state_, body, state_.bodies.motion[body], time - clock_[body]);
    }

    double last_time(std::uint32_t body) const {
        const std::uint32_t island = island_of_[body];
        return island == kNone ? clock_[body] : courses_[island]->start.time;
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
            way.gravity = acceleration(state_, body);
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
        const Vec3d a = acceleration(state_, body);
        const Vec3d end = m.x + v * left + a * (0.5 * left * left);
        const Vec3d bulge = abs(a) * (0.125 * left * left); // of a parabola over its chord
        return {min(m.x, end) - bulge, max(m.x, end) + bulge};
    }

    // ---- pairs

    void find_pairs() {
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            if (moves(body) && !nearby_.shapes(body).empty())
                nearby_.set_way(body, centers_of(body));
        note_new_pairs();
    }

    std::vector<ShapePair> note_new_pairs() {
        std::vector<ShapePair> fresh = nearby_.find_new(context_.team);
        for (const ShapePair& pair : fresh) {
            pairs_of_[body_of(state_, pair.a)].push_back(pair);
            pairs_of_[body_of(state_, pair.b)].push_back(pair);
        }
        return fresh;
    }

    bool is_looked_after(const ShapePair& pair) const {
        const auto looks = [&](std::uint32_t shape) {
            const std::uint32_t island = island_of_[body_of(state_, shape)];
            if (island == kNone) return false;
            const std::vector<ShapePair>& pairs = courses_[island]->start.pairs;
            return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
        };
        return looks(pair.a) || looks(pair.b);
    }

    void predict(const ShapePair& pair) {
        if (is_looked_after(pair)) return;
        const std::uint32_t a = body_of(state_, pair.a), b = body_of(state_, pair.b);
        const double begin = std::max(last_time(a), last_time(b));
        if (begin >= dt_) return;
        const std::optional<double> time = find_meeting(pair, a, b, begin);
        if (time) queue_.push({*time, pair, version_[a], version_[b]});
    }

    std::optional<double> find_meeting(const ShapePair& pair, std::uint32_t a, std::uint32_t b,
                                       double begin) const {
        if (is_round(pair) && island_of_[a] == kNone && island_of_[b] == kNone) {
            const std::optional<double> after = round_meeting(pair, a, b, begin);
            if (!after || begin + *after >= dt_) return std::nullopt;
            return begin + *after;
        }
        return first_meeting(state_, pair, way_of(a, pair.a), way_of(b, pair.b), begin, dt_,
                             context_.laws.tolerances.touch);
    }

    /// Whether there are closed forms for it: two balls that fly alike, or a ball and a fixed
    /// plane.
    bool is_round(const ShapePair& pair) const {
        const Nearby::Reach &a = nearby_.reach(pair.a), &b = nearby_.reach(pair.b);
        if (!a.is_ball) return a.plane && b.is_ball;
        if (!b.is_ball) return b.plane.has_value();
        return acceleration(state_, body_of(state_, pair.a)) ==
               acceleration(state_, body_of(state_, pair.b));
    }

    std::optional<double> round_meeting(const ShapePair& pair, std::uint32_t a, std::uint32_t b,
                                        double begin) const {
        const Tolerances& t = context_.laws.tolerances;
        if (const auto& plane = nearby_.reach(pair.a).plane)
            return plane_meeting(ball_flight(pair.b, b, begin), *plane, t.touch, t.slip);
        if (const auto& plane = nearby_.reach(pair.b).plane)
            return plane_meeting(ball_flight(pair.a, a, begin), *plane, t.touch, t.slip);
        return ball_meeting(ball_flight(pair.a, a, begin), ball_flight(pair.b, b, begin), t.touch,
                            t.slip);
    }

    BallFlight ball_flight(std::uint32_t shape, std::uint32_t body, double begin) const {
        const BodyMotion& m = state_.bodies.motion[body];
        const double since = begin - clock_[body];
        const Vec3d a = acceleration(state_, body);
        return {center_flown(state_, body, m, since),
                m.p * state_.bodies.inertia[body].inv_mass + a * since, a,
                nearby_.reach(shape).radius};
    }

    double round_gap(const ShapePair& pair, const Vec3d& a, const Vec3d& b) const {
        const Nearby::Reach &at_a = nearby_.reach(pair.a), &at_b = nearby_.reach(pair.b);
        if (at_a.plane) return height_over(*at_a.plane, b) - at_b.radius;
        if (at_b.plane) return height_over(*at_b.plane, a) - at_a.radius;
        return length(b - a) - at_a.radius - at_b.radius;
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
        for (std::uint32_t body = 0; body < version_.size(); ++body)
            for (const ShapePair& pair : pairs_of_[body]) {
                const std::uint32_t a = body_of(state_, pair.a), b = body_of(state_, pair.b);
                if (body != std::min(a, b) || !touches_at_start(pair, a, b)) continue;
                Island island;
                island.place_of(a, state_);
                island.place_of(b, state_);
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
            if (courses_[i]) plot_course(i);
    }

    bool touches_at_start(const ShapePair& pair, std::uint32_t a, std::uint32_t b) const {
        const BodyMotion &at_a = state_.bodies.motion[a], &at_b = state_.bodies.motion[b];
        const double gap = is_round(pair) ? round_gap(pair, at_a.x, at_b.x)
                                          : separation(state_, pair, at_a, at_b).gap;
        return gap <= context_.laws.tolerances.touch;
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
        merge(island, from);
        for (const std::uint32_t body : island.bodies)
            if (is_mover(state_, body) && island_of_[body] == other) island_of_[body] = kNone;
    }

    void merge(Island& island, const Island& from) const {
        std::vector<std::uint32_t> places;
        for (std::size_t i = 0; i < from.bodies.size(); ++i) {
            const std::uint32_t place = island.place_of(from.bodies[i], state_);
            island.motion[place] = from.motion[i];
            places.push_back(place);
        }
        const auto moved = [&](auto list) {
            for (auto& item : list) item.a = places[item.a], item.b = places[item.b];
            return list;
        };
        const auto append = [](auto& to, const auto& list) {
            to.insert(to.end(), list.begin(), list.end());
        };
        append(island.joints, moved(from.joints));
        append(island.contacts, moved(from.contacts));
        append(island.near, moved(from.near));
        append(island.pairs, from.pairs);
        add(island.works, from.works);
        island.is_settled = false;
    }

    static void add(Works& to, const Works& from) {
        to.forces += from.forces;
        to.contact_normal += from.contact_normal;
        to.contact_friction += from.contact_friction;
        to.joints += from.joints;
        to.damping += from.damping;
        to.impact += from.impact;
    }

    static void add(Story& to, const Story& from) {
        to.events += from.events;
        to.impacts += from.impacts;
        to.unsolved += from.unsolved;
        to.ambiguous += from.ambiguous;
        to.collapsed += from.collapsed;
        to.residual = std::max(to.residual, from.residual);
        to.hits.insert(to.hits.end(), from.hits.begin(), from.hits.end());
    }

    /// Settles an island, lets its bodies fly if nothing holds them, and else looks ahead.
    void plot_course(std::uint32_t i) {
        Course& course = *courses_[i];
        Island& island = course.start;
        look(state_, context_.laws, 0, island);
        settle(state_, context_.laws, island, outcome_.story);
        const bool all_fly = std::all_of(
            island.bodies.begin(), island.bodies.end(),
            [&](std::uint32_t body) { return !is_mover(state_, body) || flies(state_, body); });
        if (island.contacts.empty() && island.joints.empty() && all_fly) return dissolve(i);
        course.end = island;
        course.track.clear();
        course.story = {};
        advance(state_, context_.laws, dt_, course.end, course.story, &course.track);
    }

    void dissolve(std::uint32_t i) {
        const Island& island = courses_[i]->start;
        for (std::size_t k = 0; k < island.bodies.size(); ++k) {
            const std::uint32_t body = island.bodies[k];
            if (!is_mover(state_, body)) continue;
            put(body, island.motion[k], island.time);
        }
        add(outcome_.works, island.works);
        courses_[i].reset();
    }

    void put(std::uint32_t body, const BodyMotion& motion, double time) {
        book_gravity(body, motion);
        state_.bodies.motion[body] = motion;
        clock_[body] = time;
        island_of_[body] = kNone;
    }

    void book_gravity(std::uint32_t body, const BodyMotion& motion) {
        const Vec3d way = motion.x - state_.bodies.motion[body].x;
        outcome_.gravity += state_.bodies.inertia[body].weight * dot(state_.gravity, way);
    }

    // ---- events

    void follow_events() {
        while (!queue_.empty()) {
            const Meeting meeting = queue_.top();
            queue_.pop();
            const std::uint32_t a = body_of(state_, meeting.pair.a);
            const std::uint32_t b = body_of(state_, meeting.pair.b);
            if (version_[a] != meeting.version_a || version_[b] != meeting.version_b) continue;
            if (is_over_budget()) {
                limit_ = meeting.time;
                return;
            }
            meet(meeting, a, b);
        }
    }

    bool is_over_budget() {
        const auto events = static_cast<std::uint64_t>(++outcome_.story.events);
        if (events > context_.budget.events) return true;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        return (events & 63) == 0 && spent.count() > context_.budget.wall_seconds;
    }

    void meet(const Meeting& meeting, std::uint32_t a, std::uint32_t b) {
        Island island;
        island.time = meeting.time;
        for (const std::uint32_t body : {a, b}) bring(island, body);
        if (!has(island, meeting.pair)) island.pairs.push_back(meeting.pair);
        gather(island);
        const std::vector<std::uint32_t> bodies = island.bodies;
        begin_with(std::move(island));
        plot_course(static_cast<std::uint32_t>(courses_.size()) - 1);
        for (const std::uint32_t body : bodies) {
            if (!is_mover(state_, body)) continue;
            ++version_[body];
            nearby_.set_way(body, centers_of(body));
        }
        note_new_pairs();
        for (const std::uint32_t body : bodies) {
            if (!is_mover(state_, body)) continue;
            for (const ShapePair& pair : pairs_of_[body]) predict(pair);
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
            for (const ShapePair& pair : pairs_of_[island.bodies[i]]) {
                if (has(island, pair) || !touch(pair, island.time)) continue;
                bring(island, body_of(state_, pair.a));
                bring(island, body_of(state_, pair.b));
                if (!has(island, pair)) island.pairs.push_back(pair);
            }
        }
    }

    bool touch(const ShapePair& pair, double time) const {
        const std::uint32_t a = body_of(state_, pair.a), b = body_of(state_, pair.b);
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
        advance(state_, context_.laws, island.time, there, outcome_.story);
        merge(island, there);
    }

    // ---- the end

    void finish() {
        const double end = std::min(limit_, dt_);
        outcome_.reached = end;
        for (std::optional<Course>& course : courses_) {
            if (!course) continue;
            Island& island = course->end;
            if (end < dt_) {
                island = course->start;
                advance(state_, context_.laws, end, island, course->story);
            }
            add(outcome_.story, course->story);
            add(outcome_.works, island.works);
            for (std::size_t k = 0; k < island.bodies.size(); ++k)
                if (is_mover(state_, island.bodies[k]))
                    put(island.bodies[k], island.motion[k], end);
            view(island);
        }
        for (std::uint32_t body = 0; body < version_.size(); ++body) {
            if (!moves(body) || state_.bodies.mobility[body] == Mobility::absent) continue;
            const BodyMotion& m = state_.bodies.motion[body];
            put(body, flown(state_, body, m, end - clock_[body]), end);
            ++outcome_.moved;
        }
    }

    ContactSide side_of(std::uint32_t shape) const {
        return {state_.bodies.ids.id_at(body_of(state_, shape)), state_.shapes.pool().id_at(shape)};
    }

    /// Those that are worth hearing, of each pair in the order in which they happened.
    void tell_hits() {
        for (const Hit& hit : outcome_.story.hits) {
            if (hit.speed < context_.hit_speed) continue;
            outcome_.hits.push_back({side_of(hit.shapes.a), side_of(hit.shapes.b), hit.point,
                                     hit.normal, hit.speed, hit.impulse});
        }
        std::stable_sort(outcome_.hits.begin(), outcome_.hits.end(),
                         [](const ContactHit& x, const ContactHit& y) {
                             return x.a != y.a ? x.a < y.a : x.b < y.b;
                         });
    }

    void view(const Island& island) {
        const std::vector<BodyMoment> bodies = moments_of(state_, island);
        for (const Contact& c : island.contacts) {
            const ContactFrame frame = frame_of(c.geometry, bodies[c.a], bodies[c.b]);
            ContactView v;
            v.a = side_of(c.shapes.a);
            v.b = side_of(c.shapes.b);
            v.normal = frame.normal;
            v.friction = (frame.tangent_1 * c.force.x + frame.tangent_2 * c.force.y) * dt_;
            v.points[0] = {frame.point, frame.gap, c.force.z * dt_};
            v.count = 1;
            outcome_.touching.push_back(v);
        }
    }

    const StepContext& context_;
    WorldState& state_;
    double dt_;
    double limit_ = std::numeric_limits<double>::infinity();
    Nearby nearby_;
    std::vector<std::uint32_t> island_of_; // by slot of the body
    std::vector<double> clock_;            // of bodies that fly, likewise
    std::vector<std::uint32_t> version_;   // grows with each change of course
    std::vector<std::vector<ShapePair>> pairs_of_;
    std::vector<std::optional<Course>> courses_;
    std::priority_queue<Meeting, std::vector<Meeting>, std::greater<>> queue_;
    std::chrono::steady_clock::time_point began_;
    StepOutcome outcome_;
};

} // namespace

StepOutcome step(const StepContext& context, double dt) {
    const StageTimer timer(context.profile, "events");
    return Stepper(context, dt).run();
}

} // namespace rigor::faithful
