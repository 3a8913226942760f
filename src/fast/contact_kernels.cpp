#include "fast/contact_kernels.h"

#include "fast/contact_friction.h"
#include "fast/contact_restitution.h"
#include "fast/friction_anchors.h"
#include "fast/kernel_widths.h"

namespace rigor::fast {
namespace {

/// The mean of the points. Friction anchors leave it while the contact moves.
template <int W>
RIGOR_INLINE LaneVec<W> middle_of(const PointBlock<W>* points, int count) {
    using F = Lanes<W>;
    LaneVec<W> sum;
    F there = 0.0f;
    for (int k = 0; k < count; ++k) {
        const F one = read<W>(points[k].mass);
        sum = sum + read_vector<W>(points[k].anchor_a) * one;
        there = there + one;
    }
    return sum * inverse_or_zero<W>(there);
}

/// The relative velocity at which two points meet that are `gap` apart now: gravity acts until they
/// do. Negative: approaching. With it a bounce keeps energy, whenever in the step it happens.
template <int W>
RIGOR_INLINE Lanes<W> impact_velocity(Lanes<W> speed, Lanes<W> gap, Lanes<W> relative_gravity) {
    const Lanes<W> zero = 0.0f, two = 2.0f;
    const Lanes<W> squared = speed * speed - two * relative_gravity * max(gap, zero);
    const Lanes<W> faster = select(squared > zero, -sqrt(max(squared, zero)), speed);
    return select(zero > speed, faster, speed);
}

template <int W>
RIGOR_INLINE Lanes<W> load_of(const PointBlock<W>* points, int count) {
    Lanes<W> load = 0.0f;
    for (int k = 0; k < count; ++k) load = load + read<W>(points[k].impulse);
    return load;
}

/// Adds up the impulses of a substep for reports, and their work for the ledger. The impulses of
/// all contacts together take bodies from their velocities at the end of one substep to
/// those at the end of the next, so the work of each is its impulse times the mean of the two, and
/// that of displacements (displacement_work.h).
template <int W>
RIGOR_INLINE void accumulate_work_block(ContactBlock<W>& block, PointBlock<W>* points,
                                        const SolverBody* ended, float h) {
    using F = Lanes<W>;
    const F half = 0.5f;
    const BodyPair<W> pair(block, ended), counted = without_drivers<W>(pair);
    const LaneVec<W> n = read_vector<W>(block.normal);
    F work = read<W>(block.normal_work) +
             F(h) * read<W>(block.relative_gravity) * load_of<W>(points, block.point_count);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const F impulse = read<W>(point.impulse);
        const F speed = dot(n, pair.relative_velocity(read_vector<W>(point.anchor_a),
                                                      read_vector<W>(point.anchor_b)));
        write<W>(point.total_impulse, read<W>(point.total_impulse) + impulse);
        work = work + half * impulse * (read<W>(point.normal_velocity) + speed);
        write<W>(point.normal_velocity, speed);
    }
    write<W>(block.normal_work, work);
    update_impact_velocities<W>(block, points, pair, h);
    const F f_1 = read<W>(block.friction_1), f_2 = read<W>(block.friction_2);
    const Slip<W> slip = slip_of<W>(block, counted, n);
    const F friction = f_1 * (read<W>(block.slip_1) + slip.t) +
                       f_2 * (read<W>(block.slip_2) + slip.s) +
                       read<W>(block.twist) * (read<W>(block.slip_twist) + slip.twist);
    write<W>(block.friction_work, read<W>(block.friction_work) + half * friction);
    if (block.rolls)
        write<W>(block.friction_work, read<W>(block.friction_work) +
                                          accumulate_rolling_work<W>(
                                              *block.surface, rolling_axes<W>(block, n), counted));
    write_slip<W>(block, slip);
    write<W>(block.total_friction_1, read<W>(block.total_friction_1) + f_1);
    write<W>(block.total_friction_2, read<W>(block.total_friction_2) + f_2);
}

/// An impact has its load elsewhere than the contact had it in the last substep: friction of lanes
/// that hit begins in the middle of the points.
template <int W>
RIGOR_INLINE void begin_impact_in_middle(ContactBlock<W>& block, const LaneVec<W>& n) {
    using F = Lanes<W>;
    const F kept = select(read<W>(block.hit) > F(0.0f), F(0.0f), F(1.0f));
    const LaneVec<W> center = read_vector<W>(block.load_center), moved = center * kept - center;
    const auto move = [&](std::array<Column<W>, 3>& column) {
        write_vector<W>(column, read_vector<W>(column) + moved);
    };
    move(block.friction_anchor_a);
    move(block.friction_anchor_b);
    move(block.load_center);
    prepare_friction<W>(block, n);
}

template <int W>
RIGOR_INLINE void prepare_block(ContactBlock<W>& block, PointBlock<W>* points,
                                const SolverBody* bodies, float hit_speed) {
    using F = Lanes<W>;
    const BodyPair<W> pair(block, bodies), counted = without_drivers<W>(pair);
    const LaneVec<W> n = read_vector<W>(block.normal),
                     middle = middle_of<W>(points, block.point_count);
    const F zero = 0.0f, relative_gravity = read<W>(block.relative_gravity);
    F hit = zero;
    prepare_friction<W>(block, n);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const LaneAnchors<W> anchors{read_vector<W>(point.anchor_a),
                                     read_vector<W>(point.anchor_b)};
        const LaneVec<W> off = anchors.a - middle;
        const F there = read<W>(point.mass);
        const F speed = dot(n, pair.relative_velocity(anchors.a, anchors.b));
        const F approach =
            impact_velocity<W>(speed, read<W>(point.separation), relative_gravity) * there;
        write<W>(point.impact_velocity, approach);
        write<W>(point.normal_velocity, speed);
        write<W>(point.mass,
                 inverse_or_zero<W>(inverse_effective_mass<W>(block, anchors, n, n)) * there);
        write<W>(point.lever_arm, lever_arm<W>(block, n, off) * there);
        hit = select(-approach > F(hit_speed), F(1.0f), hit);
    }
    write<W>(block.hit, hit);
    for (const float h : block.hit) block.hits |= h > 0;
    if (block.hits && block.follows_load) begin_impact_in_middle<W>(block, n);
    write_slip<W>(block, slip_of<W>(block, counted, n));
    if (block.rolls)
        accumulate_rolling_work<W>(*block.surface, rolling_axes<W>(block, n), counted); // rates
}

