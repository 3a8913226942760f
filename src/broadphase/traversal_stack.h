// The stack of a descent.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace rigor {

/// Holds kInline entries without an allocation and any number with one: a tree may be as deep
/// as it likes.
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

    /// Without a branch to mispredict: in a descent, yes and no are about equally likely.
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
