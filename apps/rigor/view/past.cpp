#include "view/past.h"

#include <algorithm>

namespace rigor::view {
namespace {

auto after(const std::vector<Keyframe>& keyframes, const Moment& moment) {
    return std::upper_bound(keyframes.begin(), keyframes.end(), moment,
                            [](const Moment& m, const Keyframe& k) { return m < k.at; });
}

} // namespace

void Past::keep(Keyframe keyframe) {
    if (has(keyframe.at)) return;
    bytes_ += keyframe.bytes;
    keyframes_.insert(after(keyframes_, keyframe.at), std::move(keyframe));
    while (bytes_ > most_bytes_ && keyframes_.size() > 2) thin();
}

bool Past::has(const Moment& moment) const {
    const auto next = after(keyframes_, moment);
    return next != keyframes_.begin() && (next - 1)->at == moment;
}

const Keyframe& Past::before(const Moment& moment) const {
    return *(after(keyframes_, moment) - 1);
}

void Past::drop_after(const Moment& moment) {
    const auto next = after(keyframes_, moment);
    for (auto k = next; k != keyframes_.end(); ++k) bytes_ -= k->bytes;
    keyframes_.erase(next, keyframes_.end());
}

// Every second of the older half, but not the first: the spacing doubles from the present back.
void Past::thin() {
    const std::size_t half = std::max<std::size_t>(keyframes_.size() / 2, 2);
    std::vector<Keyframe> left;
    for (std::size_t i = 0; i < keyframes_.size(); ++i) {
        if (i < half && i % 2 == 1) {
            bytes_ -= keyframes_[i].bytes;
        } else {
            left.push_back(std::move(keyframes_[i]));
        }
    }
    keyframes_ = std::move(left);
}

} // namespace rigor::view
