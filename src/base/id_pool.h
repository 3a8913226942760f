// Pool of ids with generations, which recognizes stale ids.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "rigor/ids.h"

namespace rigor {

/// The slots of a store. The owner keeps the data of a slot in any number of parallel arrays,
/// indexed by `id.index`.
///
/// A slot's generation is odd while it is used and even while it is free, so liveness is one
/// comparison. The last freed slot is reused first, and a new one is added only when none is free:
/// the same calls give the same ids. A slot whose generation would wrap is retired.
template <class Tag>
class IdPool {
  public:
    Id<Tag> acquire() {
        std::uint32_t index;
        if (free_.empty()) {
            index = static_cast<std::uint32_t>(generations_.size());
            generations_.push_back(0);
        } else {
            index = free_.back();
            free_.pop_back();
        }
        ++alive_count_;
        return {index, ++generations_[index]};
    }

    void release(Id<Tag> id) {
        RIGOR_ASSERT(is_alive(id));
        --alive_count_;
        if (++generations_[id.index] != 0) free_.push_back(id.index);
    }

    bool is_alive(Id<Tag> id) const {
        return id.index < generations_.size() && generations_[id.index] == id.generation &&
               (id.generation & 1u) != 0;
    }

    /// The current id of a slot; null when the slot is free.
    Id<Tag> id_at(std::uint32_t index) const {
        return (generations_[index] & 1u) != 0 ? Id<Tag>{index, generations_[index]} : Id<Tag>{};
    }

    /// Slots ever added: one past the largest index.
    std::uint32_t slot_count() const { return static_cast<std::uint32_t>(generations_.size()); }
    std::uint32_t alive_count() const { return alive_count_; }

    /// Hashes the generation of every slot and the free list, since they determine the next ids.
    const std::vector<std::uint32_t>& generations() const { return generations_; }
    const std::vector<std::uint32_t>& free_list() const { return free_; }

    std::size_t memory_bytes() const {
        return (generations_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    std::vector<std::uint32_t> generations_;
    std::vector<std::uint32_t> free_;
    std::uint32_t alive_count_ = 0;
};

} // namespace rigor
