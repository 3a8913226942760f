#include "fast/fast_step.h"

#include <algorithm>
#include <cmath>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr float kContactHertz = 30;     // how stiffly overlaps are pushed out, at most
constexpr float kContactDamping = 10;   // far beyond critical: no bouncing
constexpr float kPushSpeed = 3;         // m/s
constexpr std::size_t kBlockGrain = 16; // blocks of rows per task
constexpr std::size_t kBodyGrain = 256; // bodies per task

/// One step, stage by stage. Each stage says in its name what it does, in the header what order
/// they have.
class Stepper {
  public:
    Stepper(const StepContext& context, Memory& memory, Scratch& scratch, double dt)
        : state_(context.state),
          bodies_(context.state.bodies),
          context_(context),
          memory_(memory),
          scratch_(scratch),
          dt_(dt),
          h_(static_cast<float>(dt / context.substeps)) {}

    StepOutcome run() {
        {
            const StageTimer timer(context_.profile, "pairs");
            find_new_pairs(state_, context_.proxies, context_.team, scratch_.shapes, memory_.pairs,
                           scratch_.found);
        }
        {
            const StageTimer timer(context_.profile, "contacts");
            update_contacts(state_, context_.proxies, context_.team, scratch_.shapes, dt_,
                            memory_.pairs);
        }
        {
            const StageTimer timer(context_.profile, "prepare");
            collect();
            sort_by_color();
        }
        switch (context_.lanes > 0 ? std::min(context_.lanes, widest_lanes()) : widest_lanes()) {
            case 8:
                solve_wide<8>(scratch_.blocks_8);
                break;
            case 4:
                solve_wide<4>(scratch_.blocks_4);
                break;
            default:
                solve_wide<1>(scratch_.blocks_1);
        }
        {
            const StageTimer timer(context_.profile, "free");
            move_free_bodies();
        }
        return std::move(outcome_);
    }

  private:
    // prepare -------------------------------------------------------------------------------------

    void collect() {
        BodyRows& rows = scratch_.bodies;
        rows.rows.assign(1, {});
        rows.mass.assign(1, {});
        rows.body.assign(1, UINT32_MAX);
        rows.row_of.assign(bodies_.slot_count(), UINT32_MAX);
        scratch_.contacts.clear();
        for (const PairStore::Entry& entry : memory_.pairs.order) {
            ContactPair& pair = memory_.pairs.pairs[entry.slot];
            if (pair.sensor) continue;
            if (pair.composite) {
                for (Touch& touch : pair.touches) add_contact(pair, touch);
            } else if (pair.touch.manifold.count > 0) {
                add_contact(pair, pair.touch);
            }
        }
    }

    void add_contact(const ContactPair& pair, Touch& touch) {
        scratch_.contacts.push_back({&touch, &pair, row_of(pair.body_a), row_of(pair.body_b)});
        outcome_.contacts += touch.manifold.count;
        for (int i = 0; i < touch.manifold.count; ++i) {
            const float s = touch.separation[static_cast<std::size_t>(i)];
            outcome_.deepest = std::max(outcome_.deepest, -static_cast<double>(s));
        }
    }

    std::uint32_t row_of(std::uint32_t body) {
        std::uint32_t& row = scratch_.bodies.row_of[body];
        if (row == UINT32_MAX) row = make_row(body);
        return row;
    }

    std::uint32_t make_row(std::uint32_t body) {
        BodyRows& rows = scratch_.bodies;
        const BodyTraits& traits = bodies_.traits[body];
        if (traits.type == BodyType::static_body || bodies_.mobility[body] == Mobility::still)
            return kReadOnly; // row 0
        const auto row = static_cast<std::uint32_t>(rows.rows.size());
        const Vec3f v = cast<float>(velocity(bodies_, body));
        const Vec3f w = cast<float>(angular_velocity(bodies_, body));
        rows.rows.push_back({{v.x, v.y, v.z, w.x, w.y, w.z, 0, 0}, {}});
        rows.body.push_back(body);
        if (traits.type != BodyType::dynamic_body) {
            rows.mass.emplace_back();
            return row | kReadOnly;
        }
        const BodyInertia& inertia = bodies_.inertia[body];
        rows.mass.push_back({static_cast<float>(inertia.inv_mass), world_inverse_inertia(body),
                             cast<float>(state_.gravity * (inertia.weight * inertia.inv_mass))});
        return row;
    }

