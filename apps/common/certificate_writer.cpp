#include "common/certificate_writer.h"

#include <algorithm>
#include <cmath>

namespace rigor::app {
namespace {

using Line = CertificateLine;
using Kind = MotionRecord::Kind;

constexpr const char* kNames[] = {"flight",  "motion",     "rest",  "impact",    "projection",
                                  "substep", "correction", "loads", "unrecorded"};

std::vector<RecordedState> states_of(const World& world, const CertifiedBodies& bodies) {
    std::vector<RecordedState> states;
    for (const CertifiedBody& body : bodies) {
        const BodyState now = world.state(body.id);
        const MassProperties mass = world.mass_properties(body.id);
        const Quatd& q = now.orientation;
        const Vec3d l = rotate(q, mass.inertia * rotate(conjugate(q), now.angular_velocity));
        const bool is_dynamic = world.type(body.id) == BodyType::dynamic_body;
        states.push_back({now.position, q, is_dynamic ? now.velocity * mass.mass : now.velocity,
                          is_dynamic ? l : now.angular_velocity});
    }
    return states;
}

/// Contact points of a manifold, each with its impulse; friction is shared among them by these.
void add_points(const Simulation& simulation, const ContactView& view,
                std::vector<RecordedContact>& to) {
    const World& world = simulation.world();
    double sum = 0;
    for (int i = 0; i < view.count; ++i) sum += view.points[static_cast<std::size_t>(i)].impulse;
    for (int i = 0; i < view.count; ++i) {
        const ContactPointView& point = view.points[static_cast<std::size_t>(i)];
        if (!(point.impulse > 0)) continue;
        RecordedContact contact;
        contact.a = view.a, contact.b = view.b;
        contact.point = point.point, contact.normal = normalize(view.normal); // of floats
        contact.force = contact.normal * point.impulse + view.friction * (point.impulse / sum);
        const Material a = world.material(view.a.shape), b = world.material(view.b.shape);
        contact.static_friction = std::sqrt(a.static_friction * b.static_friction);
        contact.kinetic_friction = std::sqrt(a.kinetic_friction * b.kinetic_friction);
        contact.restitution = std::max(a.restitution, b.restitution);
        for (const MaterialPair& pair : simulation.scene().pairs) {
            if (std::minmax(pair.a, pair.b) != std::minmax(a.id, b.id)) continue;
            contact.static_friction = pair.static_friction.value_or(contact.static_friction);
            contact.kinetic_friction = pair.kinetic_friction.value_or(contact.kinetic_friction);
            contact.restitution = pair.restitution.value_or(contact.restitution);
        }
        to.push_back(contact);
    }
}

void write_state(Line& line, const RecordedState& s) {
    line.numbers(s.x).number(s.q.w).number(s.q.x).number(s.q.y).number(s.q.z);
    line.numbers(s.p).numbers(s.l);
}

/// One list for each instant, with the states of all bodies one after the other.
void write_states(Line& line, const MotionRecord& record) {
    line.key("t").open('[');
    for (const RecordedInstant& instant : record.instants) line.number(instant.time);
    line.close(']').key("states").open('[');
    for (const RecordedInstant& instant : record.instants) {
        line.open('[');
        for (const RecordedState& state : instant.states) write_state(line, state);
        line.close(']');
    }
    line.close(']');
}

void write_actions(Line& line, const std::vector<const RecordedJoint*>& at) {
    constexpr const char* kActions[] = {"limit", "motor", "friction"};
    line.key("actions").open('[');
    for (std::size_t i = 0; i < at[0]->actions.size(); ++i) {
        const RecordedAction& first = at[0]->actions[i];
        line.open('{').key("kind").word(kActions[static_cast<std::size_t>(first.kind)]);
        line.key("target").number(first.target_rate);
        line.key("max").number(std::min(first.max_force, 1e300)).key("at").open('[');
        for (const RecordedJoint* joint : at)
            line.open('[')
                .numbers(joint->actions[i].linear)
                .numbers(joint->actions[i].angular)
                .close(']');
        line.close(']').close('}');
    }
    line.close(']');
}

/// How many of the instants carry forces: all nodes of a motion, else the first.
std::size_t loaded_instants(const MotionRecord& record) {
    return record.kind == Kind::motion ? record.instants.size() : 1;
}

} // namespace

/// Numbers the bodies, shapes and joints.
Result<void> CertificateWriter::begin(const Simulation& simulation, CertifiedBodies bodies) {
    const World& world = simulation.world();
    bodies_ = std::move(bodies);
    if (auto checked = check_certifiable(simulation, bodies_); !checked) return checked;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        body_index_[bodies_[i].id] = static_cast<int>(i);
        int k = 0;
        for (const ShapeId shape : world.shapes(bodies_[i].id)) shape_index_[shape] = k++;
    }
    for (const std::size_t i : certified_joints(simulation))
        joint_index_.emplace(simulation.joint(i), static_cast<int>(joint_index_.size()));
    is_fast_ = world.settings().method == Method::fast;
    start_ = world.time();
    lines_ = 1;
    if (is_fast_) states_ = states_of(world, bodies_);
    return {};
}

