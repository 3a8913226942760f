// Functions compiled twice, with and without AVX2, of which the loader selects one.
#pragma once

// One binary serves every machine. Both versions do the same operations, so they give the same
// bits. Everything called is inlined, as only inlined code is compiled for AVX2; where that is not
// certain (without optimization, or by clang, whose `flatten` is not recursive) there is one
// version only. (The thread sanitizer starts too late for the loader's choice.)
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define RIGOR_AVX2_CLONES __attribute__((target_clones("avx2", "default"), flatten))
#else
#define RIGOR_AVX2_CLONES
#endif
