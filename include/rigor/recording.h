// Recordings: all calls that change a world, with state hashes after each step, and their replay.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigor/export.h"
#include "rigor/ids.h"
#include "rigor/result.h"

namespace rigor {

struct BodyDef;
class World;

/// Every call that changed a world since World::start_recording, and after each step a hash of the
/// whole state and one of each body that moved. A value, always well formed.
class RIGOR_API Recording {
  public:
    /// Parses a whole file in memory. Fails with one sentence when the bytes are not a recording,
    /// have an unknown format version, or are truncated, too long or damaged.
    static Result<Recording> parse(std::vector<std::uint8_t> bytes);
    static Result<Recording> load(const std::string& path);
    Result<void> save(const std::string& path) const;

    const std::vector<std::uint8_t>& bytes() const& { return bytes_; }
    std::vector<std::uint8_t> bytes() && { return std::move(bytes_); }
    std::uint64_t step_count() const { return steps_; }
    /// Numerics version of the build that recorded it; another version may give other results.
    int numerics() const { return numerics_; }
    /// Version and compiler of that build: "0.1.0, gcc 12.2.0".
    const std::string& recorded_by() const { return recorded_by_; }

  private:
    Recording() = default;

    std::vector<std::uint8_t> bytes_;
    std::uint64_t steps_ = 0;
    int numerics_ = 0;
    std::string recorded_by_;
};

/// Options of a replay; none of them affects the result.
struct ReplayOptions {
    int threads = 1;
    int lanes = 0; ///< as WorldSettings::lanes
    /// Called after every step with its number.
    std::function<void(std::uint64_t step)> progress = {};
    /// For drawing: called for every body when it is added, and with the world after every step.
    std::function<void(BodyId body, const BodyDef& def)> added = {};
    std::function<void(const World& world)> stepped = {};
};

/// The first step after which the replayed world differs from the recorded one.
struct ReplayDifference {
    std::uint64_t step = 0;
    BodyId body;            ///< the first that differs, by slot; null: none of those that move
    std::string name;       ///< of that body
    std::size_t bodies = 0; ///< how many differ in that step
    std::string what;       ///< in words, with the body's state here
};

struct ReplayReport {
    std::uint64_t steps = 0; ///< that agree
    std::size_t bodies = 0;  ///< in the world at the end
    std::optional<ReplayDifference> difference;

    bool identical() const { return !difference; }
};

/// Creates a world, repeats the recorded calls, and compares state hashes after every step, up to
/// the first difference. Throws UsageError when an option is out of range.
RIGOR_API ReplayReport replay(const Recording& recording, const ReplayOptions& options = {});

} // namespace rigor