Result<void> CertificateWriter::open(const std::string& path, Simulation& simulation, double dt) {
    if (auto begun = begin(simulation, bodies_of_scene(simulation)); !begun) return begun;
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    file_ = std::move(*file);
    text_ = certificate_header(simulation, bodies_, dt, false);
    simulation.world().keep_motion_records(true);
    return {};
}

Result<void> CertificateWriter::begin_window(const Simulation& simulation, CertifiedBodies bodies,
                                             double dt) {
    if (auto begun = begin(simulation, std::move(bodies)); !begun) return begun;
    is_window_ = true;
    text_ = certificate_header(simulation, bodies_, dt, true);
    const World& world = simulation.world();
    for (const CertifiedBody& body : bodies_)
        if (is_fast_ && !world.is_awake(body.id)) asleep_.insert(body.id);
    Line line;
    line.key("is").word("from").key("time").number(start_).key("states").open('[').open('[');
    for (const RecordedState& state : states_of(world, bodies_)) write_state(line, state);
    line.close(']').close(']');
    write(line);
    return {};
}

void CertificateWriter::write(Line& line) {
    text_ += line.finish();
    ++lines_;
}

Result<void> CertificateWriter::flush() {
    if (is_window_) return {};
    const Result<void> written = file_.write(text_);
    text_.clear();
    return written;
}

void CertificateWriter::write_contacts(Line& line, const MotionRecord& record) const {
    const std::size_t nodes = loaded_instants(record);
    const std::vector<RecordedContact>& contacts = record.instants[0].contacts;
    if (contacts.empty()) return;
    line.key("contacts").open('[');
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const RecordedContact& c = contacts[i];
        line.open('{').key("a").number(index_of(c.a.body)).key("b").number(index_of(c.b.body));
        line.key("shapes").open('[').number(shape_index_.at(c.a.shape));
        line.number(shape_index_.at(c.b.shape)).close(']');
        line.key("friction").open('[').number(c.static_friction).number(c.kinetic_friction);
        line.close(']').key("restitution").number(c.restitution).key("sticks").truth(c.sticks);
        line.key("at").open('[');
        for (std::size_t k = 0; k < nodes; ++k) {
            const RecordedContact& now = record.instants[k].contacts[i];
            line.open('[').numbers(now.point).numbers(now.normal).numbers(now.force).close(']');
        }
        line.close(']').close('}');
    }
    line.close(']');
}

void CertificateWriter::write_joints(Line& line, const MotionRecord& record) const {
    const std::size_t nodes = loaded_instants(record);
    const std::vector<RecordedJoint>& joints = record.instants[0].joints;
    if (joints.empty()) return;
    line.key("joints").open('[');
    for (std::size_t i = 0; i < joints.size(); ++i) {
        std::vector<const RecordedJoint*> at;
        for (std::size_t k = 0; k < nodes; ++k) at.push_back(&record.instants[k].joints[i]);
        line.open('{').key("joint").number(joint_index_.at(joints[i].joint)).key("at").open('[');
        for (const RecordedJoint* now : at)
            line.open('[').numbers(now->anchor).numbers(now->force).numbers(now->torque).close(']');
        line.close(']');
        if (!joints[i].actions.empty()) write_actions(line, at);
        line.close('}');
    }
    line.close(']');
}

