#include "fast/contact_kernels.h"

#include "fast/lane_rows.h"

namespace rigor::fast {
namespace {

/// From the centers of W pairs of bodies.
template <int W>
struct Arms {
    LaneVec<W> a, b;
};

/// The two sides of W manifolds, and what impulses do to them.
template <int W>
struct Sides {
    using F = Lanes<W>;

    RIGOR_INLINE Sides(const ContactBlock<W>& block, const BodyRow* rows)
        : block_(block),
          a(gather_velocity<W>(rows, block.row_a)),
          b(gather_velocity<W>(rows, block.row_b)),
          inv_mass_a(read<W>(block.inv_mass_a)),
          inv_mass_b(read<W>(block.inv_mass_b)) {}

    RIGOR_INLINE LaneVec<W> relative_velocity(const LaneVec<W>& arm_a,
                                              const LaneVec<W>& arm_b) const {
        return b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm_a);
    }
    RIGOR_INLINE void push(const LaneVec<W>& impulse, const LaneVec<W>& arm_a,
                           const LaneVec<W>& arm_b) {
        a.v = a.v - impulse * inv_mass_a;
        b.v = b.v + impulse * inv_mass_b;
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * cross(arm_a, impulse);
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * cross(arm_b, impulse);
    }
    RIGOR_INLINE void turn(const LaneVec<W>& impulse) {
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * impulse;
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * impulse;
    }
    RIGOR_INLINE void write(BodyRow* rows) const {
        scatter_velocity<W>(rows, block_.row_a, a);
        scatter_velocity<W>(rows, block_.row_b, b);
    }

    const ContactBlock<W>& block_;
    LaneVelocity<W> a, b;
    F inv_mass_a, inv_mass_b;
};

/// u·K v, K being what an impulse at these arms changes of the relative velocity.
template <int W>
RIGOR_INLINE Lanes<W> answer(const ContactBlock<W>& block, const Arms<W>& arms, const LaneVec<W>& u,
                             const LaneVec<W>& v) {
    const Sym3<Lanes<W>> a = read_tensor<W>(block.inv_inertia_a),
                         b = read_tensor<W>(block.inv_inertia_b);
    return (read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b)) * dot(u, v) +
           dot(cross(arms.a, u), a * cross(arms.a, v)) +
           dot(cross(arms.b, u), b * cross(arms.b, v));
}
/// The same about axes.
template <int W>
RIGOR_INLINE Lanes<W> turning_answer(const ContactBlock<W>& block, const LaneVec<W>& u) {
    return dot(u, read_tensor<W>(block.inv_inertia_a) * u) +
           dot(u, read_tensor<W>(block.inv_inertia_b) * u);
}

template <int W>
RIGOR_INLINE Lanes<W> inverse_or_zero(Lanes<W> x) {
    const Lanes<W> zero = 0.0f, one = 1.0f;
    const auto positive = x > zero;
    return select(positive, one / select(positive, x, one), zero);
}

template <int W>
RIGOR_INLINE void finish_friction(ContactBlock<W>& block, const LaneVec<W>& n) {
    using F = Lanes<W>;
    const LaneVec<W> t = read_vector<W>(block.tangent), s = cross(n, t);
    const Arms<W> middle{read_vector<W>(block.middle_a), read_vector<W>(block.middle_b)};
    const F k11 = answer<W>(block, middle, t, t), k22 = answer<W>(block, middle, s, s);
    const F k12 = answer<W>(block, middle, t, s);
    const F per_det = inverse_or_zero<W>(k11 * k22 - k12 * k12);
    write<W>(block.tangent_mass[0], k22 * per_det);
    write<W>(block.tangent_mass[1], k11 * per_det);
    write<W>(block.tangent_mass[2], -(k12 * per_det));
    write<W>(block.twist_mass, inverse_or_zero<W>(turning_answer<W>(block, n)));
    if (block.rolls)
        write<W>(block.rolling_mass,
                 inverse_or_zero<W>(max(turning_answer<W>(block, t), turning_answer<W>(block, s))));
}

/// The speed at which two points meet that are `gap` apart now: on the way there gravity goes on.
/// Negative: approaching. With it a bounce keeps energy, whenever in the step it happens.
template <int W>
RIGOR_INLINE Lanes<W> meeting_speed(Lanes<W> speed, Lanes<W> gap, Lanes<W> fall) {
    const Lanes<W> zero = 0.0f, two = 2.0f;
    const Lanes<W> squared = speed * speed - two * fall * max(gap, zero);
    const Lanes<W> faster = select(squared > zero, -sqrt(max(squared, zero)), speed);
    return select(zero > speed, faster, speed);
}

