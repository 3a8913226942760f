#include "compare_run.h"

#include <algorithm>
#include <exception>

#include "base/deadline.h"
#include "common/nearest_image.h"

namespace rigor::app {
namespace {

/// Enough for a plot, and few enough that places of many bodies can be kept.
long long steps_per_sample(long long steps, std::size_t bodies) {
    constexpr long long kMostSamples = 400, kMostPlaces = 4'000'000;
    const long long count = static_cast<long long>(std::max<std::size_t>(bodies, 1));
    const long long samples = std::clamp(kMostPlaces / count, 2LL, kMostSamples);
    return std::max(1LL, (steps + samples - 1) / samples);
}

std::vector<BodyId> moving_bodies(const Simulation& simulation) {
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i)
        if (simulation.scene().bodies[i].def.type == BodyType::dynamic_body)
            ids.push_back(simulation.body(i));
    return ids;
}

Distance distance(const World& world, const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    Distance d;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = length(nearest_image(world, a[i] - b[i]));
        d.mean += apart / static_cast<double>(a.size());
        if (!(apart <= d.most)) d.most = apart;
    }
    return d;
}

/// Looks at a run now and then.
class Tracker {
  public:
    Tracker(const Simulation& simulation, const RunTrack* first)
        : simulation_(simulation), first_(first), bodies_(moving_bodies(simulation)) {}

    void sample() {
        const World& world = simulation_.world();
        track.time.push_back(world.time());
        track.energy.push_back(world.energy().total());
        track.momentum.push_back(length(world.momentum().linear));
        track.penetration.push_back(penetration());
        places_.resize(bodies_.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            if (world.is_valid(bodies_[i])) places_[i] = world.state(bodies_[i]).position;
        const std::size_t index = track.time.size() - 1;
        if (!first_)
            track.positions.push_back(places_);
        else if (index < first_->positions.size())
            track.distance.push_back(distance(world, places_, first_->positions[index]));
    }

    RunTrack track;

  private:
    // Not all methods report it, so it is measured, in the same way for all.
    double penetration() const {
        const World& world = simulation_.world();
        if (world.settings().method == Method::free) return 0;
        const std::vector<double> depths = world.penetrations();
        return depths.empty() ? 0 : depths.back();
    }

    const Simulation& simulation_;
    const RunTrack* first_;
    std::vector<BodyId> bodies_;
    std::vector<Vec3d> places_; ///< a body that broke stays where it was last
};

int contact_points(const World& world) {
    int points = 0;
    for (const ContactView& contact : world.contacts()) points += contact.count;
    return points;
}

Json to_json(const Distance& d) {
    return {{"mean", d.mean}, {"max", d.most}};
}

void add_distance(MethodRun& run) {
    if (run.track.distance.empty()) return;
    Distance most;
    for (const Distance& d : run.track.distance) {
        most.mean = std::max(most.mean, d.mean);
        most.most = std::max(most.most, d.most);
    }
    run.json["distance_end"] = to_json(run.track.distance.back());
    run.json["distance_largest"] = to_json(most);
}

void simulate(Simulation& simulation, const ComparePlan& plan, const RunTrack* first,
              MethodRun& run) {
    const auto [dt, steps] = plan.length;
    const RunClock::time_point start = RunClock::now();
    const DeadlineScope deadline(seconds_left(simulation, start) + kResultSeconds);
    run.summary = begin_summary(simulation, plan.threads, dt, steps);
    name_flags(plan.overrides, run.summary);
    const long long every = steps_per_sample(steps, simulation.scene().bodies.size());
    Tracker tracker(simulation, first);
    tracker.sample();
    const auto after_step = [&](long long i, const StepReport&) {
        plan.progress(i);
        if (i % every == 0 || i == plan.length.steps) tracker.sample();
        return true;
    };
    run.problem = run_steps(simulation, plan.length, start, run.summary, after_step);
    end_summary(simulation, run.summary);
    run.track = std::move(tracker.track);
    for (const double depth : run.track.penetration)
        run.summary.max_penetration = std::max(run.summary.max_penetration, depth);
    run.summary.contacts = contact_points(simulation.world());
    run.json = app::to_json(run.summary, simulation, /*all_bodies=*/false);
    add_distance(run);
}

} // namespace

MethodRun run_method(const std::string& label, Scene scene, const ComparePlan& plan,
                     const RunTrack* first) {
    MethodRun run;
    run.label = label;
    try {
        Result<Simulation> made =
            Simulation::make(std::move(scene), {plan.threads, false, plan.lanes});
        if (made)
            simulate(*made, plan, first, run);
        else
            run.problem = to_string(made.error());
    } catch (const std::exception& e) {
        run.problem = e.what();
    }
    return run;
}

} // namespace rigor::app
