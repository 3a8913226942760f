// The lane counts that kernels are compiled for, and how.
//
// RIGOR_FOR_EACH_WIDTH(M) expands M(W, ATTRIBUTES) for every lane count W. AVX2 is a property of
// the kernels of eight lanes alone. `flatten` inlines all that a kernel calls, so that it is
// compiled for AVX2 too, and nothing that is shared with the rest of the program is.
#pragma once

// Without optimization nothing is inlined: a kernel compiled for AVX2 would hand vectors to
// functions that are not, in registers that these do not know. So it is compiled without.
#if defined(__x86_64__) && defined(__OPTIMIZE__)
#define RIGOR_WIDE_KERNEL [[gnu::target("avx2")]] [[gnu::flatten]]
#else
#define RIGOR_WIDE_KERNEL [[gnu::flatten]]
#endif

#define RIGOR_FOR_EACH_WIDTH(M) \
    M(1, [[gnu::flatten]])      \
    M(4, [[gnu::flatten]])      \
    M(8, RIGOR_WIDE_KERNEL)
