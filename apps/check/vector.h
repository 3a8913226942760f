// Vectors, 3x3 matrices, quaternions and screws, no more than the laws need.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace check {

struct Vec {
    double x = 0, y = 0, z = 0;

    double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
    friend Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
    Vec& operator+=(Vec b) { return *this = *this + b; }
    friend double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    friend double length(Vec a) { return std::sqrt(dot(a, a)); }
    friend Vec unit(Vec a) { return length(a) > 0 ? a * (1 / length(a)) : Vec{0, 0, 1}; }
    friend Vec cross(Vec a, Vec b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
    /// The part of a across the unit vector n.
    friend Vec across(Vec a, Vec n) { return a - n * dot(a, n); }
};

struct Mat {
    Vec row[3];

    friend Vec operator*(const Mat& m, Vec v) {
        return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
    }
    friend Mat transpose(const Mat& m) {
        return {{{m.row[0].x, m.row[1].x, m.row[2].x},
                 {m.row[0].y, m.row[1].y, m.row[2].y},
                 {m.row[0].z, m.row[1].z, m.row[2].z}}};
    }
    friend Mat operator*(const Mat& a, const Mat& b) {
        const Mat t = transpose(b);
        return {{t * a.row[0], t * a.row[1], t * a.row[2]}};
    }
    friend Mat inverse(const Mat& m) {
        const Vec a = cross(m.row[1], m.row[2]), b = cross(m.row[2], m.row[0]);
        const double d = 1 / dot(m.row[0], a);
        return transpose(Mat{{a * d, b * d, cross(m.row[0], m.row[1]) * d}});
    }
};

struct Quat {
    double w = 1, x = 0, y = 0, z = 0;

    Vec v() const { return {x, y, z}; }
    friend Quat operator*(Quat a, double s) { return {a.w * s, a.x * s, a.y * s, a.z * s}; }
    friend Quat operator+(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Quat operator-(Quat a, Quat b) { return a + b * -1; }
    friend Quat operator*(Quat a, Quat b) {
        const Vec v = b.v() * a.w + a.v() * b.w + cross(a.v(), b.v());
        return {a.w * b.w - dot(a.v(), b.v()), v.x, v.y, v.z};
    }
    friend double length(Quat q) { return std::sqrt(q.w * q.w + dot(q.v(), q.v())); }
    friend Quat unit(Quat q) { return q * (1 / length(q)); }
    friend Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
    /// q' of a body that turns at this rate, in the axes of the world.
    friend Quat rate(Quat q, Vec turn) { return Quat{0, turn.x, turn.y, turn.z} * q * 0.5; }
    friend Vec rotate(Quat q, Vec v) { return v + cross(q.v(), v * q.w + cross(q.v(), v)) * 2; }
    friend Mat matrix(Quat q) {
        return transpose(Mat{{rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})}});
    }
    /// Of two orientations, q and -q being the same.
    friend double difference(Quat a, Quat b) { return std::min(length(a - b), length(a + b)); }
};

/// The lengths of the two parts of a screw, or scales for them.
struct Sizes {
    double lin = 0, ang = 0;

    friend Sizes operator+(Sizes a, Sizes b) { return {a.lin + b.lin, a.ang + b.ang}; }
    friend Sizes operator*(Sizes a, double s) { return {a.lin * s, a.ang * s}; }
    friend Sizes larger(Sizes a, Sizes b) {
        return {std::max(a.lin, b.lin), std::max(a.ang, b.ang)};
    }
};

/// A linear and an angular part: velocity and angular velocity, force and torque, two momenta.
struct Screw {
    Vec lin, ang;

    friend Screw operator+(const Screw& a, const Screw& b) {
        return {a.lin + b.lin, a.ang + b.ang};
    }
    friend Screw operator-(const Screw& a, const Screw& b) {
        return {a.lin - b.lin, a.ang - b.ang};
    }
    friend Screw operator*(const Screw& a, double s) { return {a.lin * s, a.ang * s}; }
    /// The power of a force and torque.
    friend double dot(const Screw& a, const Screw& b) {
        return dot(a.lin, b.lin) + dot(a.ang, b.ang);
    }
    friend Sizes sizes(const Screw& a) { return {length(a.lin), length(a.ang)}; }
    friend double length(const Screw& a) { return length(a.lin) + length(a.ang); }
};

} // namespace check
