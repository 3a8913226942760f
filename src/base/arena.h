// Scratch memory for the length of a step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace rigor {

/// Hands out memory by moving a pointer and takes all of it back at once. Blocks are kept
/// across reset(), so a step that needs no more than the last one allocates nothing.
class Arena {
  public:
    explicit Arena(std::size_t block_size = 64 * 1024) : block_size_(block_size) {}

    /// n default-constructed values, valid until reset(). T is never destroyed.
    template <class T>
    std::span<T> make(std::size_t n) {
        static_assert(std::is_trivially_destructible_v<T>);
        T* first = static_cast<T*>(allocate(n * sizeof(T), alignof(T)));
        for (std::size_t i = 0; i < n; ++i) ::new (first + i) T();
        return {first, n};
    }

    /// All memory handed out so far is free again. When it took several blocks, they are
    /// replaced by one that holds as much.
    void reset() {
        if (blocks_.size() > 1) {
            std::size_t total = 0;
            for (const Block& block : blocks_) total += block.size;
            blocks_.clear();
            add_block(total);
        }
        used_ = 0;
    }

    std::size_t memory_bytes() const {
        std::size_t total = 0;
        for (const Block& block : blocks_) total += block.size;
        return total;
    }

  private:
    struct Block {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t size;
    };

    void add_block(std::size_t size) {
        blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
        used_ = 0;
    }

    void* allocate(std::size_t size, std::size_t alignment) {
        for (;;) {
            if (!blocks_.empty()) {
                Block& block = blocks_.back();
                void* p = block.bytes.get() + used_;
                std::size_t room = block.size - used_;
                if (std::align(alignment, size, p, room)) {
                    used_ = block.size - room + size;
                    return p;
                }
            }
            add_block(std::max(block_size_, size + alignment));
        }
    }

    std::size_t block_size_;
    std::vector<Block> blocks_;
    std::size_t used_ = 0; // of the last block
};

} // namespace rigor