void CertificateWriter::write_record(const MotionRecord& record) {
    Line line;
    const bool is_whole_step = is_fast_ && record.kind == Kind::substep;
    line.key("is").word(is_whole_step ? "impulses" : kNames[static_cast<std::size_t>(record.kind)]);
    if (record.kind == Kind::loads) {
        if (record.loads.empty()) return;
        line.key("loads").open('[');
        for (const RecordedLoad& load : record.loads)
            line.open('[')
                .number(index_of(load.body))
                .numbers(load.force)
                .numbers(load.torque)
                .close(']');
        line.close(']');
        return write(line);
    }
    if (record.kind == Kind::unrecorded) {
        line.key("reason").word(record.law).key("t").number(record.instants[0].time);
        return write(line);
    }
    line.key("bodies").open('[');
    for (const BodyId id : record.bodies) line.number(index_of(id));
    line.close(']');
    write_states(line, record);
    if (record.kind == Kind::impact) {
        line.key("law").word(record.law).key("approach").number(record.approach);
        line.key("work").open('[').number(record.work_compression);
        line.number(record.work_restitution).close(']');
    }
    write_contacts(line, record);
    write_joints(line, record);
    if (is_whole_step) {
        line.key("asleep").open('[');
        for (const BodyId id : record.bodies)
            if (asleep_.count(id) > 0) line.number(index_of(id));
        line.close(']');
    }
    write(line);
}

/// Under `fast`, whose steps are known by their ends and their impulses.
void CertificateWriter::write_impulses(const Simulation& simulation, double dt) {
    const World& world = simulation.world();
    MotionRecord record;
    record.kind = Kind::substep;
    record.instants = {{0, std::move(states_)}, {dt, states_of(world, bodies_)}};
    const std::set<BodyId> slept = std::move(asleep_);
    asleep_.clear();
    for (const CertifiedBody& body : bodies_) {
        const BodyId id = body.id;
        record.bodies.push_back(id);
        if (world.type(id) == BodyType::dynamic_body && !world.is_awake(id)) asleep_.insert(id);
    }
    // Contacts and joints of sleeping islands keep the impulses that they had.
    const auto sleeps = [&](BodyId id) { return slept.count(id) > 0 && asleep_.count(id) > 0; };
    for (const ContactView& view : world.contacts())
        if (!sleeps(view.a.body) && !sleeps(view.b.body))
            add_points(simulation, view, record.instants[0].contacts);
    for (const MotionRecord& joints : world.motion_records())
        record.instants[0].joints = joints.instants[0].joints;
    write_record(record);
    states_ = std::move(record.instants[1].states);
}

void CertificateWriter::write_sums(const Simulation& simulation, const StepReport& report) {
    const World& world = simulation.world();
    const Energy energy = world.energy();
    const Momentum momentum = world.momentum();
    Line line;
    line.key("is").word("sums").key("duration").number(report.time - start_);
    line.key("kinetic").number(energy.kinetic).key("potential").number(energy.potential);
    line.key("momentum").list(momentum.linear).key("angular_momentum").list(momentum.angular);
    write(line);
}

/// Loads come first, and kinematic bodies, since other records need them; then by time, and those
/// that begin together in their own order.
Result<void> CertificateWriter::write_step(const Simulation& simulation, const StepReport& report) {
    if (!file_.is_open() && !is_window_) return {};
    Line line;
    line.key("is").word("step").key("number").number(static_cast<double>(report.step));
    line.key("time").number(start_);
    write(line);
    std::vector<const MotionRecord*> records;
    for (const MotionRecord& record : simulation.world().motion_records())
        records.push_back(&record);
    const auto rank = [&](const MotionRecord* record) {
        if (record->kind == Kind::loads) return -1.0;
        const bool is_driven =
            record->kind == Kind::flight &&
            simulation.world().type(record->bodies[0]) == BodyType::kinematic_body;
        return is_driven ? -1.0 : record->instants.front().time;
    };
    std::stable_sort(
        records.begin(), records.end(),
        [&](const MotionRecord* a, const MotionRecord* b) { return rank(a) < rank(b); });
    if (is_fast_)
        write_impulses(simulation, report.time - start_);
    else
        for (const MotionRecord* record : records) write_record(*record);
    write_sums(simulation, report);
    start_ = report.time;
    ++steps_;
    return flush();
}

Result<void> CertificateWriter::close() {
    if (!file_.is_open() && !is_window_) return {};
    Line line;
    line.key("is").word("end").key("lines").number(static_cast<double>(lines_ + 1));
    line.key("steps").number(static_cast<double>(steps_));
    write(line);
    if (is_window_) return {};
    if (const auto written = flush(); !written) return written;
    return file_.commit();
}

} // namespace rigor::app