/// The effective masses, after the inertia has changed.
template <int W>
RIGOR_INLINE void update_masses_block(ContactBlock<W>& block, PointBlock<W>* points) {
    using F = Lanes<W>;
    const LaneVec<W> n = read_vector<W>(block.normal);
    prepare_friction<W>(block, n);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const LaneAnchors<W> anchors{read_vector<W>(point.anchor_a),
                                     read_vector<W>(point.anchor_b)};
        const F now = inverse_or_zero<W>(inverse_effective_mass<W>(block, anchors, n, n));
        write<W>(point.mass, select(read<W>(point.mass) > F(0.0f), now, F(0.0f)));
    }
}

template <int W>
RIGOR_INLINE void warm_start_block(ContactBlock<W>& block, const PointBlock<W>* points,
                                   SolverBody* bodies) {
    BodyPair<W> pair(block, bodies);
    const LaneVec<W> n = read_vector<W>(block.normal);
    const auto [t, s] = tangents_of<W>(block, n);
    if (block.sticks_and_slides) {
        Lanes<W> load = 0.0f;
        for (int k = 0; k < block.point_count; ++k) load = load + read<W>(points[k].impulse);
        write<W>(block.surface->warm_load, load);
    }
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[k];
        pair.apply_impulse(n * read<W>(point.impulse), read_vector<W>(point.anchor_a),
                           read_vector<W>(point.anchor_b));
    }
    pair.apply_impulse(t * read<W>(block.friction_1) + s * read<W>(block.friction_2),
                       read_vector<W>(block.friction_anchor_a),
                       read_vector<W>(block.friction_anchor_b));
    pair.apply_angular_impulse(n * read<W>(block.twist));
    if (block.rolls) {
        const LaneTangents<W> axes = rolling_axes<W>(block, n);
        pair.apply_angular_impulse(axes.t * read<W>(block.surface->rolling_1) +
                                   axes.s * read<W>(block.surface->rolling_2));
    }
    pair.write(bodies);
}

/// One iteration over the normal constraints of W manifolds.
template <int W>
class NormalSolver {
  public:
    using F = Lanes<W>;
    using Mask = typename F::Mask;

