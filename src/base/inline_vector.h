// InlineVector: a vector with inline storage for N elements, for scratch data that is nearly always
// small.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace rigor {

/// For trivially copyable values. Allocates only beyond N elements, when all move to the heap.
template <class T, std::size_t N>
class InlineVector {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // The inline elements are not initialized: clearing them would cost more than most uses.
    InlineVector() {}
    InlineVector(const InlineVector& other) { assign(other); }
    InlineVector& operator=(const InlineVector& other) {
        if (this != &other) assign(other);
        return *this;
    }
    ~InlineVector() = default;

    std::size_t size() const { return size_; }
    bool is_empty() const { return size_ == 0; }
    void clear() { size_ = 0; }

    T* data() { return heap_.empty() ? inline_.data() : heap_.data(); }
    const T* data() const { return heap_.empty() ? inline_.data() : heap_.data(); }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& back() { return data()[size_ - 1]; }

    void push_back(const T& value) {
        if (size_ == capacity()) grow();
        data()[size_++] = value;
    }
    void pop_back() { --size_; }

  private:
    std::size_t capacity() const { return heap_.empty() ? N : heap_.size(); }

    void grow() {
        std::vector<T> larger(2 * capacity());
        std::copy(begin(), end(), larger.begin());
        heap_ = std::move(larger);
    }

    void assign(const InlineVector& other) {
        clear();
        for (const T& value : other) push_back(value);
    }

    union {
        std::array<T, N> inline_;
    };
    std::vector<T> heap_; // empty while the elements are inline
    std::size_t size_ = 0;
};

} // namespace rigor
