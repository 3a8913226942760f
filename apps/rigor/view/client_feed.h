// What one client is to be sent next: messages first, then the newest picture.
#pragma once

#include <deque>

#include "view/mailbox.h"
#include "view/message.h"

namespace rigor::view {

/// However slow a client is, it has at most one picture under way: the next it gets is the newest
/// there is then. Messages wait for it, but not for ever: is_overfull() says when to give up.
class ClientFeed {
  public:
    struct Out {
        std::shared_ptr<const std::string> text; ///< none: nothing to send
        bool binary = false;
    };

    void see(const See& see);
    const See& seen() const { return seen_; }

    /// A message to this client, whatever it knows.
    void add(const Letter& letter);
    /// A message of the show: it is for this client if it is addressed to it, or to all and the
    /// client was told of the show before.
    void offer(const Letter& letter);
    /// The address by which the show knows it.
    void set_id(ClientId id) { id_ = id; }

    Out next(const Picture* newest);
    bool is_overfull() const;

  private:
    void cut_up(const Picture& picture);

    ClientId id_ = 0;
    See seen_;
    std::deque<Letter> letters_;
    std::deque<std::shared_ptr<const std::string>> frames_;
    bool joined_ = false;
    std::uint64_t generation_ = 0; ///< of the scene it was told
    std::uint32_t shown_ = 0;      ///< the picture it was last sent; 0: none
    std::uint32_t looked_at_ = 0;  ///< the last that was considered
};

} // namespace rigor::view
