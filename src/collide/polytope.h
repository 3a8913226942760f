// Polytope of EPA: triangles with adjacency, in fixed storage.
#pragma once

#include <array>
#include <cstdint>

#include "collide/epa.h"

namespace rigor {

template <class S>
class Polytope {
  public:
    static constexpr int kMaxVertices = kMaxEpaVertices;
    static constexpr int kMaxFaces = 2 * kMaxVertices; // Euler: 2 V - 4, and some while growing
    static constexpr std::uint16_t kNone = 0xffff;

    /// Counterclockwise from outside; neighbor i lies across the edge from vertex i to i + 1.
    struct Face {
        std::array<std::uint16_t, 3> vertex{};
        std::array<std::uint16_t, 3> neighbor{};
        Vec3<S> normal;
        S distance{}; ///< of its plane from the origin
        bool used = false;
        bool thin = false; ///< without a normal of its own
        bool seen = false; ///< visible from the point being added
    };

    /// From four points that are not coplanar.
    explicit Polytope(const std::array<DifferencePoint<S>, 4>& corners);

    /// The face nearest to the origin; kNone when all are thin.
    std::uint16_t nearest_face() const;

    bool has_room() const { return vertex_count_ < kMaxVertices; }

    /// Adds a point beyond the given face. False, and nothing changed, when storage is exhausted or
    /// when, by rounding, the visible region is not a disk.
    bool add(const DifferencePoint<S>& point, std::uint16_t seed);

    const Face& face(std::uint16_t f) const { return faces_[f]; }
    std::array<DifferencePoint<S>, 3> corners(std::uint16_t f) const {
        const Face& face = faces_[f];
        return {vertices_[face.vertex[0]], vertices_[face.vertex[1]], vertices_[face.vertex[2]]};
    }
    int face_end() const { return face_end_; }

  private:
    /// The edge between a visible face and one that is not (horizon).
    struct Horizon {
        std::uint16_t from = 0, to = 0;
        std::uint16_t outer = 0, outer_edge = 0;
        std::uint16_t face = kNone; ///< the new one on it
    };

    bool find_horizon(const Vec3<S>& w, std::uint16_t seed, S least_height);
    void see_from(const Vec3<S>& w, std::uint16_t seed, S least_height);
    void unsee();
    bool list_horizon();
    void remove_seen();
    bool chain_horizon();
    void build_cone(std::uint16_t apex);
    void set_plane(std::uint16_t f, const Vec3<S>& fallback_normal, S fallback_distance);
    std::uint16_t free_face();

    std::array<DifferencePoint<S>, kMaxVertices> vertices_;
    std::array<Face, kMaxFaces> faces_;
    std::array<Horizon, kMaxFaces> horizon_;
    std::array<S, kMaxFaces> key_; ///< distance of a face; infinite when thin or unused
    std::array<std::uint16_t, kMaxFaces> seen_;
    std::array<std::uint16_t, kMaxFaces> free_;
    std::array<std::uint16_t, kMaxVertices> horizon_from_; ///< horizon edge that leaves a vertex
    int vertex_count_ = 0, face_end_ = 0, horizon_count_ = 0, seen_count_ = 0, free_count_ = 0;
};

} // namespace rigor
