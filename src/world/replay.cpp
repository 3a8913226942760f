// A recording played to a new world, and compared.

#include <algorithm>

#include "math/number_text.h"
#include "world/recorder.h"
#include "world/world_impl.h"

namespace rigor {

/// Takes what a CallReader reads, up to the first difference.
class Replayer {
  public:
    Replayer(const ReplayOptions& options, WorldSettings settings)
        : options_(options), world_(on_this_machine(settings)) {}

    template <class Method, class Arguments>
    bool call(Method method, Arguments& arguments) {
        try {
            std::apply([&](auto&... a) { make_call(method, on_this_machine(a)...); }, arguments);
        } catch (const UsageError& refused) {
            // It went through when it was recorded; or so the file says.
            difference_ = {world_.step_count() + 1,
                           {},
                           {},
                           0,
                           std::string("a call before it is refused here: ") + refused.what()};
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
    void make_call(R (World::*method)(Parameters...),
                   const std::remove_cvref_t<Parameters>&... arguments) {
        if constexpr (std::is_void_v<R>) {
            (world_.*method)(arguments...);
        } else {
            (world_.*method)(arguments...).value();
        }
    }

    ReplayDifference find_difference(const RecordedStep& recorded) const;
    std::string words_for(BodyId body, bool was_awake) const;

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
        difference_ = {world_.step_count() + 1, {}, {}, 0, refused.what()};
        return false;
    }
    if (world_.state_hash() != recorded.state_hash) difference_ = find_difference(recorded);
    if (options_.progress) options_.progress(world_.step_count());
    return !difference_;
}

/// Of those that move here or moved when recorded: who has another hash, or none, there or here.
ReplayDifference Replayer::find_difference(const RecordedStep& recorded) const {
    const BodyStore& bodies = world_.impl_->state.bodies;
    const std::vector<std::uint32_t>& awake = world_.impl_->fast.sleep.awake;
    ReplayDifference found{world_.step_count(), {}, {}, 0, {}};
    for (std::uint32_t slot = 0; slot < bodies.slot_count(); ++slot) {
        const BodyId id = bodies.ids.id_at(slot);
        if (id.is_null()) continue;
        const auto at = std::lower_bound(watched_.begin(), watched_.end(), slot);
        const auto place = static_cast<std::size_t>(at - watched_.begin());
        const bool was_watched =
            at != watched_.end() && *at == slot && place < recorded.motion_hashes.size();
        const bool is_awake = std::binary_search(awake.begin(), awake.end(), slot);
        const bool agrees =
            was_watched ? hash_of_motion(bodies, slot, is_awake) == recorded.motion_hashes[place]
                        : !is_awake;
        if (agrees) continue;
        if (++found.bodies > 1) continue;
        found.body = id;
        found.name = world_.name(id);
        found.what = words_for(id, was_watched);
    }
    if (found.bodies == 0)
        found.what =
            "no moving body differs, but contacts, joints, the ledger or something at rest do";
    return found;
}

std::string Replayer::words_for(BodyId body, bool was_awake) const {
    if (!was_awake) return "awake here, at rest in the recording";
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
