#include "fast/continuous_collision.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "fast/body_sweep.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr double kMaxMotion = 0.5; // of the thickness of a shape: what needs no sweep
constexpr int kMaxStops = 8;       // of a body in a step

/// Upper bounds of what a body moved and turned in the step.
struct Displacement {
    double distance = 0, angle = 0;
};

Displacement displacement_of(const StepData& step, std::uint32_t body) {
    const SolverBodies& bodies = step.scratch.bodies;
    const SolverBodyIndex index = bodies.index_of[body];
    if (index.responds_to_impulses()) {
        const SolverBody& solver_body = bodies[index];
        return {static_cast<double>(length(translation(solver_body))),
                2 * static_cast<double>(length(rotation_vector_part(solver_body)))};
    }
    const BodySpeed speed = speed_of(step.state.bodies, body);
    return {length(speed.linear) * step.dt, speed.angular * step.dt};
}

/// A cheap test by the first shape of each body.
const std::vector<std::uint32_t>& find_fast_bodies(StepData& step) {
    const WorldState& state = step.state;
    CollisionShapeCache& shapes = step.scratch.shapes;
    thread_local std::vector<std::uint32_t> fast; // reused to avoid allocation
    fast.clear();
    for (const std::uint32_t body : step.memory.sleep.awake) {
        if (!responds_to_impulses(state.bodies, body)) continue;
        const std::uint32_t first = state.bodies.traits[body].first_shape;
        if (first == UINT32_MAX) continue;
        shapes.ensure(state, first);
        const Displacement moved = displacement_of(step, body);
        // The radius about the shape's own origin bounds that about the center to a factor of 2.
        const double radius = 2 * static_cast<double>(shapes[first].radius);
        if (moved.distance + moved.angle * radius <
                0.5 * kMaxMotion * static_cast<double>(shapes[first].size) &&
            !step.scratch.deep.test(body))
            continue;
        fast.push_back(body);
        for_each_shape(state, body,
                       [&](ShapeId id, const ShapeRecord&) { shapes.ensure(state, id.index); });
    }
    return fast;
}

/// What acts on a body beside contacts and joints: gravity, and what the caller applies.
Vec3d force_on(const StepData& step, std::uint32_t body) {
    const BodyStore& bodies = step.state.bodies;
    Vec3d force = step.state.gravity * bodies.inertia[body].weight;
    if (!bodies.wrenches.empty()) force += bodies.wrenches[body].force;
    return without_locked(force, bodies.traits[body].lock, lock_tx);
}

/// The way of one body that meets obstacles.
class StoppedBody {
  public:
    StoppedBody(const StepData& step, std::uint32_t body)
        : step_(step),
          bodies_(step.state.bodies),
          body_(body),
          has_joints_(body < step.state.joints.of_body.size() &&
                      !step.state.joints.of_body[body].empty()),
          is_free_(step.scratch.bodies.index_of[body].is_null()),
          force_(force_on(step, body)),
          inv_mass_(bodies_.inertia[body].inv_mass) {}

    /// Until the end of the step, or to where it is stopped. False if nothing stopped it.
    bool run(const BodySweep& sweep) {
        BodyWay way = sweep.way_of(body_);
        for (int k = 0; k < kMaxStops; ++k) {
            const Stop stop = sweep.first_stop(body_, way);
            if (k == 0 && !(stop.t < 1)) return false;
            end = motion_after(way, stop.t);
            const double from = way.from + (1 - way.from) * stop.t, left = (1 - from) * step_.dt;
            if (!(left > 0)) break;
            // A body that moves freely has fallen until now alone: with the velocity of the end of
            // the step it would have gained energy.
            if (is_free_) end.p -= force_ * left;
            // A gap that shrank with every stop would be none in the end.
            end.x -= stop.normal * stop.lacking;
            if (!stop.was_in_contact) {
                if (k == 0) keep_angular_momentum();
                break;
            }
            take_approach(stop);
            if (has_joints_) break; // which would be torn
            way = rest_of_way(from, left);
            if (k > 0) slide(stop, left, way);
        }
        return true;
    }

    BodyMotion end;
    double work = 0; ///< of the impulses of obstacles, by the velocities where they act

  private:
    Vec3d turning(const Vec3d& l) const {
        const BodyTraits& traits = bodies_.traits[body_];
        if ((traits.lock & kRotationLocks) != 0)
            return LockedTurning(traits.moments, traits.lock)(end.q, l);
        return FreeTurning(bodies_.inertia[body_])(end.q, l);
    }

    /// As nothing has turned it; but where it was stopped on its way is not quite where it would
    /// have turned to, and there the same momentum may not mean more energy.
    void keep_angular_momentum() {
        constexpr double kRounding = 1e-6;
        BodyMotion kept = end;
        kept.l = bodies_.motion[body_].l;
        if (kinetic(kept) <= (1 + kRounding) * kinetic(end)) end.l = kept.l;
    }
    double kinetic(const BodyMotion& motion) const {
        return kinetic_energy(motion, bodies_.inertia[body_], bodies_.traits[body_]);
    }

