#include "faithful/missed_impacts.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_detection.h"

namespace rigor::faithful {
namespace {

constexpr double kStepRatio = 1.0 / 16; // of the size of a body, that its points move between
                                        // two times: a solid is not passed in one

constexpr double kEffort = 12; // of one time, as that of an evaluation of forces

/// One of the two shapes, with what bounds the motion of its points.
struct MovingShape {
    std::size_t index = 0;   ///< of its body in the island
    double turn_radius = 0;  ///< of the points that move when the body turns
    double size = 0;         ///< infinite if static
    bool half_space = false; ///< never passed, whatever moves along it
};

std::size_t index_of(const Island& island, std::uint32_t body) {
    return static_cast<std::size_t>(std::find(island.bodies.begin(), island.bodies.end(), body) -
                                    island.bodies.begin());
}

MovingShape moving_shape(const WorldState& state, const Island& island, std::uint32_t shape) {
    const std::uint32_t body = body_of(state, shape);
    const Shape<double>& geometry = state.shapes[shape].geometry;
    MovingShape moving{index_of(island, body), 0, std::numeric_limits<double>::infinity(),
                       std::holds_alternative<Plane<double>>(geometry.solid)};
    if (moving.half_space || state.bodies.traits[body].type == BodyType::static_body) return moving;
    const Posed place = in_body(state, shape);
    moving.size = bounding_radius(geometry, inverse_transform(place, Vec3d{}));
    const bool is_ball =
        std::holds_alternative<Sphere<double>>(geometry.solid) && place.p == Vec3d{};
    moving.turn_radius = is_ball ? 0 : moving.size;
    return moving;
}

class PairSearch {
  public:
    PairSearch(const WorldState& state, const Island& start, const ShapePair& pair)
        : state_(state),
          start_(start),
          pair_(pair),
          a_(moving_shape(state, start, pair.a)),
          b_(moving_shape(state, start, pair.b)),
          allowed_(allowed_penetration(start)) {}

    std::optional<PenetrationInterval> run(const DenseOutput& motion, BudgetMeter& budget_meter) {
        const double step = kStepRatio * std::min(a_.size, b_.size);
        double before = start_.time, path = 0;
        for (const DenseOutputSegment& segment : motion) {
            const double way = path_in(segment);
            const double duration = segment.end - segment.begin;
            // Where the next times are on the path, counted from the last one.
            for (double next = step - path; next < way; next += step) {
                const double time = segment.begin + duration * (next / way);
                budget_meter.charge_effort(kEffort);
                if (budget_meter.must_stop()) return std::nullopt;
                if (penetrates_at(segment, time)) return PenetrationInterval{before, time};
                before = time;
            }
            path = std::fmod(path + way, step);
        }
        return std::nullopt;
    }

  private:
    BodyKinematics kinematics_at(const MovingShape& shape, const DenseOutputSegment& segment,
                                 double time) const {
        return kinematics_of(state_.bodies, start_.bodies[shape.index],
                             motion_at(segment, shape.index, time));
    }

    double speed_at(const DenseOutputSegment& segment, double time) const {
        const BodyKinematics a = kinematics_at(a_, segment, time),
                             b = kinematics_at(b_, segment, time);
        const double along = a_.half_space || b_.half_space ? 0 : length(b.v - a.v);
        return along + length(a.w) * a_.turn_radius + length(b.w) * b_.turn_radius;
    }

    /// How far points of the two may move against each other.
    double path_in(const DenseOutputSegment& segment) const {
        return (segment.end - segment.begin) *
               std::max(speed_at(segment, segment.begin), speed_at(segment, segment.end));
    }

    bool penetrates_at(const DenseOutputSegment& segment, double time) const {
        return separation(state_, pair_, motion_at(segment, a_.index, time),
                          motion_at(segment, b_.index, time))
                   .gap < -allowed_;
    }

    const WorldState& state_;
    const Island& start_;
    ShapePair pair_;
    MovingShape a_, b_;
    double allowed_;
};

} // namespace

double allowed_penetration(const Island& start) {
    double deepest = 0;
    for (const std::vector<Contact>* list : {&start.contacts, &start.near_contacts})
        for (const Contact& c : *list)
            deepest = std::max(deepest, -closest_points_of(c, start).gap);
    return kMaxInitialPenetration + deepest;
}

std::optional<PenetrationInterval> find_penetration(const WorldState& state, const Island& start,
                                                    const DenseOutput& motion,
                                                    BudgetMeter& budget_meter) {
    std::optional<PenetrationInterval> first;
    for (const ShapePair& pair : start.pairs) {
        const std::optional<PenetrationInterval> found =
            PairSearch(state, start, pair).run(motion, budget_meter);
        if (found && (!first || found->after < first->after)) first = found;
    }
    return first;
}

} // namespace rigor::faithful
