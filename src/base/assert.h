// RIGOR_ASSERT: for what only a mistake in Rigor itself can break. Checked in every build
// but for NDEBUG ones; never used on a user's data.
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
