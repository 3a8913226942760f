// ShapeStore: the shapes of a world.
#pragma once

#include "base/slot_map.h"
#include "geometry/shape.h"
#include "rigor/material.h"

namespace rigor {

struct ShapeRecord {
    BodyId body;
    std::uint32_t next = UINT32_MAX; ///< slot of the body's next shape
    Posed local;                     ///< in the body's frame
    Shape<double> geometry;          ///< large ones are shared between copies of the world
    Material material;
    bool sensor = false;
    bool one_sided = false; ///< an open mesh that holds from its front only
};

using ShapeStore = SlotMap<ShapeRecord, ShapeTag>;

} // namespace rigor