    RIGOR_INLINE NormalSolver(const ContactBlock<W>& block, PointBlock<W>* points,
                              const SolverBody* bodies, const ContactSolveSettings& settings)
        : block_(block), points_(points), settings_(settings) {
        const LaneDisplacement<W> moved_a = gather_displacement<W>(bodies, block.body_a);
        const LaneDisplacement<W> moved_b = gather_displacement<W>(bodies, block.body_b);
        n = read_vector<W>(block.normal);
        // Small rotations: twice the vector part of their quaternions.
        turn_a_ = moved_a.rotation.vec() + moved_a.rotation.vec();
        turn_b_ = moved_b.rotation.vec() + moved_b.rotation.vec();
        rate_ = settings.use_bias ? read<W>(block.bias_rate) : F(0.0f);
        mass_scale_ = settings.use_bias ? read<W>(block.mass_scale) : F(1.0f);
        impulse_scale_ = settings.use_bias ? read<W>(block.impulse_scale) : F(0.0f);
        approach_ = dot(n, moved_b.translation - moved_a.translation);
    }

    RIGOR_INLINE void solve(BodyPair<W>& pair) const {
        each_point(pair, settings_.backward, [](F, F wanted) { return wanted; });
    }
    /// Lanes outside the mask keep their impulses.
    RIGOR_INLINE void solve(BodyPair<W>& pair, bool backward, Mask mask) const {
        each_point(pair, backward, [&](F old, F wanted) { return select(mask, wanted, old); });
    }

    LaneVec<W> n;

  private:
    template <class Choose>
    RIGOR_INLINE void each_point(BodyPair<W>& pair, bool backward, const Choose& choose) const {
        const F inv_h = settings_.inv_h, max_bias = -settings_.max_bias_velocity, zero = 0.0f,
                one = 1.0f;
        for (int i = 0; i < block_.point_count; ++i) {
            PointBlock<W>& point = points_[backward ? block_.point_count - 1 - i : i];
            const LaneVec<W> anchor_a = read_vector<W>(point.anchor_a),
                             anchor_b = read_vector<W>(point.anchor_b);
            const LaneVec<W> turned = cross(turn_b_, anchor_b) - cross(turn_a_, anchor_a);
            const F separation = read<W>(point.separation) + approach_ + dot(n, turned);
            const auto apart = separation > zero;
            const F bias = select(apart, separation * inv_h, max(separation * rate_, max_bias));
            const F soft_mass = select(apart, one, mass_scale_);
            const F soft_impulse = select(apart, zero, impulse_scale_);
            const F speed = dot(n, pair.relative_velocity(anchor_a, anchor_b));
            const F old = read<W>(point.impulse);
            const F wanted =
                old - read<W>(point.mass) * soft_mass * (speed + bias) - soft_impulse * old;
            const F impulse = choose(old, max(wanted, zero));
            write<W>(point.impulse, impulse);
            write<W>(point.max_impulse, max(read<W>(point.max_impulse), impulse));
            pair.apply_impulse(n * (impulse - old), anchor_a, anchor_b);
        }
    }

    const ContactBlock<W>& block_;
    PointBlock<W>* points_;
    const ContactSolveSettings& settings_;
    LaneVec<W> turn_a_, turn_b_;
    F rate_, mass_scale_, impulse_scale_, approach_;
};

/// An impact is over in one iteration, so normal and friction impulses must agree within it: both
/// are solved in turn. Other contacts converge over the next iterations.
template <int W>
RIGOR_INLINE void solve_impact(ContactBlock<W>& block, PointBlock<W>* points, BodyPair<W>& pair,
                               const NormalSolver<W>& normals, bool backward) {
    constexpr int kPasses = 3;
    const auto mask = read<W>(block.hit) > Lanes<W>(0.0f);
    for (int pass = 0; pass < kPasses; ++pass) {
        backward = !backward;
        normals.solve(pair, backward, mask);
        if (block.follows_load) move_friction_to_load<W>(block, points, normals.n);
        solve_friction<W>(block, points, pair, normals.n, mask);
    }
}

template <int W>
RIGOR_INLINE void solve_block(ContactBlock<W>& block, PointBlock<W>* points, SolverBody* bodies,
                              const ContactSolveSettings& settings) {
    using F = Lanes<W>;
    BodyPair<W> pair(block, bodies);
    const NormalSolver<W> normals(block, points, bodies, settings);
    normals.solve(pair);
    if (settings.use_bias) {
        const F load = load_of<W>(points, block.point_count), lift = F(settings.h) * load;
        write<W>(block.normal_work,
                 read<W>(block.normal_work) - lift * read<W>(block.relative_gravity));
    } else {
        if (block.rolls) solve_rolling<W>(block, points, pair, normals.n);
        if (block.follows_load) move_friction_to_load<W>(block, points, normals.n);
        solve_friction<W>(block, points, pair, normals.n, F(1.0f) > F(0.0f));
        if (block.hits) solve_impact<W>(block, points, pair, normals, settings.backward);
    }
    pair.write(bodies);
}

