// Recorder of a world: its calls, and state hashes after its steps.
#pragma once

#include "model/body_store.h"
#include "rigor/recording.h"
#include "world/recorded_calls.h"

namespace rigor {

class Recorder {
  public:
    explicit Recorder(const WorldSettings& settings);

    /// A successful call: one that fails changes nothing.
    template <auto Method, class... Given>
    void call(const Given&... arguments) {
        constexpr std::uint8_t kNumber = call_number<Method>();
        static_assert(kNumber != kStepNumber, "a call that is not in kRecordedCalls");
        static_assert(std::is_same_v<ArgumentsOf<decltype(Method)>, std::tuple<Given...>>);
        writer_(kNumber, arguments...);
    }

    /// A completed step, and the slots of the awake bodies after it, ascending.
    void step(double dt, std::uint64_t state_hash, const BodyStore& bodies,
              const std::vector<std::uint32_t>& awake);

    Recording recording() const;

  private:
    RecordingWriter writer_;
    std::vector<std::uint32_t> awake_, watched_; ///< after the last step
};

/// 16-bit hash of a body's motion, and whether it sleeps.
std::uint16_t hash_of_motion(const BodyStore& bodies, std::uint32_t body, bool is_awake);

/// Symmetric difference of two ascending lists.
std::vector<std::uint32_t> not_in_both(const std::vector<std::uint32_t>& a,
                                       const std::vector<std::uint32_t>& b);

/// A file of the format with the content of a writer.
std::vector<std::uint8_t> recording_file(const std::vector<std::uint8_t>& content);
/// The offset of the content in such a file.
inline constexpr std::size_t kRecordingContent = 8 + 4 + 8 + 8;

} // namespace rigor
