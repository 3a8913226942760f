// Query filter, and tie-breaking margin: common to all queries.
#pragma once

#include "model/shape_proxies.h"
#include "rigor/query.h"

namespace rigor {

using PlacedShape = ShapeProxy;

class QueryScope {
  public:
    QueryScope(const ShapeProxies& shapes, const QueryFilter& filter)
        : shapes_(shapes), filter_(filter) {}

    const ShapeProxies& shapes() const { return shapes_; }
    std::uint32_t mask() const { return filter_.mask; }

    /// The cheap part of the filter, without `mask`.
    bool admits(const PlacedShape& s) const {
        return (s.filter.mask & filter_.group) != 0 && (!s.sensor || filter_.include_sensors) &&
               s.body != filter_.ignored;
    }
    /// The caller's own filter: tested last.
    bool accepts(const PlacedShape& s) const {
        return !filter_.accept || filter_.accept(s.body, s.id);
    }

  private:
    const ShapeProxies& shapes_;
    const QueryFilter& filter_;
};

inline ShapeHit shape_hit(const PlacedShape& s) {
    return {s.body, s.id};
}

/// Boxes are searched a little beyond the best result so far, by far more than all rounding. So
/// every shape that could be as near is tested, and ties are decided by the exact results alone,
/// independent of the boxes and their order.
inline double add_tie_margin(double distance, double largest_coordinate) {
    return distance + 1e-9 * (distance + largest_coordinate);
}

/// The box of a shape, enlarged for the same reason.
inline Aabb<double> add_tie_margin(const Aabb<double>& box) {
    const double size = std::max(max_component(abs(box.lo)), max_component(abs(box.hi)));
    return size < Aabb<double>::kInfinity ? expand(box, add_tie_margin(0, size)) : box;
}

} // namespace rigor
