// Replay of a recording in a new world, with comparison of the hashes.

#include <algorithm>

#include "math/number_text.h"
#include "world/recorder.h"
#include "world/world_impl.h"

namespace rigor {

/// Executes what a CallReader reads, up to the first difference.
class Replayer {
  public:
    Replayer(const ReplayOptions& options, WorldSettings settings)
        : options_(options), world_(on_this_machine(settings)) {}

    template <class Method, class Arguments>
    bool call(Method method, Arguments& arguments) {
        try {
            std::apply([&](auto&... a) { make_call(method, on_this_machine(a)...); }, arguments);
        } catch (const UsageError& refused) {
            note_refusal(refused); // it succeeded when it was recorded, according to the file
        }
        return !difference_;
    }

    bool step(const RecordedStep& recorded);

    ReplayReport report() const {
        const std::uint64_t steps = world_.step_count();
        return {difference_ ? difference_->step - 1 : steps, world_.body_count(), difference_};
    }

  private:
    template <class Argument>
    const Argument& on_this_machine(const Argument& argument) {
        return argument;
    }
    const WorldSettings& on_this_machine(WorldSettings& settings) {
        settings.threads = options_.threads;
        settings.lanes = options_.lanes;
        return settings;
    }

    template <class R, class... Parameters>
    void make_call(R (World::*method)(Parameters...), const Recorded<Parameters>&... arguments) {
        if constexpr (std::is_void_v<R>) {
            (world_.*method)(arguments...);
        } else if constexpr (std::is_same_v<R, Result<BodyId>>) {
            const BodyId body = (world_.*method)(arguments...).value();
            if (options_.added) options_.added(body, arguments...);
        } else {
            (world_.*method)(arguments...).value();
        }
    }

    void note_refusal(const UsageError& refused) {
        difference_ = ReplayDifference{world_.step_count() + 1,
                                       {},
                                       {},
                                       0,
                                       std::string("a call is refused here: ") + refused.what()};
    }
    ReplayDifference find_difference(const RecordedStep& recorded) const;
    std::optional<std::uint16_t> recorded_hash(const RecordedStep& recorded,
                                               std::uint32_t slot) const;
    std::string words_for(BodyId body) const;

    const ReplayOptions& options_;
    World world_;
    std::vector<std::uint32_t> watched_; ///< when recorded
    std::optional<ReplayDifference> difference_;
};

bool Replayer::step(const RecordedStep& recorded) {
    watched_ = not_in_both(watched_, recorded.changed);
    try {
        world_.step(recorded.dt);
    } catch (const UsageError& refused) {
        return note_refusal(refused), false;
    }
    if (world_.state_hash() != recorded.state_hash) difference_ = find_difference(recorded);
    if (options_.progress) options_.progress(world_.step_count());
    if (options_.stepped) options_.stepped(world_);
    return !difference_;
}

/// Of the motion of a body; none when it was at rest.
std::optional<std::uint16_t> Replayer::recorded_hash(const RecordedStep& recorded,
                                                     std::uint32_t slot) const {
    const auto at = std::lower_bound(watched_.begin(), watched_.end(), slot);
    const auto place = static_cast<std::size_t>(at - watched_.begin());
    const bool is_there =
        at != watched_.end() && *at == slot && place < recorded.motion_hashes.size();
    return is_there ? std::optional(recorded.motion_hashes[place]) : std::nullopt;
}

ReplayDifference Replayer::find_difference(const RecordedStep& recorded) const {
    const BodyStore& bodies = world_.impl_->state.bodies;
    const std::vector<std::uint32_t>& awake = world_.impl_->pipeline->awake_bodies();
    ReplayDifference found{world_.step_count(), {}, {}, 0, {}};
    for (const BodyId id : world_.bodies()) {
        const bool is_awake = std::binary_search(awake.begin(), awake.end(), id.index);
        const std::optional<std::uint16_t> then = recorded_hash(recorded, id.index);
        if (then ? *then == hash_of_motion(bodies, id.index, is_awake) : !is_awake) continue;
        if (++found.bodies > 1) continue;
        found.body = id;
        found.name = world_.name(id);
        found.what = then ? words_for(id) : "awake here, at rest in the recording";
    }
    if (found.bodies == 0)
        found.what =
            "no moving body differs, but contacts, joints, the ledger or something at rest do";
    return found;
}

std::string Replayer::words_for(BodyId body) const {
    const BodyState state = world_.state(body);
    return "here at " + text(state.position) + " with velocity " + text(state.velocity) +
           (world_.is_awake(body) ? "" : ", asleep");
}

ReplayReport replay(const Recording& recording, const ReplayOptions& options) {
    const std::vector<std::uint8_t>& bytes = recording.bytes();
    RecordingReader reader(bytes.data() + kRecordingContent, bytes.data() + bytes.size());
    RecordingHeader header;
    reader(header);
    Replayer replayer(options, header.settings);
    CallReader(reader, replayer).read_all();
    return replayer.report();
}

} // namespace rigor
