// Three-component vectors.
#pragma once

#include <algorithm>
#include <cmath>

namespace rigor {

template <class S>
struct Vec3 {
    S x{}, y{}, z{};

    constexpr S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    constexpr Vec3& operator+=(const Vec3& v) { return *this = *this + v; }
    constexpr Vec3& operator-=(const Vec3& v) { return *this = *this - v; }
    constexpr Vec3& operator*=(S s) { return *this = *this * s; }

    friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3 operator-(const Vec3& v) { return {-v.x, -v.y, -v.z}; }
    friend constexpr Vec3 operator*(const Vec3& v, S s) { return {v.x * s, v.y * s, v.z * s}; }
    friend constexpr Vec3 operator*(S s, const Vec3& v) { return v * s; }
    friend constexpr Vec3 operator/(const Vec3& v, S s) { return {v.x / s, v.y / s, v.z / s}; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class To, class From>
constexpr Vec3<To> cast(const Vec3<From>& v) {
    return {static_cast<To>(v.x), static_cast<To>(v.y), static_cast<To>(v.z)};
}

template <class S>
constexpr S dot(const Vec3<S>& a, const Vec3<S>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
constexpr Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class S>
constexpr S length_squared(const Vec3<S>& v) {
    return dot(v, v);
}

template <class S>
S length(const Vec3<S>& v) {
    return std::sqrt(dot(v, v));
}

/// The unit vector along v; the zero vector stays zero. Components whose squares would
/// overflow or underflow are scaled first, so every finite v has a direction.
template <class S>
Vec3<S> normalize(const Vec3<S>& v) {
    const S largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > S(0))) return {};
    if (largest > S(1e15) || largest < S(1e-15)) {
        const Vec3<S> scaled = v / largest;
        return scaled / length(scaled);
    }
    return v / length(v);
}

/// Component by component.
template <class S>
constexpr Vec3<S> multiply(const Vec3<S>& a, const Vec3<S>& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class S>
constexpr Vec3<S> min(const Vec3<S>& a, const Vec3<S>& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

template <class S>
constexpr Vec3<S> max(const Vec3<S>& a, const Vec3<S>& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

template <class S>
Vec3<S> abs(const Vec3<S>& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

template <class S>
constexpr S max_component(const Vec3<S>& v) {
    return std::max({v.x, v.y, v.z});
}

template <class S>
bool is_finite(const Vec3<S>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Some unit vector perpendicular to the unit vector v; continuous except where v.z changes
/// its sign.
/// [Duff 2017]
template <class S>
Vec3<S> perpendicular(const Vec3<S>& v) {
    const S sign = std::copysign(S(1), v.z);
    const S a = S(-1) / (sign + v.z);
    return {S(1) + sign * v.x * v.x * a, sign * v.x * v.y * a, -sign * v.x};
}

} // namespace rigor
