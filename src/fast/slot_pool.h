// Items in numbered slots, of which some are free.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rigor::fast {

/// The place of a T in its pool.
template <class T>
class PoolSlot {
  public:
    constexpr PoolSlot() = default;
    explicit constexpr PoolSlot(std::uint32_t value) : value_(value) {}
    constexpr std::uint32_t value() const { return value_; }

  private:
    std::uint32_t value_ = 0;
};

/// Room for one more item. Grows by an eighth and not by a factor of two: there are many of them.
template <class T>
void grow(std::vector<T>& items) {
    if (items.size() == items.capacity()) items.reserve(items.size() + items.size() / 8 + 64);
}

template <class T>
struct SlotPool {
    using Slot = PoolSlot<T>;

    std::vector<T> items;
    std::vector<Slot> free;

    Slot add(T item) {
        if (free.empty()) {
            grow(items);
            items.push_back(std::move(item));
            return Slot(static_cast<std::uint32_t>(items.size() - 1));
        }
        const Slot slot = free.back();
        free.pop_back();
        items[slot.value()] = std::move(item);
        return slot;
    }
    void remove(Slot slot) {
        items[slot.value()] = {};
        free.push_back(slot);
    }
    T& operator[](Slot slot) { return items[slot.value()]; }
    const T& operator[](Slot slot) const { return items[slot.value()]; }

    std::size_t memory_bytes() const {
        return items.capacity() * sizeof(T) + free.capacity() * sizeof(Slot);
    }
};

} // namespace rigor::fast
