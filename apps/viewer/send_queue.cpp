#include "viewer/send_queue.h"

#include <algorithm>

namespace rigor::viewer {
namespace {

constexpr std::size_t kMaxMessages = 2000;

} // namespace

void SendQueue::subscribe(const Subscription& subscription) {
    // A new color needs the values of all bodies, so the next frame is complete.
    if (subscription.color != subscription_.color) base_sequence_ = 0;
    subscription_ = subscription;
}

void SendQueue::add(const OutgoingMessage& message) {
    if (message.replaces_older())
        std::erase_if(messages_, [&](const auto& old) { return old.kind == message.kind; });
    messages_.push_back(message);
}

void SendQueue::add_if_addressed(const OutgoingMessage& message) {
    if (message.to && *message.to != id_) return;
    if (!message.to && !receives_broadcasts_) return;
    receives_broadcasts_ = true;
    add(message);
}

bool SendQueue::has_overflowed() const {
    return messages_.size() > kMaxMessages;
}

SendQueue::Payload SendQueue::next(const FrameSet* newest) {
    if (!messages_.empty()) {
        const OutgoingMessage message = std::move(messages_.front());
        messages_.pop_front();
        if (message.kind == OutgoingMessage::Kind::scene) {
            generation_ = message.generation;
            base_sequence_ = 0;
            frames_.clear();
        }
        return {message.text, false};
    }
    if (frames_.empty() && newest && newest->sequence != encoded_sequence_ &&
        newest->generation == generation_)
        encode_frames(*newest);
    if (frames_.empty()) return {};
    Payload payload{std::move(frames_.front()), true};
    frames_.pop_front();
    return payload;
}

// The frames of all worlds come before their meshes and overlays.
void SendQueue::encode_frames(const FrameSet& frames) {
    const std::optional<ColorMode> color = subscription_.color;
    encoded_sequence_ = frames.sequence;
    for (std::size_t i = 0; i < frames.worlds.size(); ++i) {
        const WorldFrame& world = frames.worlds[i];
        const ColorValues* values = nullptr;
        if (color) {
            const auto found = world.colors.find(*color);
            if (found != world.colors.end()) values = &found->second;
        }
        frames_.push_back(std::make_shared<const std::string>(encode_frame(
            world.poses, values, static_cast<std::uint8_t>(i), frames.sequence, base_sequence_)));
    }
    for (const WorldFrame& world : frames.worlds)
        for (const MeshFrame& mesh : world.meshes)
            if (mesh.changed > base_sequence_) frames_.push_back(mesh.message);
    for (const WorldFrame& world : frames.worlds)
        for (const auto& [overlay, message] : world.overlays)
            if (subscription_.overlays.has(overlay)) frames_.push_back(message);
    // A new subscription takes effect with a later frame set. Until the color is in it, no frame
    // may serve as the base of a delta.
    const bool has_color =
        !color || frames.worlds.empty() || frames.worlds[0].colors.count(*color) > 0;
    base_sequence_ = has_color ? frames.sequence : 0;
}

} // namespace rigor::viewer
