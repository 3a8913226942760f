// Triangles of a surface as a query of two surfaces needs them, computed once per query: each is in
// many pairs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/triangle.h"

namespace rigor {

/// A triangle in the frame of the query.
template <class S>
struct PreparedTriangle {
    Triangle<S> triangle;
    Vec3<S> area; ///< vector
    S squared_area{};

    /// The rest is set when it is first needed, for triangles that are near the plane of another.
    bool is_complete = false;
    bool is_degenerate = false;
    std::uint8_t named_corners = 0; ///< as bits: of these vertices the triangle is the first
    std::uint8_t named_edges = 0;   ///< likewise, of edges that may touch an edge
    Vec3<S> normal;                 ///< outward; of a sheet toward the other surface
    std::array<Vec3<S>, 3> out;     ///< of each edge: in the plane, not a unit
    std::array<S, 3> out_squared{};
};

/// Those of one surface, by number.
template <class S>
class PreparedTriangles {
  public:
    /// Forgets all.
    void reset(std::size_t triangle_count) {
        prepared_.clear();
        if (places_.size() < triangle_count) places_.resize(triangle_count);
        if (++query_ == 0) { // numbers of queries are used up
            places_.assign(places_.size(), {});
            query_ = 1;
        }
    }

    /// Its place in the list; make(t) gives its corners when it is asked for first.
    template <class Make>
    std::uint32_t place_of(std::uint32_t t, const Make& make) {
        Place& place = places_[t];
        if (place.query != query_) {
            place = {query_, static_cast<std::uint32_t>(prepared_.size())};
            PreparedTriangle<S>& added = prepared_.emplace_back();
            added.triangle = make(t);
            added.area = area_vector(added.triangle);
            added.squared_area = length_squared(added.area);
        }
        return place.at;
    }

    PreparedTriangle<S>& operator[](std::uint32_t place) { return prepared_[place]; }

  private:
    struct Place {
        std::uint32_t query = 0; ///< that it is of
        std::uint32_t at = 0;
    };
    std::vector<Place> places_; ///< by triangle
    std::vector<PreparedTriangle<S>> prepared_;
    std::uint32_t query_ = 0;
};

} // namespace rigor
