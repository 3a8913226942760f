// Dual numbers: forward automatic differentiation. With a + b e, e² = 0, a formula written for any
// scalar returns its value and its exact time derivative.
#pragma once

#include <cmath>
#include <concepts>

#include "math/trig.h"
#include "rigor/quat.h"

namespace rigor {

struct Dual {
    double value = 0, rate = 0;

    Dual() = default;
    constexpr Dual(double v, double r = 0) : value(v), rate(r) {} // numbers are constants
    constexpr Dual(std::same_as<float> auto v) : value(static_cast<double>(v)) {}

    friend constexpr Dual operator+(const Dual& a, const Dual& b) {
        return {a.value + b.value, a.rate + b.rate};
    }
    friend constexpr Dual operator-(const Dual& a, const Dual& b) {
        return {a.value - b.value, a.rate - b.rate};
    }
    friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.rate}; }
    friend constexpr Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, a.rate * b.value + a.value * b.rate};
    }
    friend constexpr Dual operator/(const Dual& a, const Dual& b) {
        const double q = a.value / b.value;
        return {q, (a.rate - q * b.rate) / b.value};
    }
    friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
    friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
};

inline Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, root > 0 ? a.rate / (2 * root) : 0};
}
inline Dual atan2(const Dual& y, const Dual& x) {
    return {atan2(y.value, x.value),
            (x.value * y.rate - y.value * x.rate) / (x.value * x.value + y.value * y.value)};
}
inline Dual max(const Dual& a, const Dual& b) {
    return a.value < b.value ? b : a;
}
inline Dual min(const Dual& a, const Dual& b) {
    return b.value < a.value ? b : a;
}
inline Dual select(bool condition, const Dual& a, const Dual& b) {
    return condition ? a : b;
}

using Vec3dual = Vec3<Dual>;
using Quatdual = Quat<Dual>;

constexpr Vec3dual moving(const Vec3d& value, const Vec3d& rate) {
    return {{value.x, rate.x}, {value.y, rate.y}, {value.z, rate.z}};
}
constexpr Vec3d rate_of(const Vec3dual& v) {
    return {v.x.rate, v.y.rate, v.z.rate};
}
constexpr Vec3d value_of(const Vec3dual& v) {
    return {v.x.value, v.y.value, v.z.value};
}

} // namespace rigor
