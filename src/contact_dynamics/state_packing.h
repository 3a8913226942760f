// The state of a body as 13 numbers in a row, for ODE integrators.
#pragma once

#include <algorithm>

#include "model/body_store.h"

namespace rigor::contact_dynamics {

inline constexpr std::size_t kStateSize = 13;

inline void pack(const BodyMotion& m, double* y) {
    const double numbers[kStateSize] = {m.x.x, m.x.y, m.x.z, m.q.w, m.q.x, m.q.y, m.q.z,
                                        m.p.x, m.p.y, m.p.z, m.l.x, m.l.y, m.l.z};
    std::copy(numbers, numbers + kStateSize, y);
}

inline BodyMotion unpack(const double* y) {
    return {{y[0], y[1], y[2]},
            normalize(Quatd{y[3], y[4], y[5], y[6]}),
            {y[7], y[8], y[9]},
            {y[10], y[11], y[12]}};
}

} // namespace rigor::contact_dynamics
