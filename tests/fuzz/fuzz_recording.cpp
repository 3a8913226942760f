// Any bytes as the content of a recording: a Recording or a sentence. It is not replayed: calls of
// any kind with any numbers may take any time.

#include <cstdint>
#include <cstdlib>

#include "world/recorder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto check = [](std::vector<std::uint8_t> bytes) {
        const auto recording = rigor::Recording::parse(std::move(bytes));
        if (!recording && recording.error().message.empty()) std::abort();
    };
    const std::vector<std::uint8_t> bytes(data, data + size);
    check(bytes);
    check(rigor::recording_file(bytes));
    return 0;
}
