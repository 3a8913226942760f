// Half the surface area of a box, the cost of the surface area heuristic.
#pragma once

#include "broadphase/proxy.h"

namespace rigor {

inline float half_surface_area(const Aabbf& box) {
    const Vec3f d = box.hi - box.lo;
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

} // namespace rigor
