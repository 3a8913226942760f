#include "fast/fast_pipeline.h"

#include "dynamics/joint_coordinates.h"
#include "fast/contact_events.h"
#include "fast/pair_removal.h"

namespace rigor::fast {
namespace {

/// Calls visit(pair) for all pairs in the order of their keys, those of sleeping islands after the
/// others.
template <class Visit>
void visit_pairs(const Memory& memory, const Visit& visit) {
    for (const PairStore::Entry& entry : memory.pairs.order) visit(memory.pairs.pairs[entry.slot]);
    for (const SleepingIsland& island : memory.sleep.islands)
        for (const PairStore::Entry& entry : island.pairs) visit(memory.pairs.pairs[entry.slot]);
}

} // namespace

std::unique_ptr<Pipeline> FastPipeline::clone() const {
    return std::make_unique<FastPipeline>(*this);
}

// ---- the step

double FastPipeline::step(const PipelineStep& step, double dt) {
    update_bounds(step, dt);
    for (const std::uint32_t body : memory_.sleep.awake)
        step.events.moved.push_back(step.state.bodies.ids.id_at(body));
    const WorldSettings& settings = step.settings;
    const StepContext context{step.state,          broadphase_,           step.team,
                              step.profile,        substeps_of(settings), settings.lanes,
                              settings.integrator, settings.may_sleep,    settings.hit_speed,
                              &step.hooks};
    const double reached = fast::step(context, memory_, scratch_, dt);
    for (const std::uint32_t body : scratch_.outcome.slept)
        broadphase_.note_changed(body); // for the last time until it wakes
    report(step);
    return reached;
}

void FastPipeline::update_bounds(const PipelineStep& step, double dt) {
    const StageTimer timer(step.profile, "update bounds");
    for (const std::uint32_t body : memory_.sleep.awake) broadphase_.note_changed(body);
    broadphase_.refresh(step.state, dt);
}

void FastPipeline::report(const PipelineStep& step) {
    StepOutcome& outcome = scratch_.outcome;
    const auto add_ids = [&](const std::vector<std::uint32_t>& slots, std::vector<BodyId>& out) {
        for (const std::uint32_t i : slots) out.push_back(step.state.bodies.ids.id_at(i));
    };
    step.report.moved = outcome.moved;
    step.report.contacts = outcome.contacts;
    step.report.crowded_count = outcome.crowded;
    step.report.penetration = outcome.max_penetration;
    const DemandingIslands& demanding = scratch_.demanding;
    for (std::size_t i = 0; i < demanding.count; ++i)
        step.report.unsolved_count += demanding.islands[i].unsolved;
    add_ids(outcome.quarantined, step.report.quarantined);
    Events& events = step.events;
    add_ids(outcome.woken, events.woken);
    add_ids(outcome.woken, events.moved);
    add_ids(outcome.slept, events.slept);
    std::swap(events.begun, outcome.events.begun);
    std::swap(events.ended, outcome.events.ended);
    std::swap(events.hits, outcome.events.hits);
    std::swap(events.entered, outcome.events.entered);
    std::swap(events.left, outcome.events.left);
    for (const std::uint32_t joint : outcome.broken)
        events.broken.push_back(step.state.joints.records.pool().id_at(joint));
    if (step.records) step.records->push_back(joint_impulses(step.state));
}

/// The impulses of joints; states and contacts are known from the world.
MotionRecord FastPipeline::joint_impulses(const WorldState& state) const {
    MotionRecord record;
    record.kind = MotionRecord::Kind::substep;
    record.instants.emplace_back();
    for (const JointConstraint& joint : scratch_.joints) {
        RecordedJoint recorded;
        recorded.joint = state.joints.records.pool().id_at(joint.joint);
        recorded.anchor = joint_frames(state, state.joints[joint.joint]).b.p;
        recorded.force = cast<double>(joint.impulse);
        record.instants[0].joints.push_back(std::move(recorded));
    }
    return record;
}

// ---- read-out

std::vector<ContactView> FastPipeline::contacts(const WorldState& state) const {
    std::vector<ContactView> all;
    visit_pairs(memory_, [&](const ContactPair& pair) {
        if (pair.sensor) return;
        for_manifolds(memory_.pairs, pair, [&](const ContactManifold& manifold) {
            all.push_back(view_of(state, pair, manifold));
        });
    });
    return all;
}

JointReadout FastPipeline::joint_readout(JointId joint) const {
    if (joint.index >= memory_.joints.size()) return {};
    const JointMemory& memory = memory_.joints[joint.index];
    if (memory.generation != joint.generation) return {};
    return {memory.angle, cast<double>(memory.force), cast<double>(memory.torque)};
}

void FastPipeline::add_to_hash(Hasher& hasher) const {
    fast::add_to_hash(hasher, memory_);
}

std::size_t FastPipeline::memory_bytes() const {
    return memory_.memory_bytes() + broadphase_.memory_bytes();
}

// ---- changes from outside

void FastPipeline::body_added(const WorldState& state, std::uint32_t body) {
    broadphase_.note_changed(body);
    memory_.sleep.add_body(body, state.bodies.traits[body].type);
}

void FastPipeline::body_moved(std::uint32_t body) {
    broadphase_.note_changed(body);
}

void FastPipeline::body_removed(const WorldState& state, std::uint32_t body) {
    broadphase_.remove_body(state, body);
    forget_pairs_of(state, body, memory_.pairs);
    memory_.sleep.remove_body(body);
}

/// Pairs stay with their impulses, for the warm start.
void FastPipeline::shapes_changed(const WorldState& state, std::uint32_t body,
                                  std::vector<std::uint32_t>& woken) {
    wake_around(state, body, woken); // where it was
    broadphase_.update_geometry(state, body);
    const Posed frame = frame_pose(state.bodies.motion[body], state.bodies.traits[body]);
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord& record) {
        scratch_.shapes.reload(state, id.index);
        wake_in(state, solid_bounds(record.geometry, frame * record.local), woken);
    });
    for (const PairStore::Entry& entry : memory_.pairs.order) {
        ContactPair& pair = memory_.pairs.pairs[entry.slot];
        if (pair.body_a == body || pair.body_b == body) pair.recyclable = false;
    }
}