/// At the middle of the manifold, along the two tangents and about the normal.
template <int W>
struct Slip {
    Lanes<W> t, s, spin;
};
template <int W>
RIGOR_INLINE Slip<W> slip_of(const ContactBlock<W>& block, const Sides<W>& sides,
                             const LaneVec<W>& n) {
    const LaneVec<W> t = read_vector<W>(block.tangent);
    const LaneVec<W> v =
        sides.relative_velocity(read_vector<W>(block.middle_a), read_vector<W>(block.middle_b));
    return {dot(v, t), dot(v, cross(n, t)), dot(n, sides.b.w - sides.a.w)};
}
template <int W>
RIGOR_INLINE void note_slip(ContactBlock<W>& block, const Slip<W>& slip) {
    write<W>(block.slip_1, slip.t);
    write<W>(block.slip_2, slip.s);
    write<W>(block.spin, slip.spin);
}

/// Books what pushed in a substep: impulses for those who ask, and work for the ledger. The
/// impulses of all contacts together take bodies from their velocities at the end of one substep to
/// those at the end of the next, so the work of each is its impulse times the mean of the two: that
/// is exact, but for what gravity does meanwhile.
template <int W>
RIGOR_INLINE void book_block(ContactBlock<W>& block, PointBlock<W>* points, const BodyRow* ended) {
    using F = Lanes<W>;
    const F half = 0.5f;
    const Sides<W> sides(block, ended);
    const LaneVec<W> n = read_vector<W>(block.normal);
    F work = read<W>(block.work_normal);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const F impulse = read<W>(point.impulse);
        const F speed = dot(
            n, sides.relative_velocity(read_vector<W>(point.arm_a), read_vector<W>(point.arm_b)));
        write<W>(point.total, read<W>(point.total) + impulse);
        work = work + half * impulse * (read<W>(point.speed) + speed);
        write<W>(point.speed, speed);
    }
    write<W>(block.work_normal, work);
    const F f_1 = read<W>(block.friction_1), f_2 = read<W>(block.friction_2);
    const Slip<W> slip = slip_of<W>(block, sides, n);
    const F friction = f_1 * (read<W>(block.slip_1) + slip.t) +
                       f_2 * (read<W>(block.slip_2) + slip.s) +
                       read<W>(block.twist) * (read<W>(block.spin) + slip.spin);
    write<W>(block.work_friction, read<W>(block.work_friction) + half * friction);
    note_slip<W>(block, slip);
    write<W>(block.total_1, read<W>(block.total_1) + f_1);
    write<W>(block.total_2, read<W>(block.total_2) + f_2);
}

template <int W>
RIGOR_INLINE void finish_block(ContactBlock<W>& block, PointBlock<W>* points, const BodyRow* rows,
                               float hit_speed) {
    using F = Lanes<W>;
    const Sides<W> sides(block, rows);
    const LaneVec<W> n = read_vector<W>(block.normal), middle = read_vector<W>(block.middle_a);
    const F zero = 0.0f, fall = read<W>(block.fall);
    F hit = zero;
    finish_friction<W>(block, n);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const Arms<W> arms{read_vector<W>(point.arm_a), read_vector<W>(point.arm_b)};
        const LaneVec<W> off = arms.a - middle;
        const F there = read<W>(point.mass);
        const F speed = dot(n, sides.relative_velocity(arms.a, arms.b));
        const F approach = meeting_speed<W>(speed, read<W>(point.separation), fall) * there;
        write<W>(point.approach, approach);
        write<W>(point.speed, speed);
        write<W>(point.mass, inverse_or_zero<W>(answer<W>(block, arms, n, n)) * there);
        write<W>(point.lever, sqrt(dot(off, off)) * there);
        hit = select(-approach > F(hit_speed), F(1.0f), hit);
    }
    note_slip<W>(block, slip_of<W>(block, sides, n));
    write<W>(block.hit, hit);
    for (const float h : block.hit) block.hits |= h > 0;
}

template <int W>
RIGOR_INLINE void warm_start_block(const ContactBlock<W>& block, const PointBlock<W>* points,
                                   BodyRow* rows) {
    Sides<W> sides(block, rows);
    const LaneVec<W> n = read_vector<W>(block.normal), t = read_vector<W>(block.tangent),
                     s = cross(n, t);
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[k];
        sides.push(n * read<W>(point.impulse), read_vector<W>(point.arm_a),
                   read_vector<W>(point.arm_b));
    }
    sides.push(t * read<W>(block.friction_1) + s * read<W>(block.friction_2),
               read_vector<W>(block.middle_a), read_vector<W>(block.middle_b));
    sides.turn(n * read<W>(block.twist));
    if (block.rolls) sides.turn(t * read<W>(block.rolling_1) + s * read<W>(block.rolling_2));
    sides.write(rows);
}

