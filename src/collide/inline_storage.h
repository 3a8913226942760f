// Uninitialized array with inline storage, for a number of elements that is nearly always small.
#pragma once

#include "base/inline_vector.h"

namespace rigor {

/// The elements are not initialized. Inner loops are faster on a plain array than on a vector,
/// which loads its data pointer at each access.
template <class T, std::size_t N>
T* array_for(std::size_t count, InlineVector<T, N>& storage) {
    while (count > N && storage.size() < count) storage.push_back(T{});
    return storage.data();
}

} // namespace rigor
