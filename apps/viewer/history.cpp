#include "viewer/history.h"

#include <algorithm>

namespace rigor::viewer {
namespace {

/// The first keyframe after a position.
auto after(const std::vector<Keyframe>& keyframes, const HistoryPosition& position) {
    return std::upper_bound(keyframes.begin(), keyframes.end(), position,
                            [](const HistoryPosition& p, const Keyframe& k) { return p < k.at; });
}

} // namespace

void History::add(Keyframe keyframe) {
    if (contains(keyframe.at)) return;
    bytes_ += keyframe.bytes;
    keyframes_.insert(after(keyframes_, keyframe.at), std::move(keyframe));
    while (bytes_ > max_bytes_ && keyframes_.size() > 2) thin();
}

bool History::contains(const HistoryPosition& position) const {
    const auto next = after(keyframes_, position);
    return next != keyframes_.begin() && (next - 1)->at == position;
}

const Keyframe& History::latest_before(const HistoryPosition& position) const {
    return *(after(keyframes_, position) - 1);
}

void History::discard_after(const HistoryPosition& position) {
    const auto next = after(keyframes_, position);
    for (auto k = next; k != keyframes_.end(); ++k) bytes_ -= k->bytes;
    keyframes_.erase(next, keyframes_.end());
}

// Drops every second keyframe of the older half, but not the first. Repeated, the spacing doubles
// with the distance from the present.
void History::thin() {
    const std::size_t half = std::max<std::size_t>(keyframes_.size() / 2, 2);
    std::vector<Keyframe> remaining;
    for (std::size_t i = 0; i < keyframes_.size(); ++i) {
        if (i < half && i % 2 == 1) {
            bytes_ -= keyframes_[i].bytes;
        } else {
            remaining.push_back(std::move(keyframes_[i]));
        }
    }
    keyframes_ = std::move(remaining);
}

} // namespace rigor::viewer