/// Friction of the whole manifold, within the cone that the normal impulses span. Lanes that do not
/// take part stay as they are.
template <int W>
RIGOR_INLINE void solve_friction(ContactBlock<W>& block, const PointBlock<W>* points,
                                 Sides<W>& sides, const LaneVec<W>& n,
                                 typename Lanes<W>::Mask takes_part) {
    using F = Lanes<W>;
    const LaneVec<W> t = read_vector<W>(block.tangent), s = cross(n, t);
    const LaneVec<W> middle_a = read_vector<W>(block.middle_a),
                     middle_b = read_vector<W>(block.middle_b);
    const F friction = read<W>(block.friction);
    F load = 0.0f, leverage = 0.0f;
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[k];
        const F impulse = read<W>(point.impulse);
        load = load + impulse;
        leverage = leverage + impulse * read<W>(point.lever);
    }
    // About the normal.
    const F twist = read<W>(block.twist),
            most_twist = friction * leverage + read<W>(block.torsion) * load;
    const F spin = dot(n, sides.b.w - sides.a.w);
    const F wanted_twist = twist - read<W>(block.twist_mass) * spin;
    const F new_twist = select(takes_part, max(-most_twist, min(wanted_twist, most_twist)), twist);
    write<W>(block.twist, new_twist);
    sides.turn(n * (new_twist - twist));
    // In the plane: both directions at once, then back to the cone.
    const LaneVec<W> slip = sides.relative_velocity(middle_a, middle_b);
    const F slip_1 = dot(slip, t) - read<W>(block.drag_1);
    const F slip_2 = dot(slip, s) - read<W>(block.drag_2);
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    F new_1 = old_1 - (k11 * slip_1 + k12 * slip_2);
    F new_2 = old_2 - (k12 * slip_1 + k22 * slip_2);
    const F most = friction * load;
    const F squared = new_1 * new_1 + new_2 * new_2;
    const F scale = select(squared > most * most, most / sqrt(max(squared, F(1e-30f))), F(1.0f));
    new_1 = select(takes_part, new_1 * scale, old_1);
    new_2 = select(takes_part, new_2 * scale, old_2);
    write<W>(block.friction_1, new_1);
    write<W>(block.friction_2, new_2);
    sides.push(t * (new_1 - old_1) + s * (new_2 - old_2), middle_a, middle_b);
}

/// Against turning about the tangents, by no more than a length times the load.
template <int W>
RIGOR_INLINE void solve_rolling(ContactBlock<W>& block, const PointBlock<W>* points,
                                Sides<W>& sides, const LaneVec<W>& n) {
    using F = Lanes<W>;
    const LaneVec<W> t = read_vector<W>(block.tangent), s = cross(n, t);
    F load = 0.0f;
    for (int k = 0; k < block.point_count; ++k) load = load + read<W>(points[k].impulse);
    const LaneVec<W> turning = sides.b.w - sides.a.w;
    const F mass = read<W>(block.rolling_mass), most = read<W>(block.rolling) * load;
    const F old_1 = read<W>(block.rolling_1), old_2 = read<W>(block.rolling_2);
    F new_1 = old_1 - mass * dot(turning, t), new_2 = old_2 - mass * dot(turning, s);
    const F squared = new_1 * new_1 + new_2 * new_2;
    const F scale = select(squared > most * most, most / sqrt(max(squared, F(1e-30f))), F(1.0f));
    new_1 = new_1 * scale;
    new_2 = new_2 * scale;
    write<W>(block.rolling_1, new_1);
    write<W>(block.rolling_2, new_2);
    sides.turn(t * (new_1 - old_1) + s * (new_2 - old_2));
}

/// The normals of W manifolds in one sweep.
template <int W>
class NormalSweep {
  public:
    using F = Lanes<W>;
    using Mask = typename F::Mask;

    RIGOR_INLINE NormalSweep(const ContactBlock<W>& block, PointBlock<W>* points,
                             const BodyRow* rows, const SweepSettings& settings)
        : block_(block), points_(points), settings_(settings) {
        const LaneMotion<W> moved_a = gather_motion<W>(rows, block.row_a);
        const LaneMotion<W> moved_b = gather_motion<W>(rows, block.row_b);
        n = read_vector<W>(block.normal);
        // Small turns: twice the vector part of their quaternions.
        turn_a_ = moved_a.turn.vec() + moved_a.turn.vec();
        turn_b_ = moved_b.turn.vec() + moved_b.turn.vec();
        rate_ = settings.use_bias ? read<W>(block.bias_rate) : F(0.0f);
        mass_scale_ = settings.use_bias ? read<W>(block.mass_scale) : F(1.0f);
        impulse_scale_ = settings.use_bias ? read<W>(block.impulse_scale) : F(0.0f);
        approach_ = dot(n, moved_b.shift - moved_a.shift);
    }

