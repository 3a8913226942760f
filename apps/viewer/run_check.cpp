#include "viewer/run_check.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/certificate_writer.h"

namespace rigor::viewer {
namespace {

using Stop = std::function<bool()>;

constexpr std::size_t kMaxBodies = 10'000;

Error nothing_to_check(const std::string& why) {
    return {ErrorCode::invalid_value, "", why};
}

Clock::time_point after(double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

app::CertifiedBodies bodies_of(const Session& session) {
    app::CertifiedBodies bodies;
    for (const SessionBody& body : *session.state().bodies)
        if (!body.id.is_null()) bodies.push_back({body.id, body.definition.get()});
    return bodies;
}

/// Steps from `first` to `last`, or as far as the limits allow. Empty: `outcome` has the reason.
std::string write_certificate(Session& session, const CheckTask& task, const Stop& is_over,
                              CheckOutcome& outcome) {
    app::CertificateWriter writer;
    if (const auto begun =
            writer.begin_window(session.simulation(), bodies_of(session), outcome.time_step);
        !begun) {
        outcome.reason = begun.error().message;
        return {};
    }
    session.keep_motion_records();
    while (session.current_step() < task.last && !is_over() &&
           writer.text().size() < task.limits.bytes) {
        session.step();
        if (!writer.write_step(session.simulation(), session.report())) break;
    }
    outcome.last = session.current_step();
    if (outcome.last == outcome.first) {
        outcome.reason = "the time for a check was up before its first step";
    } else if (outcome.last == task.last && session.simulation().state_hash() != task.hash) {
        outcome.reason = "the run could not be repeated bit for bit";
    } else {
        (void)writer.close();
        return writer.text();
    }
    return {};
}

json describe_law(const check::LawVerdict& law, const CheckOutcome& outcome) {
    // JSON has no infinity.
    const double residual = std::isfinite(law.residual) ? law.residual : 1e300;
    const double steps = std::ceil((law.time - outcome.start) / outcome.time_step - 1e-9);
    return {{"law", law.law},
            {"says", law.says},
            {"residual", residual},
            {"tolerance", law.tolerance},
            {"holds", law.holds()},
            {"time", law.time},
            {"step", outcome.first + static_cast<std::uint64_t>(std::max(1.0, steps))},
            {"bodies", law.bodies}};
}

} // namespace

Result<CheckTask> make_check_task(const Session& session, const CheckLimits& limits) {
    const SessionState& state = session.state();
    if (!state.drags.empty())
        return nothing_to_check("a body is being dragged: release it and let the world run");
    if (!state.frozen.empty()) return nothing_to_check("certificates cannot express frozen bodies");
    if (session.world().body_count() > kMaxBodies)
        return nothing_to_check("the checker compares each body with each other: " +
                                std::to_string(kMaxBodies) + " of them at most");
    const std::uint64_t last = session.current_step();
    const auto steps =
        static_cast<std::uint64_t>(std::ceil(limits.simulated_seconds / state.time_step - 1e-9));
    std::uint64_t first = last - std::min(last, steps);
    // What users do changes states between two steps, which no law allows for.
    for (std::size_t i = 0; i < session.applied_actions(); ++i) {
        const TimedAction& timed = session.actions()[i];
        first = std::max(first, timed.step);
        if (std::holds_alternative<SetMotor>(timed.action.action))
            return nothing_to_check("certificates cannot express motors that a user has set");
    }
    if (first >= last)
        return nothing_to_check("no step was made since the last action: let the world run first");
    return CheckTask{session.copy_from(first), first, last, session.simulation().state_hash(),
                     limits};
}

CheckOutcome run_check(CheckTask task, const Stop& is_cancelled) {
    CheckOutcome outcome;
    outcome.first = outcome.last = task.first;
    const CheckLimits limits = task.limits;
    const auto until = [&](Clock::time_point deadline) {
        return [&is_cancelled, deadline] {
            return Clock::now() >= deadline || (is_cancelled && is_cancelled());
        };
    };
    const Clock::time_point deadline = after(limits.wall_seconds);
    SessionOptions options;
    options.history_bytes = 0; // of the past, only its keyframe
    Result<Session> session = Session::make(std::move(task.copy), options);
    if (!session) {
        outcome.reason = session.error().message;
        return outcome;
    }
    if (!session->seek(task.first, deadline)) {
        outcome.reason = "the time for a check was up before its first step";
        return outcome;
    }
    outcome.start = session->world().time();
    outcome.time_step = session->state().time_step;
    const std::string text = write_certificate(*session, task, until(deadline), outcome);
    if (!outcome.reason.empty()) return outcome;
    try {
        std::istringstream lines(text);
        outcome.verdict =
            check::check_certificate(lines, "certificate", until(after(limits.wall_seconds)));
    } catch (const std::runtime_error& e) { // BadFile: the writer and the reader disagree
        outcome.reason = e.what();
    }
    if (!outcome.verdict.is_complete)
        outcome.reason = "the checker did not come to an end within " +
                         std::to_string(std::lround(limits.wall_seconds)) + " s";
    return outcome;
}

json describe_check(const CheckOutcome& outcome) {
    json message = {{"type", "check"}, {"from_step", outcome.first}, {"to_step", outcome.last}};
    if (!outcome.reason.empty()) {
        message["status"] = "none";
        message["reason"] = outcome.reason;
        return message;
    }
    const std::vector<check::LawVerdict>& laws = outcome.verdict.laws;
    json all = json::array();
    std::size_t worst = 0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        all.push_back(describe_law(laws[i], outcome));
        if (laws[i].residual / laws[i].tolerance > laws[worst].residual / laws[worst].tolerance)
            worst = i;
    }
    message["status"] = outcome.verdict.holds() ? "holds" : "fails";
    message["method"] = outcome.verdict.method;
    message["worst"] = all[worst]; // nearest to its tolerance, or farthest beyond it
    message["laws"] = std::move(all);
    return message;
}

BackgroundCheck::~BackgroundCheck() {
    cancel();
    if (thread_.joinable()) thread_.join();
}

void BackgroundCheck::start(CheckTask task, std::function<void(const CheckOutcome&)> done) {
    is_running_ = true;
    if (thread_.joinable()) thread_.join(); // it has ended
    is_cancelled_ = false;                  // no other thread is there
    thread_ = std::thread([this, task = std::move(task), done = std::move(done)]() mutable {
        const CheckOutcome outcome = run_check(std::move(task), [this] {
            const std::lock_guard lock(mutex_);
            return is_cancelled_;
        });
        {
            const std::lock_guard lock(mutex_);
            if (!is_cancelled_) done(outcome);
        }
        is_running_ = false;
    });
}

void BackgroundCheck::cancel() {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
}

} // namespace rigor::viewer