/// One loop for each kernel and width. AVX2 is a property of these functions alone: nothing that
/// is shared with the rest of the program is compiled for it.
#define RIGOR_KERNELS(W, ATTRIBUTES)                                                               \
    ATTRIBUTES void accumulate_work_##W(ContactBlock<W>* blocks, std::size_t count,                \
                                        PointBlock<W>* points, const SolverBody* ended, float h) { \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            accumulate_work_block<W>(blocks[i], points + blocks[i].first_point, ended, h);         \
    }                                                                                              \
    ATTRIBUTES void prepare_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, \
                                const SolverBody* bodies, float hit_speed) {                       \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            prepare_block<W>(blocks[i], points + blocks[i].first_point, bodies, hit_speed);        \
    }                                                                                              \
    ATTRIBUTES void update_masses_##W(ContactBlock<W>* blocks, std::size_t count,                  \
                                      PointBlock<W>* points) {                                     \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            if (blocks[i].turns || blocks[i].moves)                                                \
                update_masses_block<W>(blocks[i], points + blocks[i].first_point);                 \
    }                                                                                              \
    ATTRIBUTES void move_friction_anchors_##W(ContactBlock<W>* blocks, std::size_t count,          \
                                              const SolverBody* ended, float moved_for,            \
                                              float turned_for) {                                  \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            if (blocks[i].moves)                                                                   \
                move_friction_anchors_block<W>(blocks[i], ended, moved_for, turned_for);           \
    }                                                                                              \
    ATTRIBUTES void warm_start_##W(ContactBlock<W>* blocks, std::size_t count,                     \
                                   PointBlock<W>* points, SolverBody* bodies) {                    \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            warm_start_block<W>(blocks[i], points + blocks[i].first_point, bodies);                \
    }                                                                                              \
    ATTRIBUTES void solve_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,   \
                              SolverBody* bodies, const ContactSolveSettings& settings) {          \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            solve_block<W>(blocks[i], points + blocks[i].first_point, bodies, settings);           \
    }                                                                                              \
    ATTRIBUTES void apply_restitution_##W(ContactBlock<W>* blocks, std::size_t count,              \
                                          PointBlock<W>* points, SolverBody* bodies,               \
                                          const ContactSolveSettings& settings) {                  \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            apply_restitution_block<W>(blocks[i], points + blocks[i].first_point, bodies,          \
                                       settings.h, settings.restitution_threshold);                \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                  \
    template <>                                                                               \
    void accumulate_work(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,   \
                         const SolverBody* ended, float h) {                                  \
        accumulate_work_##W(blocks, count, points, ended, h);                                 \
    }                                                                                         \
    template <>                                                                               \
    void prepare_blocks(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,    \
                        const SolverBody* bodies, float hit_speed) {                          \
        prepare_##W(blocks, count, points, bodies, hit_speed);                                \
    }                                                                                         \
    template <>                                                                               \
    void update_masses(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points) {   \
        update_masses_##W(blocks, count, points);                                             \
    }                                                                                         \
    template <>                                                                               \
    void move_friction_anchors(ContactBlock<W>* blocks, std::size_t count,                    \
                               const SolverBody* ended, float moved_for, float turned_for) {  \
        move_friction_anchors_##W(blocks, count, ended, moved_for, turned_for);               \
    }                                                                                         \
    template <>                                                                               \
    void warm_start(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,        \
                    SolverBody* bodies) {                                                     \
        warm_start_##W(blocks, count, points, bodies);                                        \
    }                                                                                         \
    template <>                                                                               \
    void solve(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,             \
               SolverBody* bodies, const ContactSolveSettings& settings) {                    \
        solve_##W(blocks, count, points, bodies, settings);                                   \
    }                                                                                         \
    template <>                                                                               \
    void apply_restitution(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, \
                           SolverBody* bodies, const ContactSolveSettings& settings) {        \
        apply_restitution_##W(blocks, count, points, bodies, settings);                       \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

int widest_lanes() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? 8 : 4;
#else
    return 4;
#endif
}

} // namespace rigor::fast