/// Pairs that touch already combined their materials when they met.
void FastPipeline::material_changed(const WorldState& state, std::uint32_t body) {
    forget_pairs_of(state, body, memory_.pairs);
    broadphase_.find_pairs_again(state, body);
}

void FastPipeline::joint_added(const WorldState& state, std::uint32_t joint) {
    memory_.sleep.add_joint(joint);
    const JointRecord& record = state.joints[joint];
    if (!record.collide && !record.a.body.is_null() && !record.b.body.is_null())
        forget_pairs_between(state, record.a.body.index, record.b.body.index, memory_.pairs);
}

/// Pairs that the joint kept from each other are found again, as their boxes count as new.
void FastPipeline::joint_removed(const WorldState& state, std::uint32_t joint,
                                 const JointRecord& record) {
    memory_.sleep.remove_joint(joint);
    if (record.collide) return;
    for (const BodyId body : {record.a.body, record.b.body})
        if (!body.is_null()) broadphase_.find_pairs_again(state, body.index);
}

void FastPipeline::periodic_cell_changed(const WorldState& state) {
    broadphase_.set_periodic_pairs(state.cell.has_value());
    broadphase_.reset(state);
    memory_.pairs = {};
}

// ---- sleep

void FastPipeline::wake(const WorldState& state, std::uint32_t body,
                        std::vector<std::uint32_t>& woken) {
    Sleep& sleep = memory_.sleep;
    if (body >= sleep.island_of.size() || !sleep.is_asleep(body)) return;
    for (const std::uint32_t other : wake_island(sleep.island_of[body], sleep, memory_.pairs)) {
        broadphase_.find_pairs_again(state, other);
        woken.push_back(other);
    }
}

void FastPipeline::wake_all(const WorldState& state, std::vector<std::uint32_t>& woken) {
    const std::vector<SleepingIsland>& islands = memory_.sleep.islands;
    for (std::uint32_t island = 0; island < islands.size(); ++island)
        if (!islands[island].bodies.empty()) wake(state, islands[island].bodies[0], woken);
}

void FastPipeline::wake_around(const WorldState& state, std::uint32_t body,
                               std::vector<std::uint32_t>& woken) {
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord&) {
        // All that it has pairs with, near or touching, is in its box.
        if (const auto box = broadphase_.stored_box(id.index)) wake_in(state, *box, woken);
    });
}

void FastPipeline::wake_in(const WorldState& state, const Aabb<double>& box,
                           std::vector<std::uint32_t>& woken) {
    if (memory_.sleep.islands.size() == memory_.sleep.free.size()) return; // all are awake
    std::vector<std::uint32_t> near;
    broadphase_.overlap(box, ~0u, [&](const ShapeProxy& placed) {
        near.push_back(placed.body.index);
        return true;
    });
    for (const std::uint32_t other : near) wake(state, other, woken);
}

} // namespace rigor::fast
