// Any bytes as a recording, whole or only its content: read or refused. It is not replayed: calls
// of any kind with any numbers may take any time.

#include <cstdint>
#include <cstdlib>

#include "world/recorder.h"

namespace {

using namespace rigor;

/// Reads here rather than in the library, so that the fuzzer sees which way it goes.
struct Listener {
    bool step(const RecordedStep& step) { return step.dt == step.dt; }
    template <class Method, class Arguments>
    bool call(Method, const Arguments&) {
        return true;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    RecordingReader reader(data, data + size);
    RecordingHeader header;
    reader(header);
    Listener listener;
    CallReader(reader, listener).read_all();

    const std::vector<std::uint8_t> bytes(data, data + size);
    for (const auto& recording : {Recording::parse(bytes), Recording::parse(recording_file(bytes))})
        if (!recording && recording.error().message.empty()) std::abort();
    return 0;
}
