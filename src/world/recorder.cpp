#include "world/recorder.h"

#include <iterator>

#include "base/hash.h"
#include "rigor/version.h"

namespace rigor {
namespace {

using Slots = std::vector<std::uint32_t>;

RecordingHeader header_of_this_build(const WorldSettings& settings) {
    const VersionInfo version = version_info();
    return {version.numerics, version.version + ", " + version.compiler, settings};
}

/// All awake bodies, and those awake until now; the others have not moved.
Slots watched_after_step(const BodyStore& bodies, const Slots& awake, const Slots& awake_before) {
    Slots watched;
    std::set_union(awake.begin(), awake.end(), awake_before.begin(), awake_before.end(),
                   std::back_inserter(watched));
    std::erase_if(watched, [&](std::uint32_t slot) { return bodies.ids.id_at(slot).is_null(); });
    return watched;
}

} // namespace

Slots not_in_both(const Slots& a, const Slots& b) {
    Slots difference;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(difference));
    return difference;
}

std::uint16_t hash_of_motion(const BodyStore& bodies, std::uint32_t body, bool is_awake) {
    Hasher hasher;
    hasher.add_value(bodies.motion[body]);
    hasher.add(static_cast<std::uint64_t>(bodies.mobility[body]) * 2 + (is_awake ? 1 : 0));
    const std::uint64_t h = hasher.value();
    return static_cast<std::uint16_t>(h ^ (h >> 16) ^ (h >> 32) ^ (h >> 48));
}

Recorder::Recorder(const WorldSettings& settings) {
    writer_(header_of_this_build(settings));
}

void Recorder::step(double dt, std::uint64_t state_hash, const BodyStore& bodies,
                    const Slots& awake) {
    Slots watched = watched_after_step(bodies, awake, awake_);
    RecordedStep step{dt, state_hash, not_in_both(watched_, watched), {}};
    for (const std::uint32_t slot : watched) {
        const bool is_awake = std::binary_search(awake.begin(), awake.end(), slot);
        step.motion_hashes.push_back(hash_of_motion(bodies, slot, is_awake));
    }
    writer_(kStepNumber, step);
    watched_ = std::move(watched);
    awake_ = awake;
}

Recording Recorder::recording() const {
    return Recording::parse(recording_file(writer_.bytes())).value();
}

} // namespace rigor
