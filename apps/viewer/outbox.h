// From the simulation thread to the network thread: messages in order, and the newest frames.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "viewer/frame_set.h"

namespace rigor::viewer {

using ClientId = int;

struct OutgoingMessage {
    enum class Kind {
        reply,
        scene, ///< the client can interpret frames of this generation after it
        state, ///< replaces an older one that was not sent yet
        stats, ///< likewise
    };
    Kind kind = Kind::reply;
    std::optional<ClientId> to; ///< none: all clients
    std::shared_ptr<const std::string> text;
    std::uint64_t generation = 0; ///< counts opened scenes

    bool replaces_older() const { return kind == Kind::state || kind == Kind::stats; }
};

/// Neither thread holds the lock for longer than it takes to move a pointer. A message that was put
/// before a frame set is taken before it or with it, so a client knows every body it is shown.
class Outbox {
  public:
    struct Content {
        std::vector<OutgoingMessage> messages;
        std::shared_ptr<const FrameSet> frames; ///< null: none since the last take()
    };

    /// Sets what is called when the outbox is no longer empty, from the thread that put something
    /// in.
    void on_content(std::function<void()> notify) {
        const std::lock_guard lock(mutex_);
        notify_ = std::move(notify);
    }

    void put(OutgoingMessage message) {
        update([&] {
            if (message.replaces_older()) {
                std::erase_if(content_.messages, [&](const OutgoingMessage& old) {
                    return old.kind == message.kind && old.to == message.to;
                });
            }
            content_.messages.push_back(std::move(message));
        });
    }
    void put(std::shared_ptr<const FrameSet> frames) {
        update([&] { content_.frames = std::move(frames); });
    }
    Content take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(content_, {});
    }

  private:
    template <class Change>
    void update(const Change& change) {
        const std::lock_guard lock(mutex_);
        const bool was_empty = content_.messages.empty() && !content_.frames;
        change();
        if (was_empty && notify_) notify_();
    }

    std::mutex mutex_;
    Content content_;
    std::function<void()> notify_;
};

} // namespace rigor::viewer
