// The queue of one client: messages in order, then the newest frames.
#pragma once

#include <deque>

#include "viewer/outbox.h"

namespace rigor::viewer {

/// A slow client skips frames but no messages. It has at most one set of frames in flight; when
/// that is sent, the newest set follows. Messages wait until has_overflowed(), when the client is
/// to be disconnected.
class SendQueue {
  public:
    struct Payload {
        std::shared_ptr<const std::string> text; ///< null: nothing to send
        bool binary = false;
    };

    explicit SendQueue(ClientId id) : id_(id) {}

    void subscribe(const Subscription& subscription);
    const Subscription& subscription() const { return subscription_; }

    void add(const OutgoingMessage& message);
    /// Adds a message of the simulation server if it is addressed to this client, or to all and
    /// this client has had one addressed to it: the reply to hello comes before broadcasts.
    void add_if_addressed(const OutgoingMessage& message);

    /// What to send next. `newest` may be null.
    Payload next(const FrameSet* newest);
    bool has_overflowed() const;

  private:
    void encode_frames(const FrameSet& frames);

    ClientId id_;
    Subscription subscription_;
    std::deque<OutgoingMessage> messages_;
    std::deque<std::shared_ptr<const std::string>> frames_; ///< encoded, of one frame set
    bool receives_broadcasts_ = false;
    std::uint64_t generation_ = 0;       ///< of the last scene message
    std::uint32_t base_sequence_ = 0;    ///< the frame set deltas are relative to; 0: none
    std::uint32_t encoded_sequence_ = 0; ///< the last frame set that was encoded
};

} // namespace rigor::viewer