    RIGOR_INLINE void solve(Sides<W>& sides) const {
        each_point(sides, settings_.backward, [](F, F wanted) { return wanted; });
    }
    /// Lanes that do not take part stay as they are.
    RIGOR_INLINE void solve(Sides<W>& sides, bool backward, Mask takes_part) const {
        each_point(sides, backward,
                   [&](F old, F wanted) { return select(takes_part, wanted, old); });
    }

    LaneVec<W> n;

  private:
    template <class Choose>
    RIGOR_INLINE void each_point(Sides<W>& sides, bool backward, const Choose& choose) const {
        const F inv_h = settings_.inv_h, push = -settings_.push_speed, zero = 0.0f, one = 1.0f;
        for (int i = 0; i < block_.point_count; ++i) {
            PointBlock<W>& point = points_[backward ? block_.point_count - 1 - i : i];
            const LaneVec<W> arm_a = read_vector<W>(point.arm_a),
                             arm_b = read_vector<W>(point.arm_b);
            const LaneVec<W> turned = cross(turn_b_, arm_b) - cross(turn_a_, arm_a);
            const F separation = read<W>(point.separation) + approach_ + dot(n, turned);
            const auto apart = separation > zero;
            const F bias = select(apart, separation * inv_h, max(separation * rate_, push));
            const F soft_mass = select(apart, one, mass_scale_);
            const F soft_impulse = select(apart, zero, impulse_scale_);
            const F speed = dot(n, sides.relative_velocity(arm_a, arm_b));
            const F old = read<W>(point.impulse);
            const F wanted =
                old - read<W>(point.mass) * soft_mass * (speed + bias) - soft_impulse * old;
            const F impulse = choose(old, max(wanted, zero));
            write<W>(point.impulse, impulse);
            write<W>(point.most, max(read<W>(point.most), impulse));
            sides.push(n * (impulse - old), arm_a, arm_b);
        }
    }

    const ContactBlock<W>& block_;
    PointBlock<W>* points_;
    const SweepSettings& settings_;
    LaneVec<W> turn_a_, turn_b_;
    F rate_, mass_scale_, impulse_scale_, approach_;
};

/// An impact is over in one sweep, so normals and friction must agree within it: what friction does
/// to the approach is made good, and friction follows. Others have the next sweeps for it.
template <int W>
RIGOR_INLINE void settle_hit(ContactBlock<W>& block, const PointBlock<W>* points, Sides<W>& sides,
                             const NormalSweep<W>& normals, bool backward) {
    constexpr int kPasses = 3;
    const auto takes_part = read<W>(block.hit) > Lanes<W>(0.0f);
    for (int pass = 0; pass < kPasses; ++pass) {
        backward = !backward;
        normals.solve(sides, backward, takes_part);
        solve_friction<W>(block, points, sides, normals.n, takes_part);
    }
}

template <int W>
RIGOR_INLINE void solve_block(ContactBlock<W>& block, PointBlock<W>* points, BodyRow* rows,
                              const SweepSettings& settings) {
    using F = Lanes<W>;
    Sides<W> sides(block, rows);
    const NormalSweep<W> normals(block, points, rows, settings);
    normals.solve(sides);
    if (!settings.use_bias) {
        if (block.rolls) solve_rolling<W>(block, points, sides, normals.n);
        solve_friction<W>(block, points, sides, normals.n, F(1.0f) > F(0.0f));
        if (block.hits) settle_hit<W>(block, points, sides, normals, settings.backward);
    }
    sides.write(rows);
}

template <int W>
RIGOR_INLINE bool may_bounce(const ContactBlock<W>& block) {
    bool any = false;
    for (const float e : block.restitution) any |= e > 0;
    return any;
}

