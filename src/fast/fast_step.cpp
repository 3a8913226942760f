#include "fast/fast_step.h"

#include <algorithm>
#include <cmath>

#include "dynamics/integrate.h"
#include "fast/island_accounts.h"

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
          context_(context),
          memory_(memory),
          scratch_(scratch),
          outcome_(scratch.outcome),
          dt_(dt),
          h_(static_cast<float>(dt / context.substeps)) {
        outcome_.reset();
    }

    void run() {
        {
            const StageTimer timer(context_.profile, "pairs");
            find_new_pairs(state_, context_.proxies, context_.team, *context_.hooks,
                           scratch_.shapes, memory_.pairs, scratch_.found);
        }
        {
            const StageTimer timer(context_.profile, "contacts");
            scratch_.shapes.place(state_, context_.proxies, context_.team, dt_);
            update_contacts(state_, scratch_.shapes, context_.team, dt_, memory_.pairs);
        }
        {
            const StageTimer timer(context_.profile, "wake");
            wake_touched();
        }
        {
            const StageTimer timer(context_.profile, "prepare");
            scratch_.bodies.start(state_.bodies.slot_count());
            collect_contacts();
            collect_joints();
            collect_gears();
            group_joints();
        }
        switch (context_.lanes > 0 ? std::min(context_.lanes, widest_lanes()) : widest_lanes()) {
            case 8:
                solve_wide<8>();
                break;
            case 4:
                solve_wide<4>();
                break;
            default:
                solve_wide<1>();
        }
        {
            const StageTimer timer(context_.profile, "free");
            move_free_bodies();
        }
        {
            const StageTimer timer(context_.profile, "sweep");
            const SweepContext sweep{context_.proxies, scratch_.shapes, memory_.pairs,
                                     *context_.hooks,  context_.team,   scratch_.near_ground};
            outcome_.stopped =
                sweep_fast_bodies(state_, sweep, scratch_.bodies, memory_.sleep.awake, dt_);
        }
        if (context_.may_sleep) {
            const StageTimer timer(context_.profile, "sleep");
            outcome_.slept = put_to_sleep(state_, dt_, memory_.sleep, memory_.pairs);
        }
    }

  private:
    // wake ----------------------------------------------------------------------------------------

    void wake_touched() {
        Sleep& sleep = memory_.sleep;
        if (sleep.islands.size() == sleep.free.size()) return; // all are awake
        for (const std::uint32_t island : touched_islands(state_, sleep, memory_.pairs, dt_)) {
            for (const std::uint32_t body : wake_island(island, sleep, memory_.pairs)) {
                context_.proxies.find_pairs_again(state_, body);
                outcome_.woken.push_back(body);
            }
        }
    }

    // prepare -------------------------------------------------------------------------------------

    void collect_contacts() {
        scratch_.contacts.clear();
        scratch_.pairs.clear();
        scratch_.near_ground.clear_all();
        report_ended(memory_.pairs.ended, outcome_.events);
        find_busy_pairs();
        for (std::size_t i = 0; i < scratch_.busy.size(); ++i) {
            ask_for_pair(i + 8);
            ContactPair& pair = memory_.pairs.pairs[scratch_.busy[i]];
            if (pair.sensor) {
                find_sensor_change(state_, memory_.pairs, pair, outcome_.events);
                continue;
            }
            if (pair.grounded) {
                scratch_.near_ground.set(pair.body_a);
                scratch_.near_ground.set(pair.body_b);
            }
            pair.disabled = false;
            const auto first = static_cast<std::uint32_t>(scratch_.contacts.size());
            for_touches(memory_.pairs, pair, [&](Touch& touch) { add_contact(pair, touch); });
            const auto count = static_cast<std::uint32_t>(scratch_.contacts.size()) - first;
            if (count > 0 || pair.touching) scratch_.pairs.push_back({&pair, first, count});
        }
    }

    void find_busy_pairs() {
        scratch_.busy.clear();
        for (const PairStore::Entry& entry : memory_.pairs.order)
            if (entry.busy) scratch_.busy.push_back(entry.slot);
    }

    /// A pair that will be looked at soon, and the touch of one that will be sooner.
    void ask_for_pair(std::size_t i) const {
        const std::vector<std::uint32_t>& busy = scratch_.busy;
        const Pool<ContactPair>& pairs = memory_.pairs.pairs;
        if (i < busy.size()) prefetch(pairs[busy[i]]);
        if (i - 4 >= busy.size()) return;
        const ContactPair& pair = pairs[busy[i - 4]];
        if (pair.touch != kNone && !pair.composite)
            prefetch_touch(memory_.pairs.touches[pair.touch]);
    }

    void add_contact(ContactPair& pair, Touch& touch) {
        const std::uint32_t a = row_of(pair.body_a), b = row_of(pair.body_b);
        if ((a & b & kReadOnly) != 0) return; // nothing answers
        touch.total_friction = {};
        const SurfacePair& surface = touch.surface;
        ContactRow row{
            &touch, &pair, a, b, touch.count, surface.static_friction, surface.restitution, {}};
        if (pair.drags) row.drag = drag_of(pair);
        if (surface.kinetic_friction != surface.static_friction && slides(row))
            row.friction = surface.kinetic_friction;
        if (context_.hooks->modify && !is_allowed(row)) {
            pair.disabled = true;
            return;
        }
        scratch_.contacts.push_back(row);
        note_held(a);
        note_held(b);
        outcome_.contacts += touch.count;
        for (TouchPoint& point : touch.used()) {
            point.total = 0;
            outcome_.deepest = std::max(outcome_.deepest, -static_cast<double>(point.separation));
        }
    }

    /// Whether the bodies of a contact slide on each other now, faster than friction of rest can
    /// be told from creep.
    bool slides(const ContactRow& row) const {
        constexpr float kCreep = 0.01f; // m/s
        const auto row_at = [&](std::uint32_t r) -> const BodyRow& {
            return scratch_.bodies.rows[r & ~kReadOnly];
        };
        const Touch& touch = *row.touch;
        const TouchPoint& first = touch.points[0];
        const Vec3f slip = velocity_at(row_at(row.row_b), touch.arm_b(first)) -
                           velocity_at(row_at(row.row_a), first.arm) - row.drag;
        return length(slip - touch.normal * dot(slip, touch.normal)) > kCreep;
    }

    /// Of the surface of a against that of b, in the world.
    Vec3f drag_of(const ContactPair& pair) const {
        const auto surface = [&](std::uint32_t shape, std::uint32_t body) {
            const Material& material =
                state_.shapes.find(state_.shapes.pool().id_at(shape))->material;
            const Quatd q =
                state_.bodies.motion[body].q * conjugate(state_.bodies.traits[body].principal);
            return cast<float>(rotate(q, material.surface_velocity));
        };
        return surface(pair.shape_a, pair.body_a) - surface(pair.shape_b, pair.body_b);
    }

    /// The caller's own word on a contact.
    bool is_allowed(ContactRow& row) const {
        ContactChoice choice{
            true, static_cast<double>(row.friction), static_cast<double>(row.restitution), {}};
        context_.hooks->modify(view_of(state_, *row.pair, *row.touch), choice);
        row.friction = static_cast<float>(std::max(choice.friction, 0.0));
        row.restitution = static_cast<float>(std::clamp(choice.restitution, 0.0, 1.0));
        row.drag = row.drag - cast<float>(choice.surface_velocity);
        return choice.enabled;
    }

    /// What is held up by more than rigid joints does not merely swing.
    void note_held(std::uint32_t row) { scratch_.bodies.swings[row & ~kReadOnly] = 0; }

    void note_joined(const JointTask& task) {
        for (const std::uint32_t row : {task.row_a, task.row_b})
            if ((row & kReadOnly) == 0) scratch_.bodies.joined[row] = 1;
    }

    void collect_joints() {
        scratch_.joints.clear();
        scratch_.joint_shapes.clear();
        memory_.joints.resize(state_.joints.slot_count());
        for (const std::uint32_t slot : memory_.sleep.awake_joints) {
            if (state_.joints[slot].type == JointType::gear) continue;
            const JointTask task = task_of(slot);
            if ((task.row_a & task.row_b & kReadOnly) != 0) continue; // nothing answers
            scratch_.joints.push_back(task);
            note_joined(task);
            if (!is_rigid(state_.joints[slot], task.shape)) {
                note_held(task.row_a);
                note_held(task.row_b);
            }
            std::vector<std::uint64_t>& shapes = scratch_.joint_shapes;
            if (std::find(shapes.begin(), shapes.end(), task.shape.key()) == shapes.end())
                shapes.push_back(task.shape.key());
        }
    }

    void find_touching_joints() {
        const std::vector<std::uint8_t>& joined = scratch_.bodies.joined;
        joints_touch_ = std::any_of(
            scratch_.contacts.begin(), scratch_.contacts.end(), [&](const ContactRow& row) {
                return (joined[row.row_a & ~kReadOnly] | joined[row.row_b & ~kReadOnly]) != 0;
            });
    }

    void group_joints() {
        if (scratch_.joints.empty()) return;
        find_touching_joints();
        scratch_.groups.start(scratch_.bodies.rows.size());
        for (const JointTask& task : scratch_.joints)
            if (((task.row_a | task.row_b) & kReadOnly) == 0)
                scratch_.groups.join(task.row_a, task.row_b);
        spread_held();
        find_chains();
    }

    /// What is joined to something held is held: the two ways of taking forces do not mix.
    void spread_held() {
        std::vector<std::uint8_t>& swings = scratch_.bodies.swings;
        Groups& groups = scratch_.groups;
        for (std::uint32_t row = 1; row < swings.size(); ++row)
            if (swings[row] == 0) swings[groups.root(row)] = 0;
        for (std::uint32_t row = 1; row < swings.size(); ++row)
            swings[row] = swings[groups.root(row)];
    }

    /// Joints learn whether they are one of many.
    void find_chains() {
        constexpr std::uint8_t kFew = 4; // bodies
        std::vector<std::uint8_t>& sizes = scratch_.group_sizes;
        sizes.assign(scratch_.bodies.rows.size(), 0);
        for (std::uint32_t row = 1; row < sizes.size(); ++row) {
            std::uint8_t& size = sizes[scratch_.groups.root(row)];
            if (size <= kFew) ++size;
        }
        for (JointTask& task : scratch_.joints) {
            const std::uint32_t row = (task.row_a & kReadOnly) == 0 ? task.row_a : task.row_b;
            task.in_chain = sizes[scratch_.groups.root(row)] > kFew;
        }
    }

    void collect_gears() {
        scratch_.gears.clear();
        for (const std::uint32_t slot : memory_.sleep.awake_joints) {
            const JointRecord& gear = state_.joints[slot];
            if (gear.type != JointType::gear) continue;
            const JointTask driving = task_of(gear.gear_a), driven = task_of(gear.gear_b);
            for (const JointTask& task : {driving, driven}) {
                note_joined(task);
                note_held(task.row_a);
                note_held(task.row_b);
            }
            scratch_.gears.push_back(
                make_gear(slot, driving, driven, state_, scratch_.bodies, memory_.joints, h_));
        }
    }

    JointTask task_of(std::uint32_t slot) {
        const JointRecord& joint = state_.joints[slot];
        return {slot, row_of(joint.a.body.index), row_of(joint.b.body.index), shape_of(joint),
                false};
    }

    std::uint32_t row_of(std::uint32_t body) {
        if (body == UINT32_MAX || memory_.sleep.is_asleep(body)) return kReadOnly;
        return scratch_.bodies.row(state_, body, static_cast<double>(h_));
    }

    /// Colors of constraints in the order given, and how many there are.
    template <class Constraint>
    std::uint32_t color(const std::vector<Constraint>& constraints) {
        scratch_.coloring.start(scratch_.bodies.rows.size());
        scratch_.colors.clear();
        std::uint32_t colors = 0;
        for (const Constraint& c : constraints) {
            const bool a_moves = (c.row_a & kReadOnly) == 0, b_moves = (c.row_b & kReadOnly) == 0;
            const std::uint32_t color = scratch_.coloring.color(c.row_a, a_moves, c.row_b, b_moves);
            scratch_.colors.push_back(color);
            colors = std::max(colors, color + 1);
        }
        return colors;
    }

    template <int W>
    void lay_out_contacts() {
        const std::vector<ContactRow>& contacts = scratch_.contacts;
        const std::uint32_t colors = color(contacts);
        scratch_.contact_plan.make(
            scratch_.colors, colors, 4,
            [&](std::size_t i) { return static_cast<std::uint32_t>(4 - contacts[i].count); }, W,
            false);
        scratch_.contact_blocks.of<W>().resize(scratch_.contact_plan.blocks.size());
        scratch_.contact_points.of<W>().resize(number_points());
        PointBlock<W>* points = scratch_.contact_points.of<W>().data();
        const float hertz = std::min(kContactHertz, 0.25f / h_);
        const ContactSoftness softness{make_soft(hertz, kContactDamping, h_),
                                       make_soft(2 * hertz, kContactDamping, h_),
                                       0.5f * static_cast<float>(dt_)};
        each_block<W>(scratch_.contact_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            ContactBlock<W>& block = scratch_.contact_blocks.of<W>()[i];
            ask_for_contacts(i + 1);
            start_block<W>(block, points, scratch_.first_points[i], most_points(plan));
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const std::uint32_t at = scratch_.contact_plan.order[plan.first + lane];
                fill_lane<W>(block, points, lane, contacts[at], scratch_.bodies, softness);
            }
            finish_blocks<W>(&block, 1, points, scratch_.bodies.rows.data(), bounce_threshold());
        });
    }

    /// Of the manifolds of a block; they are sorted, those with the most come first.
    int most_points(const BlockPlan::Block& plan) const {
        return scratch_.contacts[scratch_.contact_plan.order[plan.first]].count;
    }

    /// Where the points of each block begin, and how many there are in all.
    std::size_t number_points() {
        std::uint32_t points = 0;
        scratch_.first_points.clear();
        for (const BlockPlan::Block& plan : scratch_.contact_plan.blocks) {
            scratch_.first_points.push_back(points);
            points += static_cast<std::uint32_t>(most_points(plan));
        }
        return points;
    }

    /// The touches of a block that will be filled, or read back, soon.
    void ask_for_contacts(std::size_t block) const {
        const BlockPlan& plan = scratch_.contact_plan;
        if (block >= plan.blocks.size()) return;
        const BlockPlan::Block& next = plan.blocks[block];
        for (std::uint32_t lane = 0; lane < next.count; ++lane)
            prefetch_touch(*scratch_.contacts[plan.order[next.first + lane]].touch);
    }

    template <int W>
    void lay_out_joints() {
        const std::vector<JointTask>& joints = scratch_.joints;
        const std::vector<std::uint64_t>& shapes = scratch_.joint_shapes;
        const std::uint32_t colors = color(joints);
        scratch_.joint_plan.make(
            scratch_.colors, colors, static_cast<std::uint32_t>(shapes.size()),
            [&](std::size_t i) {
                const auto at = std::find(shapes.begin(), shapes.end(), joints[i].shape.key());
                return static_cast<std::uint32_t>(at - shapes.begin());
            },
            W, true);
        scratch_.joint_blocks.of<W>().resize(scratch_.joint_plan.blocks.size());
        each_block<W>(scratch_.joint_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            JointBlock<W>& block = scratch_.joint_blocks.of<W>()[i];
            clear<W>(block);
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const JointTask& task = joints[scratch_.joint_plan.order[plan.first + lane]];
                fill_lane<W>(block, lane, task, state_, scratch_.bodies, memory_.joints, h_);
            }
        });
    }

    // solve ---------------------------------------------------------------------------------------

    template <int W>
    void solve_wide() {
        {
            const StageTimer timer(context_.profile, "prepare");
            lay_out_contacts<W>();
            lay_out_joints<W>();
        }
        {
            const StageTimer timer(context_.profile, "solve");
            run_substeps<W>();
        }
        const StageTimer timer(context_.profile, "finish");
        keep_all_impulses<W>();
        find_touch_changes(state_, memory_.pairs, scratch_.pairs, scratch_.contacts,
                           scratch_.results, context_.hit_speed, outcome_.events);
        break_joints();
        finish_bodies();
    }

    /// Calls visit(index, plan) for all blocks, several at a time.
    template <int W, class Visit>
    void each_block(const BlockPlan& plan, const Visit& visit) {
        context_.team.parallel_for(plan.blocks.size(), kBlockGrain,
                                   [&](std::size_t begin, std::size_t end) {
                                       for (std::size_t i = begin; i < end; ++i)
                                           visit(i, plan.blocks[i]);
                                   });
    }

    /// Color by color; the blocks of one color in any order.
    template <class Block, class Sweep>
    void each_color(std::vector<Block>& blocks, const BlockPlan& plan, const Sweep& sweep,
                    bool backward = false) {
        for (std::size_t c = 0; c < plan.colors.size(); ++c) {
            const BlockPlan::Color& range = plan.colors[backward ? plan.colors.size() - 1 - c : c];
            context_.team.parallel_for(range.end - range.begin, kBlockGrain,
                                       [&](std::size_t begin, std::size_t end) {
                                           sweep(blocks.data() + range.begin + begin, end - begin);
                                       });
        }
    }

    template <int W, class Sweep>
    void each_contact_color(const Sweep& sweep, bool backward = false) {
        each_color(scratch_.contact_blocks.of<W>(), scratch_.contact_plan, sweep, backward);
    }
    template <int W, class Sweep>
    void each_joint_color(const Sweep& sweep, bool backward = false) {
        each_color(scratch_.joint_blocks.of<W>(), scratch_.joint_plan, sweep, backward);
    }

    /// One sweep with bias and one without in each substep. The second goes through everything
    /// backward, and points change their order from substep to substep: what a sweep in one
    /// direction prefers, the next makes good. Without it tall things sway and lean
    /// [design/fast.md].
    template <int W>
    void run_substeps() {
        BodyRow* rows = scratch_.bodies.rows.data();
        PointBlock<W>* points = scratch_.contact_points.of<W>().data();
        SweepSettings sweep;
        sweep.inv_h = 1 / h_;
        sweep.push_speed = kPushSpeed;
        sweep.slowest_bounce = bounce_threshold();
        JointSweep joint_sweep{1 / h_, true};
        const auto h = static_cast<double>(h_);
        refresh_joints<W>(0);
        for (int i = 0; i < context_.substeps; ++i) {
            note_end_of_substep();
            apply_forces(state_, context_.team, h, scratch_.bodies);
            start_spinning(state_, h, scratch_.bodies);
            each_joint_block<W>(
                [&](JointBlock<W>* b, std::size_t n) { bend_arms<W>(b, n, rows, h_); });
            each_joint_color<W>(
                [&](JointBlock<W>* b, std::size_t n) { warm_start<W>(b, n, rows); });
            for (const GearRow& gear : scratch_.gears) warm_start(gear, scratch_.bodies);
            each_contact_color<W>([&](ContactBlock<W>* b, std::size_t n) {
                if (i > 0) book<W>(b, n, points, scratch_.ended.data());
                warm_start<W>(b, n, points, rows);
            });
            sweep.use_bias = joint_sweep.use_bias = true;
            sweep.backward = i % 2 == 1;
            each_joint_color<W>(
                [&](JointBlock<W>* b, std::size_t n) { solve<W>(b, n, rows, joint_sweep); });
            for (GearRow& gear : scratch_.gears) solve(gear, scratch_.bodies, true);
            each_contact_color<W>(
                [&](ContactBlock<W>* b, std::size_t n) { solve<W>(b, n, points, rows, sweep); });
            move_rows(state_, context_.team, h_, scratch_.bodies);
            refresh_joints<W>(h_);
            apply_second_half(state_, context_.team, h, scratch_.bodies);
            each_joint_color<W>(
                [&](JointBlock<W>* b, std::size_t n) { warm_start_rest<W>(b, n, rows); });
            sweep.use_bias = joint_sweep.use_bias = false;
            each_contact_color<W>(
                [&](ContactBlock<W>* b, std::size_t n) { solve<W>(b, n, points, rows, sweep); },
                true);
            for (GearRow& gear : scratch_.gears) solve(gear, scratch_.bodies, false);
            // Joints once back and once out again: a chain's ends must learn of each other.
            for (const bool backward : {true, false}) {
                each_joint_color<W>(
                    [&](JointBlock<W>* b, std::size_t n) { solve<W>(b, n, rows, joint_sweep); },
                    backward);
            }
        }
        note_end_of_substep();
        each_contact_color<W>([&](ContactBlock<W>* b, std::size_t n) {
            book<W>(b, n, points, scratch_.ended.data());
            bounce<W>(b, n, points, rows, sweep);
        });
    }

    void note_end_of_substep() {
        if (scratch_.contacts.empty()) return;
        const std::vector<BodyRow>& rows = scratch_.bodies.rows;
        scratch_.ended.reserve(rows.capacity()); // a copy would make room for just so many
        scratch_.ended.assign(rows.begin(), rows.end());
    }

    /// Joints follow their bodies, which have moved for a while.
    template <int W>
    void refresh_joints(float moved_for) {
        const BodyRows& bodies = scratch_.bodies;
        each_joint_block<W>([&](JointBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i].spins) refill_inertia<W>(b[i], bodies);
            refresh<W>(b, n, bodies.rows.data(), moved_for);
        });
        for (GearRow& gear : scratch_.gears) refresh(gear, bodies, moved_for);
    }

    /// All of them in any order: for what changes no body.
    template <int W, class Visit>
    void each_joint_block(const Visit& visit) {
        std::vector<JointBlock<W>>& blocks = scratch_.joint_blocks.of<W>();
        context_.team.parallel_for(
            blocks.size(), kBlockGrain,
            [&](std::size_t begin, std::size_t end) { visit(blocks.data() + begin, end - begin); });
    }

    /// What gravity does in one step is no approach.
    float bounce_threshold() const { return 2 * static_cast<float>(length(state_.gravity) * dt_); }

    // finish --------------------------------------------------------------------------------------

    template <int W>
    void keep_all_impulses() {
        scratch_.results.resize(scratch_.contacts.size());
        each_block<W>(scratch_.contact_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            ask_for_contacts(i + 1);
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const std::uint32_t at = scratch_.contact_plan.order[plan.first + lane];
                scratch_.results[at] = keep_impulses<W>(scratch_.contact_blocks.of<W>()[i],
                                                        scratch_.contact_points.of<W>().data(),
                                                        lane, scratch_.contacts[at]);
            }
        });
        each_block<W>(scratch_.joint_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const JointTask& task =
                    scratch_.joints[scratch_.joint_plan.order[plan.first + lane]];
                keep_impulses<W>(scratch_.joint_blocks.of<W>()[i], lane, memory_.joints[task.joint],
                                 h_);
            }
        });
        for (const GearRow& gear : scratch_.gears)
            memory_.joints[gear.joint].impulses[0] = gear.impulse;
    }

    void break_joints() {
        for (const JointTask& task : scratch_.joints) {
            const JointRecord& joint = state_.joints[task.joint];
            const JointMemory& memory = memory_.joints[task.joint];
            if (static_cast<double>(length(memory.force)) > joint.break_force ||
                static_cast<double>(length(memory.torque)) > joint.break_torque)
                outcome_.broken.push_back(task.joint);
        }
    }

    void finish_bodies() {
        RowTally tally = finish_rows(state_, scratch_.bodies);
        outcome_.moved += tally.moved;
        outcome_.quarantined.insert(outcome_.quarantined.end(), tally.quarantined.begin(),
                                    tally.quarantined.end());
        book_rows(tally);
        if (state_.islands.are_kept())
            book_islands(tally, scratch_.contacts, scratch_.results, memory_.sleep.awake_joints,
                         state_);
    }

    /// Contacts are measured one by one. What joints do is what else happened to their bodies;
    /// where these touch something that moves, it is what is left.
    void book_rows(const RowTally& tally) {
        Ledger& ledger = state_.ledger;
        double contacts = 0;
        for (const ContactResult& result : scratch_.results) {
            const auto normal = static_cast<double>(result.normal_work),
                       friction = static_cast<double>(result.friction_work),
                       impact = static_cast<double>(result.impact_work);
            ledger.contact_normal += normal;
            ledger.contact_friction += friction;
            ledger.impact += impact;
            contacts += normal + friction + impact;
        }
        ledger.gravity += tally.gravity;
        ledger.forces += tally.forces;
        ledger.damping += tally.damping;
        ledger.joints += joints_touch_ ? tally.rest - contacts : tally.rest_of_joined;
    }

    // free ----------------------------------------------------------------------------------------

    /// In runs of neighbors that touch nothing, kinematic bodies included.
    void move_free_bodies() {
        const std::vector<std::uint32_t>& awake = memory_.sleep.awake;
        std::vector<IntegrationTally>& tallies = scratch_.tallies;
        const bool each = state_.islands.are_kept(); // every body has a tally of its own
        tallies.assign(each ? awake.size() : (awake.size() + kBodyGrain - 1) / kBodyGrain, {});
        context_.team.parallel_for(
            awake.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end;) {
                    const std::size_t first = i++;
                    if (is_solved(awake[first])) continue;
                    while (!each && i < end && awake[i] == awake[i - 1] + 1 && !is_solved(awake[i]))
                        ++i;
                    integrate_bodies(state_.bodies, state_.gravity, context_.integrator, dt_,
                                     awake[first], awake[i - 1] + 1,
                                     tallies[each ? first : begin / kBodyGrain]);
                }
            });
        if (each) {
            for (std::size_t i = 0; i < tallies.size(); ++i)
                if (Ledger* island = state_.islands.of(awake[i])) book(*island, tallies[i]);
            tallies = sum_blocks(tallies, kBodyGrain);
        }
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
    const StepContext& context_;
    Memory& memory_;
    Scratch& scratch_;
    StepOutcome& outcome_;
    double dt_;
    float h_;
    bool joints_touch_ = false; // whether contacts act on bodies with joints
};

} // namespace

void add_to_hash(Hasher& hasher, const Memory& memory) {
    add_to_hash(hasher, memory.pairs);
    add_to_hash(hasher, memory.sleep, memory.pairs);
    for (const JointMemory& joint : memory.joints) {
        hasher.add(joint.generation);
        hasher.add_value(joint.impulses);
        hasher.add_value(joint.freedoms);
        hasher.add_value(joint.angle);
        hasher.add_value(joint.force);
        hasher.add_value(joint.torque);
    }
}

void StepOutcome::reset() {
    moved = contacts = stopped = 0;
    deepest = 0;
    for (std::vector<std::uint32_t>* list : {&quarantined, &broken, &woken, &slept}) list->clear();
    events.clear();
    constexpr std::size_t kFew = 64; // so that the first event of a world at rest finds room
    events.begun.reserve(kFew);
    events.ended.reserve(kFew);
    events.hits.reserve(kFew);
}

void step(const StepContext& context, Memory& memory, Scratch& scratch, double dt) {
    Stepper(context, memory, scratch, dt).run();
}

} // namespace rigor::fast
