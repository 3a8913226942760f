// Float lanes: SIMD types of 1, 4 or 8 floats with the operators of a float.
//
// Written with the compilers' vector extension. There are no fused and no approximate operations,
// so a lane gives the same bits as a plain float, for any width and machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#define RIGOR_INLINE [[gnu::always_inline]] inline

namespace rigor {

// Spelled out: gcc ignores a vector size that depends on a template parameter.
template <int W>
struct FloatVector;
template <>
struct FloatVector<4> {
    using Type = float __attribute__((vector_size(16)));
    using Mask = std::int32_t __attribute__((vector_size(16)));
};
template <>
struct FloatVector<8> {
    using Type = float __attribute__((vector_size(32)));
    using Mask = std::int32_t __attribute__((vector_size(32)));
};

template <int W>
class Lanes {
  public:
    static constexpr int kWidth = W;
    using Vector = typename FloatVector<W>::Type;
    using Mask = typename FloatVector<W>::Mask;

    RIGOR_INLINE Lanes() = default;
    RIGOR_INLINE Lanes(float all) : v(Vector{} + all) {}
    RIGOR_INLINE explicit Lanes(Vector vector) : v(vector) {}

    RIGOR_INLINE static Lanes load(const float* from) {
        Lanes lanes;
        std::memcpy(&lanes.v, from, sizeof lanes.v);
        return lanes;
    }
    RIGOR_INLINE void store(float* to) const { std::memcpy(to, &v, sizeof v); }

    RIGOR_INLINE friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
    RIGOR_INLINE friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
    RIGOR_INLINE friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
    RIGOR_INLINE friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
    RIGOR_INLINE friend Lanes operator-(Lanes a) { return Lanes(-a.v); }
    RIGOR_INLINE friend Mask operator>(Lanes a, Lanes b) { return a.v > b.v; }
    RIGOR_INLINE friend Lanes select(Mask mask, Lanes yes, Lanes no) {
        return Lanes(mask ? yes.v : no.v);
    }
    RIGOR_INLINE friend Lanes max(Lanes a, Lanes b) { return select(a > b, a, b); }
    RIGOR_INLINE friend Lanes min(Lanes a, Lanes b) { return select(a > b, b, a); }
    RIGOR_INLINE friend Lanes sqrt(Lanes a) {
        Lanes root;
        for (int i = 0; i < W; ++i) root.v[i] = __builtin_sqrtf(a.v[i]);
        return root;
    }

    Vector v;
};

/// The scalar reference: one float.
template <>
class Lanes<1> {
  public:
    static constexpr int kWidth = 1;
    using Mask = bool;

    RIGOR_INLINE Lanes() = default;
    RIGOR_INLINE Lanes(float value) : v(value) {}

    RIGOR_INLINE static Lanes load(const float* from) { return *from; }
    RIGOR_INLINE void store(float* to) const { *to = v; }

    RIGOR_INLINE friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
    RIGOR_INLINE friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
    RIGOR_INLINE friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
    RIGOR_INLINE friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
    RIGOR_INLINE friend Lanes operator-(Lanes a) { return -a.v; }
    RIGOR_INLINE friend bool operator>(Lanes a, Lanes b) { return a.v > b.v; }
    RIGOR_INLINE friend Lanes select(bool mask, Lanes yes, Lanes no) { return mask ? yes : no; }
    RIGOR_INLINE friend Lanes max(Lanes a, Lanes b) { return a.v > b.v ? a : b; }
    RIGOR_INLINE friend Lanes min(Lanes a, Lanes b) { return a.v > b.v ? b : a; }
    RIGOR_INLINE friend Lanes sqrt(Lanes a) { return __builtin_sqrtf(a.v); }

    float v;
};

/// Transposes rows of eight floats, one per lane, into eight lanes; and back.
template <int W>
struct RowTranspose;

template <>
struct RowTranspose<1> {
    RIGOR_INLINE static void load(const float* const* rows, Lanes<1>* out) {
        for (int i = 0; i < 8; ++i) out[i] = rows[0][i];
    }
    RIGOR_INLINE static void store(const Lanes<1>* in, float* const* rows) {
        for (int i = 0; i < 8; ++i) rows[0][i] = in[i].v;
    }
};

template <>
struct RowTranspose<4> {
    using V = Lanes<4>::Vector;

    RIGOR_INLINE static void turn(V& a, V& b, V& c, V& d) {
        const V t0 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        const V t1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        const V t2 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        const V t3 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        a = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
        b = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
        c = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
        d = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
    }
    RIGOR_INLINE static void load(const float* const* rows, Lanes<4>* out) {
        for (int half = 0; half < 2; ++half) {
            Lanes<4>* o = out + 4 * half;
            for (int i = 0; i < 4; ++i) o[i] = Lanes<4>::load(rows[i] + 4 * half);
            turn(o[0].v, o[1].v, o[2].v, o[3].v);
        }
    }
    RIGOR_INLINE static void store(const Lanes<4>* in, float* const* rows) {
        for (int half = 0; half < 2; ++half) {
            V a = in[4 * half].v, b = in[4 * half + 1].v, c = in[4 * half + 2].v,
              d = in[4 * half + 3].v;
            turn(a, b, c, d);
            Lanes<4>(a).store(rows[0] + 4 * half);
            Lanes<4>(b).store(rows[1] + 4 * half);
            Lanes<4>(c).store(rows[2] + 4 * half);
            Lanes<4>(d).store(rows[3] + 4 * half);
        }
    }
};

template <>
struct RowTranspose<8> {
    using V = Lanes<8>::Vector;

    RIGOR_INLINE static V low(V a, V b) {
        return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    }
    RIGOR_INLINE static V high(V a, V b) {
        return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    RIGOR_INLINE static V even(V a, V b) {
        return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    }
    RIGOR_INLINE static V odd(V a, V b) {
        return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    RIGOR_INLINE static V first(V a, V b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    }
    RIGOR_INLINE static V second(V a, V b) {
        return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
    RIGOR_INLINE static void turn(const V* r, V* out) {
        const V a0 = low(r[0], r[1]), a1 = high(r[0], r[1]), a2 = low(r[2], r[3]),
                a3 = high(r[2], r[3]), a4 = low(r[4], r[5]), a5 = high(r[4], r[5]),
                a6 = low(r[6], r[7]), a7 = high(r[6], r[7]);
        const V b0 = even(a0, a2), b1 = odd(a0, a2), b2 = even(a1, a3), b3 = odd(a1, a3);
        const V b4 = even(a4, a6), b5 = odd(a4, a6), b6 = even(a5, a7), b7 = odd(a5, a7);
        out[0] = first(b0, b4);
        out[1] = first(b1, b5);
        out[2] = first(b2, b6);
        out[3] = first(b3, b7);
        out[4] = second(b0, b4);
        out[5] = second(b1, b5);
        out[6] = second(b2, b6);
        out[7] = second(b3, b7);
    }
    RIGOR_INLINE static void load(const float* const* rows, Lanes<8>* out) {
        V in[8], turned[8];
        for (int i = 0; i < 8; ++i) in[i] = Lanes<8>::load(rows[i]).v;
        turn(in, turned);
        for (int i = 0; i < 8; ++i) out[i].v = turned[i];
    }
    RIGOR_INLINE static void store(const Lanes<8>* in, float* const* rows) {
        V from[8], turned[8];
        for (int i = 0; i < 8; ++i) from[i] = in[i].v;
        turn(from, turned);
        for (int i = 0; i < 8; ++i) Lanes<8>(turned[i]).store(rows[i]);
    }
};

} // namespace rigor
