// What the show has for the network: messages in order, and the newest picture.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "view/picture.h"

namespace rigor::view {

using ClientId = int;

struct Letter {
    enum class Kind {
        answer,
        scene, ///< from here on the client can make sense of pictures of this generation
        state, ///< a newer one replaces an older one that was not sent yet
        stats, ///< likewise
    };
    Kind kind = Kind::answer;
    std::optional<ClientId> to; ///< none: all
    std::shared_ptr<const std::string> text;
    std::uint64_t generation = 0; ///< of a scene
};

/// Nobody ever waits here longer than it takes to move a pointer. A message that was put before a
/// picture is taken before it, or with it.
class Mailbox {
  public:
    struct Content {
        std::vector<Letter> letters;
        std::shared_ptr<const Picture> picture; ///< none: no newer one
    };

    /// Called when there is something where there was nothing; from the thread that puts it.
    void on_mail(std::function<void()> notify) {
        const std::lock_guard lock(mutex_);
        notify_ = std::move(notify);
    }

    void put(Letter letter) {
        add([&] {
            const bool replaces =
                letter.kind == Letter::Kind::state || letter.kind == Letter::Kind::stats;
            if (replaces) {
                std::erase_if(content_.letters, [&](const Letter& old) {
                    return old.kind == letter.kind && old.to == letter.to;
                });
            }
            content_.letters.push_back(std::move(letter));
        });
    }
    void put(std::shared_ptr<const Picture> picture) {
        add([&] { content_.picture = std::move(picture); });
    }
    Content take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(content_, {});
    }

  private:
    template <class Add>
    void add(const Add& add) {
        const std::lock_guard lock(mutex_);
        const bool was_empty = content_.letters.empty() && !content_.picture;
        add();
        if (was_empty && notify_) notify_();
    }

    std::mutex mutex_;
    Content content_;
    std::function<void()> notify_;
};

} // namespace rigor::view