    Sym3<float> world_inverse_inertia(std::uint32_t body) const {
        const Mat3d axes = to_matrix(bodies_.motion[body].q);
        const Sym3d inverse = rotate(axes, Sym3d::diagonal(bodies_.inertia[body].inv_moments));
        const std::uint8_t lock = bodies_.traits[body].lock;
        if ((lock & kRotationLocks) == 0) {
            return {static_cast<float>(inverse.xx), static_cast<float>(inverse.yy),
                    static_cast<float>(inverse.zz), static_cast<float>(inverse.xy),
                    static_cast<float>(inverse.xz), static_cast<float>(inverse.yz)};
        }
        // What is left of the answer to a torque when some axes cannot turn.
        const LockedTurning turning(bodies_.traits[body].moments, lock);
        const Quatd& q = bodies_.motion[body].q;
        const Vec3f x = cast<float>(turning(q, without_locked(Vec3d{1, 0, 0}, lock, lock_rx)));
        const Vec3f y = cast<float>(turning(q, without_locked(Vec3d{0, 1, 0}, lock, lock_rx)));
        const Vec3f z = cast<float>(turning(q, without_locked(Vec3d{0, 0, 1}, lock, lock_rx)));
        return {x.x, y.y, z.z, x.y, x.z, y.z};
    }

    /// By color, then by the number of points: blocks are full, and of manifolds alike.
    void sort_by_color() {
        const std::vector<ContactRow>& contacts = scratch_.contacts;
        scratch_.coloring.start(scratch_.bodies.rows.size());
        scratch_.colors.clear();
        std::uint32_t colors = 0;
        for (const ContactRow& c : contacts) {
            const bool a_moves = (c.row_a & kReadOnly) == 0, b_moves = (c.row_b & kReadOnly) == 0;
            const std::uint32_t color = scratch_.coloring.color(c.row_a, a_moves, c.row_b, b_moves);
            scratch_.colors.push_back(color);
            colors = std::max(colors, color + 1);
        }
        std::vector<std::size_t> starts(4 * static_cast<std::size_t>(colors) + 1, 0);
        const auto bin = [&](std::size_t i) {
            return 4 * static_cast<std::size_t>(scratch_.colors[i]) +
                   static_cast<std::size_t>(4 - contacts[i].touch->manifold.count);
        };
        for (std::size_t i = 0; i < contacts.size(); ++i) ++starts[bin(i) + 1];
        for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
        scratch_.color_ends.clear();
        for (std::uint32_t c = 0; c < colors; ++c)
            scratch_.color_ends.push_back(starts[4 * static_cast<std::size_t>(c) + 4]);
        scratch_.order.resize(contacts.size());
        for (std::size_t i = 0; i < contacts.size(); ++i)
            scratch_.order[starts[bin(i)]++] = static_cast<std::uint32_t>(i);
    }

    // solve ---------------------------------------------------------------------------------------

    /// The blocks of one color.
    struct BlockRange {
        std::size_t begin = 0, end = 0;
    };

    template <int W>
    void solve_wide(std::vector<ContactBlock<W>>& blocks) {
        std::vector<BlockRange> colors;
        {
            const StageTimer timer(context_.profile, "prepare");
            colors = lay_out<W>(blocks);
        }
        {
            const StageTimer timer(context_.profile, "solve");
            run_substeps<W>(blocks, colors);
        }
        const StageTimer timer(context_.profile, "finish");
        each_lane<W>(blocks, colors,
                     [&](ContactBlock<W>& block, std::size_t lane, const ContactRow& contact) {
                         keep_impulses<W>(block, lane, contact);
                     });
        finish_bodies();
    }

