// RIGOR_ASSERT: checks invariants that only a bug in Rigor itself can violate. Active in every
// build without NDEBUG; never used to check user data.
#pragma once

#include <cstdio>
#include <cstdlib>

#ifdef NDEBUG
#define RIGOR_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#else
#define RIGOR_ASSERT(condition)                                                                  \
    ((condition)                                                                                 \
         ? static_cast<void>(0)                                                                  \
         : (std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition), \
            std::abort()))
#endif
