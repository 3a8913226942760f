// Recording files: a magic word, the version of the format, the length of the content, a checksum
// of it, and the content (recorded_calls.h). Magic word and version keep their position in later
// formats.

#include "rigor/recording.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/hash.h"
#include "base/output_file.h"
#include "world/recorder.h"

namespace rigor {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little,
              "hashes are over bytes as they are in memory");

constexpr std::string_view kMagic = "rigorrec";
static_assert(kRecordingContent == kMagic.size() + sizeof kRecordingFormat + 2 * 8);

std::uint64_t checksum(const std::uint8_t* content, std::size_t size) {
    Hasher hasher;
    hasher.add_bytes(content, size);
    return hasher.value();
}

template <class T>
void append(std::vector<std::uint8_t>& bytes, const T& value) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
}

template <class T>
T value_at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
    T value;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
}

Error damaged(const std::string& message) {
    return {ErrorCode::syntax, "", message};
}

/// Checks everything except the validity of the content.
Result<void> check_frame(const std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin()))
        return damaged("is not a recording: it must begin with \"" + std::string(kMagic) + "\"");
    if (bytes.size() < kRecordingContent)
        return damaged("is cut off within its first " + std::to_string(kRecordingContent) +
                       " bytes");
    const auto format = value_at<std::uint32_t>(bytes, kMagic.size());
    if (format != kRecordingFormat)
        return Error{ErrorCode::unsupported, "",
                     "is a recording of format " + std::to_string(format) +
                         ", this build reads format " + std::to_string(kRecordingFormat)};
    const std::uint64_t size = bytes.size() - kRecordingContent;
    const auto wanted = value_at<std::uint64_t>(bytes, kMagic.size() + sizeof format);
    if (size < wanted)
        return damaged("is cut off: " + std::to_string(size) + " of " + std::to_string(wanted) +
                       " bytes are there");
    if (size > wanted)
        return damaged("has " + std::to_string(size - wanted) + " bytes behind its end");
    const auto sum = value_at<std::uint64_t>(bytes, kMagic.size() + sizeof format + 8);
    if (sum != checksum(bytes.data() + kRecordingContent, size))
        return damaged("is damaged: its checksum does not fit its bytes");
    return {};
}

Result<void> check_settings(const WorldSettings& settings) {
    try {
        World{settings};
    } catch (const UsageError& refused) {
        return damaged(std::string("holds settings that no world can have: ") + refused.what());
    }
    return {};
}

/// A player that only counts.
struct StepCounter {
    std::uint64_t steps = 0;

    bool step(const RecordedStep&) { return ++steps, true; }
    template <class Method, class Arguments>
    bool call(Method, const Arguments&) {
        return true;
    }
};

} // namespace

std::vector<std::uint8_t> recording_file(const std::vector<std::uint8_t>& content) {
    std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
    bytes.reserve(kRecordingContent + content.size());
    append(bytes, kRecordingFormat);
    append(bytes, static_cast<std::uint64_t>(content.size()));
    append(bytes, checksum(content.data(), content.size()));
    bytes.insert(bytes.end(), content.begin(), content.end());
    return bytes;
}

Result<Recording> Recording::parse(std::vector<std::uint8_t> bytes) {
    if (const auto checked = check_frame(bytes); !checked) return checked.error();
    RecordingReader reader(bytes.data() + kRecordingContent, bytes.data() + bytes.size());
    RecordingHeader header;
    reader(header);
    if (const auto checked = check_settings(header.settings); !checked) return checked.error();
    StepCounter counter;
    CallReader(reader, counter).read_all();
    if (reader.failed())
        return damaged("makes no sense after step " + std::to_string(counter.steps));
    Recording recording;
    recording.bytes_ = std::move(bytes);
    recording.steps_ = counter.steps;
    recording.numerics_ = header.numerics;
    recording.recorded_by_ = header.recorded_by;
    return recording;
}

Result<Recording> Recording::load(const std::string& path) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return Error{ErrorCode::not_found, path, "there is no such file"};
    if (!fs::is_regular_file(status)) // a pipe would never end
        return Error{ErrorCode::io, path, "must be a regular file"};
    const std::uintmax_t size = fs::file_size(path, failed);
    if (failed) return Error{ErrorCode::io, path, "cannot be read"};
    std::vector<std::uint8_t> bytes(size);
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!in) return Error{ErrorCode::io, path, "cannot be read"};
    Result<Recording> recording = parse(std::move(bytes));
    if (recording) return recording;
    return Error{recording.error().code, path, recording.error().message};
}

Result<void> Recording::save(const std::string& path) const {
    return write_file(path, {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}

} // namespace rigor
