#include "fast/body_sweep.h"

#include <algorithm>

#include "collide/time_of_impact.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr double kMaxMotion = 0.5; // of the thickness of a shape: what needs no sweep
constexpr double kCoreRadii[] = {0.25, 0.05, 0.01}; // of the thickness
// The separation below which contacts act, and the gap to stop at.
constexpr double kNear = 0.01, kGap = 1e-3;         // of the thickness,
constexpr double kMostNear = 1e-3, kMostGap = 1e-4; // m: but not more

bool is_far(const Motion<double>& motion, double size, double radius) {
    const double distance = length(motion.displacement) + length(motion.rotation) * radius;
    return distance > kMaxMotion * size;
}

ImpactSettings<double> impact_settings(double thickness) {
    ImpactSettings<double> settings;
    settings.tolerance = std::min(kMostGap, kGap * thickness);
    return settings;
}

/// What is known of an impact of a shape, which moves first in the pair, with another.
Stop stop_of(const TimeOfImpact<double>& impact, const Motion<double>& motion,
             const Motion<double>& other, double duration) {
    Stop stop;
    stop.t = impact.t;
    if (impact.state == ToiStatus::apart) return stop;
    const Posed at = pose_at(motion, impact.t);
    stop.point = transform(at, impact.distance.point_a);
    stop.carrier = stop.point;
    stop.normal = rotate(at.q, impact.distance.normal);
    const Vec3d center = transform(other.start, other.local_center) + other.displacement * impact.t;
    stop.velocity =
        (other.displacement + cross(other.rotation, stop.point - center)) * (1 / duration);
    return stop;
}

} // namespace

BodyMotion motion_after(const BodyWay& way, double t) {
    const Quatd back = from_rotation_vector(way.rotation * (t - 1));
    return {way.start.x + way.displacement * t, normalize(back * way.end.q), way.end.p,
            rotate(back, way.end.l)};
}

/// A shape on the way of its body.
struct BodySweep::ShapeWay {
    const ShapeProxy& shape;
    Motion<double> motion;
    double from, duration; ///< a fraction of the step; in seconds
};

BodySweep::BodySweep(const StepData& step)
    : state_(step.state),
      context_(step.context),
      shapes_(step.scratch.shapes),
      pairs_(step.memory.pairs),
      near_immovable_(step.scratch.near_immovable),
      deep_(step.scratch.deep),
      dt_(step.dt) {}

template <class Visit>
void BodySweep::for_each_placed(std::uint32_t body, const Visit& visit) const {
    for_each_shape(state_, body, [&](ShapeId id, const ShapeRecord&) {
        const ShapeProxy& placed = context_.proxies[id.index];
        if (!placed.proxy.is_null()) visit(placed);
    });
}

/// How a shape moved in the step: from where its proxy was to where its body is now.
Motion<double> BodySweep::motion_of(const ShapeProxy& placed) const {
    const std::uint32_t body = placed.body.index;
    const BodyTraits& traits = state_.bodies.traits[body];
    const ShapeRecord& record = *state_.shapes.find(placed.id);
    const Vec3d local_center = inverse_transform(record.local, traits.center);
    const Posed now = frame_pose(state_.bodies.motion[body], traits) * record.local;
    return {placed.pose, local_center,
            state_.bodies.motion[body].x - transform(placed.pose, local_center),
            to_rotation_vector(now.q * conjugate(placed.pose.q))};
}

/// The part of it after a time.
Motion<double> BodySweep::motion_from(const ShapeProxy& placed, double from) const {
    const Motion<double> all = motion_of(placed);
    if (from == 0) return all;
    return {pose_at(all, from), all.local_center, all.displacement * (1 - from),
            all.rotation * (1 - from)};
}

BodyWay BodySweep::way_of(std::uint32_t body) const {
    BodyWay way;
    way.start = way.end = state_.bodies.motion[body];
    bool known = false;
    for_each_placed(body, [&](const ShapeProxy& shape) {
        if (known) return;
        known = true;
        const Motion<double> motion = motion_of(shape);
        way.displacement = motion.displacement;
        way.rotation = motion.rotation;
        way.start.x = transform(motion.start, motion.local_center);
        way.start.q = normalize(from_rotation_vector(-motion.rotation) * way.end.q);
    });
    return way;
}

bool BodySweep::may_have_passed(std::uint32_t body) const {
    if (deep_.test(body)) return true;
    const bool is_alone = !near_immovable_.test(body) && state_.bodies.traits[body].continuous == 0;
    bool far = false;
    for_each_placed(body, [&](const ShapeProxy& shape) {
        if (shape.sensor || far) return;
        const Motion<double> motion = motion_of(shape);
        const auto radius = static_cast<double>(shapes_[shape.id.index].radius);
        if (!is_far(motion, thickness(shape), radius)) return;
        far = !is_alone || !stayed_in_bounds(shape, motion);
    });
    return far;
}

Stop BodySweep::first_stop(std::uint32_t body, const BodyWay& way) const {
    Stop stop;
    for_each_placed(body, [&](const ShapeProxy& shape) {
        if (!shape.sensor && stop.t > 0) sweep(shape, way, stop);
    });
    return stop;
}

bool BodySweep::stayed_in_bounds(const ShapeProxy& shape, const Motion<double>& motion) const {
    const Aabbf box = context_.proxies.finder().box(shape.proxy);
    return contains(box, round_outward(swept_bounds(shape.geometry, motion)));
}

