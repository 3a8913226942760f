// Lane types: SIMD types with the operators of a scalar.
//
// Written with the compilers' vector extension, so the compiler chooses the register width: two
// pairs on SSE2, one register on AVX2. There are no fused and no approximate operations, so a lane
// gives the same bits as a scalar, on every machine.
#pragma once

#include <cstring>

namespace rigor {

class Lanes4d {
  public:
    static constexpr int kWidth = 4;

    Lanes4d() = default;
    Lanes4d(double all) : v_{all, all, all, all} {}

    static Lanes4d load(const double* from) {
        Lanes4d lanes;
        std::memcpy(&lanes.v_, from, sizeof lanes.v_);
        return lanes;
    }
    void store(double* to) const { std::memcpy(to, &v_, sizeof v_); }
    /// One by one, which gcc makes one instruction; of __builtin_convertvector it made six.
    static Lanes4d load(const float* from) {
        return Lanes4d(Vector{static_cast<double>(from[0]), static_cast<double>(from[1]),
                              static_cast<double>(from[2]), static_cast<double>(from[3])});
    }
    void store(float* to) const {
        const Floats floats = __builtin_convertvector(v_, Floats);
        std::memcpy(to, &floats, sizeof floats);
    }

    friend Lanes4d operator+(Lanes4d a, Lanes4d b) { return Lanes4d(a.v_ + b.v_); }
    friend Lanes4d operator-(Lanes4d a, Lanes4d b) { return Lanes4d(a.v_ - b.v_); }
    friend Lanes4d operator*(Lanes4d a, Lanes4d b) { return Lanes4d(a.v_ * b.v_); }
    friend Lanes4d operator/(Lanes4d a, Lanes4d b) { return Lanes4d(a.v_ / b.v_); }
    friend Lanes4d operator-(Lanes4d a) { return Lanes4d(-a.v_); }

  private:
    using Vector = double __attribute__((vector_size(32)));
    using Floats = float __attribute__((vector_size(16)));

    explicit Lanes4d(Vector v) : v_(v) {}

    Vector v_;
};

} // namespace rigor
