// Traversal stack of a tree, with inline storage.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace rigor {

/// Stores kInline entries without an allocation and any number with one: the depth of a tree is not
/// limited.
template <class T>
class TraversalStack {
  public:
    bool is_empty() const { return size_ == 0; }

    void push(const T& value) {
        if (size_ < kInline) {
            inline_[size_] = value;
        } else {
            spilled_.push_back(value);
        }
        ++size_;
    }

    /// Branchless: in a traversal, both outcomes are about equally likely.
    void push_if(bool yes, const T& value) {
        if (size_ < kInline) {
            inline_[size_] = value;
            size_ += yes ? 1 : 0;
        } else if (yes) {
            push(value);
        }
    }

    T pop() {
        if (--size_ < kInline) return inline_[size_];
        const T value = spilled_.back();
        spilled_.pop_back();
        return value;
    }

  private:
    static constexpr std::size_t kInline = 96;

    std::array<T, kInline> inline_;
    std::size_t size_ = 0;
    std::vector<T> spilled_;
};

} // namespace rigor
