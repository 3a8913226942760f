// Binary messages: values are appended as they lie in memory, little-endian.
#pragma once

#include <bit>
#include <string>

#include "rigor/vec.h"

namespace rigor::viewer {

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

class ByteWriter {
  public:
    explicit ByteWriter(std::size_t capacity = 0) { text_.reserve(capacity); }
    template <class T>
    void put(const T& value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    /// As three floats.
    void put_float3(const Vec3d& v) { put(cast<float>(v)); }
    void put_bytes(const void* from, std::size_t count) {
        text_.append(static_cast<const char*>(from), count);
    }
    template <class T>
    void overwrite(std::size_t at, const T& value) {
        text_.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
    }
    std::size_t size() const { return text_.size(); }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

} // namespace rigor::viewer
