// Energy ledger of every island; that of the world is WorldState::ledger.
//
// Bodies that never interacted share no energy. Each of them, or each group that interacted since
// the ledgers were started, has a ledger of its own that must balance, so that energy created by a
// method is localized. Islands only grow. A group that separated again stays one island: its energy
// could not be attributed to single bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rigor/report.h"

namespace rigor {

/// A ledger over many steps. What a sum of many rounds off is kept apart, and belongs to the sum
/// [Neumaier 1974]: a remainder is a small difference of large entries.
struct LedgerSum : Ledger {
    Ledger lost = {};
};

void add(LedgerSum& to, const Ledger& from);
/// With what was lost, and with the remainder of this kinetic energy.
Ledger closed(const LedgerSum& sum, double kinetic);

class IslandLedgers {
  public:
    struct Island {
        std::vector<std::uint32_t> bodies; ///< slots; empty: it was merged into another
        LedgerSum ledger;                  ///< `remainder` is not kept
    };

    bool are_kept() const { return are_kept_; }
    /// Starts empty ledgers, for bodies that are added from now on.
    void start();
    void stop();

    /// The ledger in which the work on a body is recorded. Null while ledgers are not kept, and for
    /// bodies that are not dynamic.
    LedgerSum* of(std::uint32_t body) {
        const std::uint32_t island = island_of(body);
        return island == kNone ? nullptr : &islands_[island].ledger;
    }
    /// Merges the islands of two bodies that interact.
    void join(std::uint32_t a, std::uint32_t b);

    /// Adds a dynamic body that was given this kinetic energy.
    void add_body(std::uint32_t body, double kinetic);
    /// The ledger stays with the other bodies of the island; the last body removes it.
    void remove_body(std::uint32_t body);

    std::span<const Island> islands() const { return islands_; }
    std::size_t memory_bytes() const;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::uint32_t island_of(std::uint32_t body) const {
        return body < island_of_.size() ? island_of_[body] : kNone;
    }

  private:
    bool are_kept_ = false;
    std::vector<Island> islands_;
    std::vector<std::uint32_t> island_of_; // by slot of the body
    std::vector<std::uint32_t> free_;      // islands without bodies
};

void add(Ledger& to, const Ledger& from);

} // namespace rigor