template <int W>
RIGOR_INLINE void bounce_block(ContactBlock<W>& block, PointBlock<W>* points, BodyRow* rows,
                               const SweepSettings& settings) {
    using F = Lanes<W>;
    if (!may_bounce<W>(block)) return;
    Sides<W> sides(block, rows);
    const LaneVec<W> n = read_vector<W>(block.normal);
    const F restitution = read<W>(block.restitution), zero = 0.0f;
    F bounced = zero, work = zero;
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const F approach = read<W>(point.approach);
        const F fast = select(-approach > F(settings.slowest_bounce), F(1.0f), zero);
        const F pushed = select(read<W>(point.most) > zero, F(1.0f), zero);
        const F active = fast * pushed * select(restitution > zero, F(1.0f), zero);
        const LaneVec<W> arm_a = read_vector<W>(point.arm_a), arm_b = read_vector<W>(point.arm_b);
        const F speed = dot(n, sides.relative_velocity(arm_a, arm_b));
        const F old = read<W>(point.impulse);
        const F wanted = old - read<W>(point.mass) * (speed + restitution * approach);
        const F impulse = select(active > zero, max(wanted, zero), old);
        write<W>(point.impulse, impulse);
        write<W>(point.total, read<W>(point.total) + (impulse - old));
        sides.push(n * (impulse - old), arm_a, arm_b);
        const F after = dot(n, sides.relative_velocity(arm_a, arm_b));
        work = work + F(0.5f) * (impulse - old) * (speed + after);
        bounced = max(bounced, active);
    }
    // What throws the bodies apart also presses them together: friction has its share of it.
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    const Slip<W> before = slip_of<W>(block, sides, n);
    solve_friction<W>(block, points, sides, n, bounced > zero);
    const Slip<W> after = slip_of<W>(block, sides, n);
    const F d_1 = read<W>(block.friction_1) - old_1, d_2 = read<W>(block.friction_2) - old_2;
    write<W>(block.total_1, read<W>(block.total_1) + d_1);
    write<W>(block.total_2, read<W>(block.total_2) + d_2);
    write<W>(block.work_bounce, work);
    write<W>(block.work_friction,
             read<W>(block.work_friction) +
                 F(0.5f) * (d_1 * (before.t + after.t) + d_2 * (before.s + after.s)));
    sides.write(rows);
}

/// One loop for each sweep and width. AVX2 is a property of these functions alone: nothing that
/// is shared with the rest of the program is compiled for it.
#define RIGOR_SWEEPS(W, ATTRIBUTES)                                                               \
    ATTRIBUTES void book_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,   \
                             const BodyRow* ended) {                                              \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            book_block<W>(blocks[i], points + blocks[i].first_point, ended);                      \
    }                                                                                             \
    ATTRIBUTES void finish_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, \
                               const BodyRow* rows, float hit_speed) {                            \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            finish_block<W>(blocks[i], points + blocks[i].first_point, rows, hit_speed);          \
    }                                                                                             \
    ATTRIBUTES void warm_start_##W(ContactBlock<W>* blocks, std::size_t count,                    \
                                   PointBlock<W>* points, BodyRow* rows) {                        \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            warm_start_block<W>(blocks[i], points + blocks[i].first_point, rows);                 \
    }                                                                                             \
    ATTRIBUTES void solve_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,  \
                              BodyRow* rows, const SweepSettings& settings) {                     \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            solve_block<W>(blocks[i], points + blocks[i].first_point, rows, settings);            \
    }                                                                                             \
    ATTRIBUTES void bounce_##W(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, \
                               BodyRow* rows, const SweepSettings& settings) {                    \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            bounce_block<W>(blocks[i], points + blocks[i].first_point, rows, settings);           \
    }
RIGOR_SWEEPS(1, [[gnu::flatten]])
RIGOR_SWEEPS(4, [[gnu::flatten]])
#if defined(__x86_64__)
RIGOR_SWEEPS(8, [[gnu::target("avx2")]] [[gnu::flatten]])
#else
RIGOR_SWEEPS(8, [[gnu::flatten]])
#endif

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                      \
    template <>                                                                                   \
    void book(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,                  \
              const BodyRow* ended) {                                                             \
        book_##W(blocks, count, points, ended);                                                   \
    }                                                                                             \
    template <>                                                                                   \
    void finish_blocks(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,         \
                       const BodyRow* rows, float hit_speed) {                                    \
        finish_##W(blocks, count, points, rows, hit_speed);                                       \
    }                                                                                             \
    template <>                                                                                   \
    void warm_start(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,            \
                    BodyRow* rows) {                                                              \
        warm_start_##W(blocks, count, points, rows);                                              \
    }                                                                                             \
    template <>                                                                                   \
    void solve(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, BodyRow* rows,  \
               const SweepSettings& settings) {                                                   \
        solve_##W(blocks, count, points, rows, settings);                                         \
    }                                                                                             \
    template <>                                                                                   \
    void bounce(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, BodyRow* rows, \
                const SweepSettings& settings) {                                                  \
        bounce_##W(blocks, count, points, rows, settings);                                        \
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
