#include "view/client_feed.h"

#include <algorithm>

namespace rigor::view {
namespace {

constexpr std::size_t kMostLetters = 2000;

} // namespace

void ClientFeed::see(const See& see) {
    if (see.color != seen_.color) shown_ = 0; // values of all bodies are needed
    seen_ = see;
}

void ClientFeed::add(const Letter& letter) {
    const bool replaces = letter.kind == Letter::Kind::state || letter.kind == Letter::Kind::stats;
    if (replaces)
        std::erase_if(letters_, [&](const Letter& old) { return old.kind == letter.kind; });
    letters_.push_back(letter);
}

void ClientFeed::offer(const Letter& letter) {
    if (letter.to && *letter.to != id_) return;
    if (!letter.to && !joined_) return;
    joined_ = true;
    add(letter);
}

bool ClientFeed::is_overfull() const {
    return letters_.size() > kMostLetters;
}

ClientFeed::Out ClientFeed::next(const Picture* newest) {
    if (!letters_.empty()) {
        const Letter letter = std::move(letters_.front());
        letters_.pop_front();
        if (letter.kind == Letter::Kind::scene) {
            generation_ = letter.generation;
            shown_ = 0;
            frames_.clear();
        }
        return {letter.text, false};
    }
    if (frames_.empty() && newest && newest->sequence != looked_at_ &&
        newest->generation == generation_)
        cut_up(*newest);
    if (frames_.empty()) return {};
    Out out{std::move(frames_.front()), true};
    frames_.pop_front();
    return out;
}

/// All worlds, then what lies over them.
void ClientFeed::cut_up(const Picture& picture) {
    looked_at_ = picture.sequence;
    for (std::size_t i = 0; i < picture.worlds.size(); ++i) {
        const WorldPicture& world = picture.worlds[i];
        const ValueTrack* values = nullptr;
        if (seen_.color) {
            const auto found = world.values.find(*seen_.color);
            if (found != world.values.end()) values = &found->second;
        }
        frames_.push_back(std::make_shared<const std::string>(encode_frame(
            world.poses, values, static_cast<std::uint8_t>(i), picture.sequence, shown_)));
    }
    for (const WorldPicture& world : picture.worlds)
        for (const auto& [overlay, message] : world.overlays)
            if (seen_.overlays.has(overlay)) frames_.push_back(message);
    // A color that was just asked for is in a later picture: then all values are needed.
    const bool complete =
        !seen_.color || picture.worlds.empty() || picture.worlds[0].values.count(*seen_.color) > 0;
    shown_ = complete ? picture.sequence : 0;
}

} // namespace rigor::view
