// A ledger for every island of bodies that have acted on each other.
//
// Bodies that never met share no energy: so each of them, or each group that did meet since the
// books were opened, has an account of its own that must come out even, and what a method makes up
// shows where it does so. Islands only grow. A group that came apart again stays one island:
// nothing could tell which of its parts lost what.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rigor/report.h"

namespace rigor {

class IslandBooks {
  public:
    struct Island {
        std::vector<std::uint32_t> bodies; ///< slots; empty: it was joined to another
        Ledger ledger;                     ///< `remainder` is not kept
    };

    bool are_open() const { return is_open_; }
    /// From now on, for bodies that are added.
    void open();
    void close();

    /// The account to book something on that happened to a body. None while the books are closed,
    /// and of what is not dynamic.
    Ledger* of(std::uint32_t body) {
        const std::uint32_t island = island_of(body);
        return island == kNone ? nullptr : &islands_[island].ledger;
    }
    /// They act on each other.
    void join(std::uint32_t a, std::uint32_t b);

    /// A dynamic one, that was given this kinetic energy.
    void add_body(std::uint32_t body, double kinetic);
    /// What its island went through stays with the others; the last one takes it along.
    void remove_body(std::uint32_t body);

    std::span<const Island> islands() const { return islands_; }
    std::size_t memory_bytes() const;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::uint32_t island_of(std::uint32_t body) const {
        return body < island_of_.size() ? island_of_[body] : kNone;
    }

  private:
    bool is_open_ = false;
    std::vector<Island> islands_;
    std::vector<std::uint32_t> island_of_; // by slot of the body
    std::vector<std::uint32_t> free_;      // islands without bodies
};

void add(Ledger& to, const Ledger& from);

} // namespace rigor