    template <int W>
    std::vector<BlockRange> lay_out(std::vector<ContactBlock<W>>& blocks) {
        std::vector<BlockRange> colors;
        std::size_t first = 0, count = 0;
        for (const std::size_t end : scratch_.color_ends) {
            const std::size_t here = (end - first + W - 1) / W;
            colors.push_back({count, count + here});
            count += here;
            first = end;
        }
        blocks.resize(count);
        const float substep_rate = 1 / h_;
        const float hertz = std::min(kContactHertz, 0.25f * substep_rate);
        const ContactSoftness softness{make_soft(hertz, kContactDamping, h_),
                                       make_soft(2 * hertz, kContactDamping, h_)};
        context_.team.parallel_for(count, kBlockGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) clear<W>(blocks[i]);
        });
        each_lane<W>(blocks, colors,
                     [&](ContactBlock<W>& block, std::size_t lane, const ContactRow& contact) {
                         fill_lane<W>(block, lane, contact, scratch_.bodies, softness);
                     });
        return colors;
    }

    /// Calls visit(block, lane, contact) for all lanes in use.
    template <int W, class Visit>
    void each_lane(std::vector<ContactBlock<W>>& blocks, const std::vector<BlockRange>& colors,
                   const Visit& visit) {
        for (std::size_t c = 0; c < colors.size(); ++c) {
            const std::size_t first = c == 0 ? 0 : scratch_.color_ends[c - 1];
            const std::size_t last = scratch_.color_ends[c];
            const BlockRange range = colors[c];
            context_.team.parallel_for(
                range.end - range.begin, kBlockGrain, [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin * W; i < std::min(end * W, last - first); ++i) {
                        visit(blocks[range.begin + i / W], i % W,
                              scratch_.contacts[scratch_.order[first + i]]);
                    }
                });
        }
    }

    template <int W, class Sweep>
    void each_color(std::vector<ContactBlock<W>>& blocks, const std::vector<BlockRange>& colors,
                    const Sweep& sweep, bool backward = false) {
        for (std::size_t c = 0; c < colors.size(); ++c) {
            const BlockRange& range = colors[backward ? colors.size() - 1 - c : c];
            context_.team.parallel_for(range.end - range.begin, kBlockGrain,
                                       [&](std::size_t begin, std::size_t end) {
                                           sweep(blocks.data() + range.begin + begin, end - begin);
                                       });
        }
    }

    /// One sweep with bias and one without in each substep. The second goes through the colors
    /// backward, and points change their order from substep to substep: what a sweep in one
    /// direction prefers, the next makes good. Without it tall things sway and lean
    /// [design/fast.md].
    template <int W>
    void run_substeps(std::vector<ContactBlock<W>>& blocks, const std::vector<BlockRange>& colors) {
        BodyRow* rows = scratch_.bodies.rows.data();
        SweepSettings sweep;
        sweep.inv_h = 1 / h_;
        sweep.push_speed = kPushSpeed;
        sweep.slowest_bounce = bounce_threshold();
        for (int i = 0; i < context_.substeps; ++i) {
            apply_forces();
            each_color<W>(blocks, colors,
                          [&](ContactBlock<W>* b, std::size_t n) { warm_start<W>(b, n, rows); });
            sweep.use_bias = true;
            sweep.backward = i % 2 == 1;
            each_color<W>(blocks, colors,
                          [&](ContactBlock<W>* b, std::size_t n) { solve<W>(b, n, rows, sweep); });
            move_rows();
            sweep.use_bias = false;
            each_color<W>(
                blocks, colors,
                [&](ContactBlock<W>* b, std::size_t n) { solve<W>(b, n, rows, sweep); }, true);
        }
        each_color<W>(blocks, colors,
                      [&](ContactBlock<W>* b, std::size_t n) { bounce<W>(b, n, rows, sweep); });
    }

    /// What gravity does in one step is no approach.
    float bounce_threshold() const { return 2 * static_cast<float>(length(state_.gravity) * dt_); }

    void apply_forces() {
        BodyRows& rows = scratch_.bodies;
        const auto h = static_cast<double>(h_);
        for (std::size_t r = 1; r < rows.rows.size(); ++r) {
            const std::uint32_t body = rows.body[r];
            if (rows.mass[r].inv_mass == 0) continue;
            const BodyTraits& traits = bodies_.traits[body];
            const BodyInertia& inertia = bodies_.inertia[body];
            Vec3d change = state_.gravity * (inertia.weight * inertia.inv_mass * h);
            Vec3f turn;
            if (!bodies_.wrenches.empty()) {
                const Wrench& wrench = bodies_.wrenches[body];
                change += wrench.force * (inertia.inv_mass * h);
                turn = rows.mass[r].inv_inertia * cast<float>(wrench.torque * h);
            }
            const Vec3f kick = cast<float>(without_locked(change, traits.lock, lock_tx));
            std::array<float, 8>& v = rows.rows[r].velocity;
            const float linear = 1 / (1 + h_ * static_cast<float>(traits.linear_damping));
            const float angular = 1 / (1 + h_ * static_cast<float>(traits.angular_damping));
            v = {(v[0] + kick.x) * linear,
                 (v[1] + kick.y) * linear,
                 (v[2] + kick.z) * linear,
                 (v[3] + turn.x) * angular,
                 (v[4] + turn.y) * angular,
                 (v[5] + turn.z) * angular,
                 0,
                 0};
        }
    }

    void move_rows() {
        BodyRows& rows = scratch_.bodies;
        for (std::size_t r = 1; r < rows.rows.size(); ++r) {
            BodyRow& row = rows.rows[r];
            const std::uint8_t lock = bodies_.traits[rows.body[r]].lock;
            for (std::size_t i = 0; i < 3; ++i) {
                if ((lock >> i & 1) != 0) row.velocity[i] = 0;
            }
            for (std::size_t i = 0; i < 6; ++i) row.motion[i] += h_ * row.velocity[i];
        }
    }

    // finish --------------------------------------------------------------------------------------

    void finish_bodies() {
        const BodyRows& rows = scratch_.bodies;
        double gravity = 0, all = 0;
        for (std::size_t r = 1; r < rows.rows.size(); ++r) {
            const std::uint32_t body = rows.body[r];
            if (bodies_.traits[body].type != BodyType::dynamic_body) continue;
            const double before = kinetic(body);
            const BodyMotion old = bodies_.motion[body];
            if (!move_body(body, rows.rows[r])) {
                quarantine(body, old);
                continue;
            }
            ++outcome_.moved;
            gravity +=
                bodies_.inertia[body].weight * dot(state_.gravity, bodies_.motion[body].x - old.x);
            all += kinetic(body) - before;
        }
        state_.ledger.gravity += gravity;
        state_.ledger.contact_normal += all - gravity;
    }

    double kinetic(std::uint32_t body) const {
        return kinetic_energy(bodies_.motion[body], bodies_.inertia[body], bodies_.traits[body]);
    }

    /// False when the new state would not be finite.
    bool move_body(std::uint32_t body, const BodyRow& row) {
        BodyMotion& motion = bodies_.motion[body];
        const Vec3d moved{static_cast<double>(row.motion[0]), static_cast<double>(row.motion[1]),
                          static_cast<double>(row.motion[2])};
        const Vec3d turned{static_cast<double>(row.motion[3]), static_cast<double>(row.motion[4]),
                           static_cast<double>(row.motion[5])};
        const Vec3d v{static_cast<double>(row.velocity[0]), static_cast<double>(row.velocity[1]),
                      static_cast<double>(row.velocity[2])};
        const Vec3d w{static_cast<double>(row.velocity[3]), static_cast<double>(row.velocity[4]),
                      static_cast<double>(row.velocity[5])};
        set_velocity(bodies_, body, v);
        set_angular_velocity(bodies_, body, w); // L, as it is at the old orientation
        motion.x += moved;
        motion.q = normalize(from_rotation_vector(turned) * motion.q);
        return is_finite(motion.x) && is_finite(motion.q) && is_finite(motion.p) &&
               is_finite(motion.l);
    }

    void quarantine(std::uint32_t body, const BodyMotion& old) {
        state_.ledger.edits -= kinetic_energy(old, bodies_.inertia[body], bodies_.traits[body]);
        bodies_.motion[body] = old;
        bodies_.motion[body].p = bodies_.motion[body].l = {};
        bodies_.mobility[body] = Mobility::still;
        outcome_.quarantined.push_back(body);
    }

    // free ----------------------------------------------------------------------------------------

    /// In runs of neighbors that touch nothing, kinematic bodies included.
    void move_free_bodies() {
        const std::size_t count = bodies_.slot_count();
        std::vector<IntegrationTally> tallies((count + kBodyGrain - 1) / kBodyGrain);
        context_.team.parallel_for(count, kBodyGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end;) {
                if (is_solved(i)) {
                    ++i;
                    continue;
                }
                const std::size_t first = i;
                while (i < end && !is_solved(i)) ++i;
                integrate_bodies(bodies_, state_.gravity, context_.integrator, dt_, first, i,
                                 tallies[begin / kBodyGrain]);
            }
        });
        for (const IntegrationTally& tally : tallies) {
            book(state_.ledger, tally);
            outcome_.moved += tally.moved;
            outcome_.quarantined.insert(outcome_.quarantined.end(), tally.quarantined.begin(),
                                        tally.quarantined.end());
        }
    }

    /// Read-only rows are of bodies that are not moved by the solver.
    bool is_solved(std::size_t body) const {
        return (scratch_.bodies.row_of[body] & kReadOnly) == 0;
    }

    WorldState& state_;
    BodyStore& bodies_;
    const StepContext& context_;
    Memory& memory_;
    Scratch& scratch_;
    double dt_;
    float h_;
    StepOutcome outcome_;
};

} // namespace

StepOutcome step(const StepContext& context, Memory& memory, Scratch& scratch, double dt) {
    return Stepper(context, memory, scratch, dt).run();
}

} // namespace rigor::fast
