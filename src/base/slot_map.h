// SlotMap: values in one array with stable indices, accessed by ids with generations.
#pragma once

#include <utility>
#include <vector>

#include "base/id_pool.h"

namespace rigor {

/// For objects kept as a single record. Objects kept in several arrays use IdPool directly.
template <class T, class Tag>
class SlotMap {
  public:
    Id<Tag> insert(T value) {
        const Id<Tag> id = pool_.acquire();
        if (id.index == values_.size()) {
            values_.push_back(std::move(value));
        } else {
            values_[id.index] = std::move(value);
        }
        return id;
    }

    /// Resets the value, so that its memory is freed now and not at the next reuse.
    void erase(Id<Tag> id) {
        pool_.release(id);
        values_[id.index] = T{};
    }

    /// Null when the id is stale.
    T* find(Id<Tag> id) { return pool_.is_alive(id) ? &values_[id.index] : nullptr; }
    const T* find(Id<Tag> id) const { return pool_.is_alive(id) ? &values_[id.index] : nullptr; }

    /// By slot, which must be used.
    T& operator[](std::uint32_t slot) {
        RIGOR_ASSERT(!pool_.id_at(slot).is_null());
        return values_[slot];
    }
    const T& operator[](std::uint32_t slot) const {
        RIGOR_ASSERT(!pool_.id_at(slot).is_null());
        return values_[slot];
    }

    /// Calls f(id, value) for all live values, in the order of their indices.
    template <class F>
    void for_each(F&& f) const {
        for (std::uint32_t i = 0; i < pool_.slot_count(); ++i) {
            const Id<Tag> id = pool_.id_at(i);
            if (!id.is_null()) f(id, values_[i]);
        }
    }

    std::uint32_t size() const { return pool_.alive_count(); }
    const IdPool<Tag>& pool() const { return pool_; }
    std::size_t memory_bytes() const {
        return pool_.memory_bytes() + values_.capacity() * sizeof(T);
    }

  private:
    IdPool<Tag> pool_;
    std::vector<T> values_;
};

} // namespace rigor
