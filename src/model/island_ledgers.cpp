#include "model/island_ledgers.h"

#include <algorithm>

#include "math/double_double.h"

namespace rigor {

namespace {

constexpr double Ledger::*kEntries[] = {
    &Ledger::gravity, &Ledger::forces, &Ledger::contact_normal, &Ledger::contact_friction,
    &Ledger::impact,  &Ledger::joints, &Ledger::damping,        &Ledger::edits};

} // namespace

void add(Ledger& to, const Ledger& from) {
    for (const auto entry : kEntries) to.*entry += from.*entry;
}

void add(LedgerSum& to, const Ledger& from) {
    for (const auto entry : kEntries) {
        const DoubleDouble sum = two_sum(to.*entry, from.*entry);
        to.*entry = sum.hi;
        to.lost.*entry += sum.lo;
    }
}

Ledger closed(const LedgerSum& sum, double kinetic) {
    Ledger ledger;
    DoubleDouble remainder{kinetic, 0};
    for (const auto entry : kEntries) {
        const DoubleDouble total = two_sum(sum.*entry, sum.lost.*entry);
        ledger.*entry = total.hi;
        remainder = remainder + -total;
    }
    ledger.remainder = remainder.hi;
    return ledger;
}

void IslandLedgers::start() {
    stop();
    are_kept_ = true;
}

void IslandLedgers::stop() {
    *this = {};
}

void IslandLedgers::add_body(std::uint32_t body, double kinetic) {
    if (!are_kept_) return;
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(islands_.size()));
        islands_.emplace_back();
    }
    if (body >= island_of_.size()) island_of_.resize(body + 1, kNone);
    island_of_[body] = free_.back();
    islands_[free_.back()] = {{body}, {}};
    islands_[free_.back()].ledger.edits = kinetic;
    free_.pop_back();
}

void IslandLedgers::remove_body(std::uint32_t body) {
    const std::uint32_t island = island_of(body);
    if (island == kNone) return;
    island_of_[body] = kNone;
    std::vector<std::uint32_t>& bodies = islands_[island].bodies;
    bodies.erase(std::find(bodies.begin(), bodies.end(), body));
    if (bodies.empty()) free_.push_back(island);
}

std::size_t IslandLedgers::memory_bytes() const {
    std::size_t bytes = islands_.capacity() * sizeof(Island) +
                        (island_of_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
    for (const Island& island : islands_) bytes += island.bodies.capacity() * sizeof(std::uint32_t);
    return bytes;
}

/// Union by size: the smaller island is merged, so a body moves at most log2(n) times.
void IslandLedgers::join(std::uint32_t a, std::uint32_t b) {
    std::uint32_t to = island_of(a), from = island_of(b);
    if (to == kNone || from == kNone || to == from) return;
    if (islands_[to].bodies.size() < islands_[from].bodies.size()) std::swap(to, from);
    Island& bigger = islands_[to];
    const Island& smaller = islands_[from];
    for (const std::uint32_t body : smaller.bodies) island_of_[body] = to;
    bigger.bodies.insert(bigger.bodies.end(), smaller.bodies.begin(), smaller.bodies.end());
    add(bigger.ledger, smaller.ledger);
    add(bigger.ledger.lost, smaller.ledger.lost);
    islands_[from] = {};
    free_.push_back(from);
}

} // namespace rigor