    /// The impulse at the obstacle that ends the approach there. Without it a body that contacts do
    /// not hold would be put back in every step, and fall ever faster without moving.
    void take_approach(const Stop& stop) {
        const std::uint8_t lock = bodies_.traits[body_].lock;
        const Vec3d arm = stop.point - end.x, n = stop.normal;
        const Vec3d p = without_locked(-n, lock, lock_tx),
                    l = without_locked(cross(arm, -n), lock, lock_rx);
        const auto along = [&](const Vec3d& v, const Vec3d& w) {
            return dot(n, v + cross(w, arm));
        };
        const double approach = along(end.p * inv_mass_, turning(end.l)) - dot(n, stop.velocity);
        const double response = -along(p * inv_mass_, turning(l)); // of a unit impulse
        if (!(approach > 0 && response > 0)) return;
        const double impulse = approach / response;
        end.p += p * impulse;
        end.l += l * impulse;
        work -= impulse * (0.5 * approach + dot(n, stop.velocity));
    }

    /// With the velocities it has now, and what acts on it if it is free. Else they are those of
    /// the end of the step, when gravity has acted: what contacts and joints gave is not known by
    /// time.
    BodyWay rest_of_way(double from, double left) const {
        BodyWay way{end, end, {}, turning(end.l) * left, from};
        const Quatd turn = from_rotation_vector(way.rotation);
        way.end.q = normalize(turn * end.q);
        way.end.l = rotate(turn, end.l);
        const Vec3d gained = is_free_ ? force_ * left : Vec3d{};
        way.displacement = (end.p + gained * 0.5) * (inv_mass_ * left);
        way.end.p += gained;
        return way;
    }

    /// Along the obstacle. As a body turns points of it approach that did not at the moment of the
    /// impact, and it would be stopped again and again. What keeps it from approaching takes the
    /// momentum that a constant force would.
    void slide(const Stop& stop, double left, BodyWay& way) {
        const Vec3d arm = stop.carrier - way.start.x, n = stop.normal;
        const Vec3d moved =
            way.displacement + rotate(from_rotation_vector(way.rotation), arm) - arm;
        const double approach = dot(moved, n);
        if (!(approach > 0)) return;
        way.displacement -= n * approach;
        const double most = std::max(dot(way.end.p, n), 0.0);
        const double taken = std::min(2 * approach / (left * inv_mass_), most);
        const Vec3d before = way.end.p;
        way.end.p -= without_locked(n, bodies_.traits[body_].lock, lock_tx) * taken;
        work += 0.5 * inv_mass_ * dot(way.end.p - before, way.end.p + before);
    }

    const StepData& step_;
    const BodyStore& bodies_;
    std::uint32_t body_;
    bool has_joints_, is_free_;
    Vec3d force_;
    double inv_mass_;
};

/// Where a body was put, and the work of what stopped it.
struct StoppedMotion {
    bool is_stopped = false;
    BodyMotion end;
    double work = 0;
};

/// Puts a body to where its way ended, and records the work of gravity, forces and obstacles.
void put_back(StepData& step, std::uint32_t body, const StoppedMotion& stopped) {
    WorldState& state = step.state;
    BodyMotion& motion = state.bodies.motion[body];
    const Vec3d displacement = stopped.end.x - motion.x;
    motion = stopped.end;
    const auto record = [&](Ledger& ledger) {
        ledger.gravity += state.bodies.inertia[body].weight * dot(state.gravity, displacement);
        if (!state.bodies.wrenches.empty())
            ledger.forces += dot(state.bodies.wrenches[body].force, displacement);
        ledger.impact += stopped.work;
    };
    record(state.ledger);
    if (Ledger* island = state.islands.of(body)) record(*island);
}

} // namespace

void stop_fast_bodies(StepData& step) {
    const std::vector<std::uint32_t>& fast = find_fast_bodies(step);
    if (fast.empty()) return;
    const BodySweep sweep(step);
    thread_local std::vector<StoppedMotion> reused; // to avoid allocation
    reused.assign(fast.size(), {});
    std::vector<StoppedMotion>& stopped = reused;
    const auto run = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!sweep.may_have_passed(fast[i])) continue;
            StoppedBody body(step, fast[i]);
            if (body.run(sweep)) stopped[i] = {true, body.end, body.work};
        }
    };
    if (step.context.hooks->filter) {
        run(0, fast.size()); // hooks are called one at a time
    } else {
        step.context.team.parallel_for(fast.size(), 4, run);
    }
    int& count = step.outcome.stopped = 0;
    for (std::size_t i = 0; i < fast.size(); ++i) {
        if (!stopped[i].is_stopped) continue;
        put_back(step, fast[i], stopped[i]);
        ++count;
    }
}

} // namespace rigor::fast