double BodySweep::thickness(const ShapeProxy& shape) const {
    return static_cast<double>(shapes_[shape.id.index].size);
}

void BodySweep::sweep(const ShapeProxy& shape, const BodyWay& way, Stop& stop) const {
    const BodyTraits& traits = state_.bodies.traits[shape.body.index];
    const ShapeRecord& record = *state_.shapes.find(shape.id);
    const Posed start = way.from == 0 ? shape.pose : frame_pose(way.start, traits) * record.local;
    const Motion<double> motion{start, inverse_transform(record.local, traits.center),
                                way.displacement, way.rotation};
    const ShapeWay moving{shape, motion, way.from, (1 - way.from) * dt_};
    const Aabb<double> swept = swept_bounds(shape.geometry, motion);
    context_.proxies.overlap(swept, shape.filter.mask, [&](const ShapeProxy& other) {
        if (is_obstacle(shape, other, way)) {
            const Stop found = stop_at(moving, other);
            if (found.t < stop.t) stop = found;
        }
        return stop.t > 0;
    });
}

/// Along the way that contacts were solved for, movable bodies are left to them. Beyond a stop all
/// bodies are in the way.
bool BodySweep::is_obstacle(const ShapeProxy& shape, const ShapeProxy& other,
                            const BodyWay& way) const {
    const std::uint32_t a = shape.body.index, b = other.body.index;
    if (a == b || other.sensor || !should_collide(shape.filter, other.filter)) return false;
    if (way.from == 0 && responds_to_impulses(state_.bodies, b) &&
        state_.bodies.traits[a].continuous == 0)
        return false;
    if (state_.joints.keeps_apart(a, b)) return false;
    if (state_.passages.has(shape.id.index, other.id.index)) return false;
    const ContactSide side_a{shape.body, shape.id}, side_b{other.body, other.id};
    return !context_.hooks->filter ||
           (shape.id < other.id ? context_.hooks->filter(side_a, side_b)
                                : context_.hooks->filter(side_b, side_a));
}

Stop BodySweep::stop_at(const ShapeWay& way, const ShapeProxy& other) const {
    const Motion<double> other_motion = motion_from(other, way.from);
    const ContactPair* pair = pair_of(way.shape.id.index, other.id.index);
    if (pair && pair->disabled) return {};
    const double size = thickness(way.shape);
    const auto is_near = [&] {
        return static_cast<double>(min_separation(pairs_, *pair)) <
               std::min(kMostNear, kNear * size);
    };
    // A movable obstacle would have to take what a stop takes: contacts of the next step do that.
    const bool may_take = !responds_to_impulses(state_.bodies, other.body.index);
    Stop stop;
    if (!pair || !is_near()) {
        const ImpactSettings<double> settings = impact_settings(size);
        const TimeOfImpact<double> impact =
            time_of_impact(way.shape.geometry, way.motion, other.geometry, other_motion, settings);
        if (impact.state != ToiStatus::overlapping) {
            stop = stop_of(impact, way.motion, other_motion, way.duration);
            // It began nearer than what it would be stopped at: it was stopped there before.
            stop.was_in_contact = may_take && impact.tolerance < settings.tolerance;
            return stop;
        }
    }
    stop = core_stop(way, other, other_motion);
    stop.was_in_contact = may_take;
    return stop;
}

/// Of the largest ball about the center of a shape that does not overlap the other yet. The
/// smallest is all but a point: as long as it does not pass, contacts push the right way. The
/// middle of the bounds of a hull may be outside, as that of a tetrahedron is, and most of the
/// solid passes before it.
Stop BodySweep::core_stop(const ShapeWay& way, const ShapeProxy& other,
                          const Motion<double>& other_motion) const {
    const Aabb<double> box = bounds(way.shape.geometry, Posed{});
    if (!is_finite((box.lo + box.hi) * 0.5)) return {};
    const auto* hull = std::get_if<std::shared_ptr<const Hull<double>>>(&way.shape.geometry.solid);
    const Vec3d middle = hull ? (*hull)->center : (box.lo + box.hi) * 0.5;
    const Motion<double>& motion = way.motion;
    const Motion<double> core_motion{{transform(motion.start, middle), motion.start.q},
                                     motion.local_center - middle,
                                     motion.displacement,
                                     motion.rotation};
    const double size = thickness(way.shape);
    for (const double part : kCoreRadii) {
        const Shape<double> core{Sphere<double>{part * size}};
        const ImpactSettings<double> settings = impact_settings(part * size);
        const TimeOfImpact<double> impact =
            time_of_impact(core, core_motion, other.geometry, other_motion, settings);
        if (impact.state == ToiStatus::overlapping) continue;
        Stop stop = stop_of(impact, core_motion, other_motion, way.duration);
        if (impact.state == ToiStatus::apart) return stop;
        stop.carrier = pose_at(core_motion, impact.t).p;
        stop.lacking = std::max(settings.tolerance - impact.distance.distance, 0.0);
        return stop;
    }
    return {};
}

const ContactPair* BodySweep::pair_of(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = pair_key(std::min(a, b), std::max(a, b));
    const auto at = std::lower_bound(
        pairs_.order.begin(), pairs_.order.end(), key,
        [](const PairStore::Entry& entry, std::uint64_t k) { return entry.key < k; });
    const bool found = at != pairs_.order.end() && at->key == key;
    return found ? &pairs_.pairs[at->slot] : nullptr;
}

} // namespace rigor::fast
