// Pose with a rotation matrix, for inner loops.
#pragma once

#include "rigor/mat.h"

namespace rigor {

template <class S>
struct Transform {
    Mat3<S> turn;
    Vec3<S> offset;

    Vec3<S> point(const Vec3<S>& local) const { return turn * local + offset; }
    Vec3<S> direction(const Vec3<S>& local) const { return turn * local; }
    Vec3<S> local_point(const Vec3<S>& p) const { return transpose_multiply(turn, p - offset); }
    Vec3<S> local_direction(const Vec3<S>& d) const { return transpose_multiply(turn, d); }
};

template <class S>
Transform<S> inverse(const Transform<S>& b_in_a) {
    return {transpose(b_in_a.turn), -transpose_multiply(b_in_a.turn, b_in_a.offset)};
}

} // namespace rigor
