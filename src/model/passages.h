// Passages: shapes that pass one-sided sheets from behind.
//
// A one-sided sheet is an open mesh that holds from its front only, where its normals point. The
// side is decided for a pair of shapes as a whole and remembered: by geometry alone a body that
// comes from behind would be held as soon as its middle is through, and pushed out at the front.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "rigor/ids.h"

namespace rigor {

struct WorldState;

/// Part of the state of a world: empty in one without one-sided sheets.
class Passages {
  public:
    void add_sheet(ShapeId sheet) { sheets_.push_back(sheet); }

    /// Whether two shapes, by their slots, do not touch since one passes the other from behind.
    bool has(std::uint32_t a, std::uint32_t b) const {
        return !pairs_.empty() && find_passing(a, b);
    }

    /// Decides for the step that begins. Shapes that are apart: by the side on which they are.
    /// Shapes that touch: as in the step before; if they were not near each other then, by the side
    /// of the middle of the other shape. Linear in the shapes of the world for each sheet.
    friend void update_passages(WorldState& state, double dt);
    friend void add_to_hash(Hasher& hasher, const Passages& passages);

  private:
    /// A sheet and a shape that it may touch in this step.
    struct Pair {
        ShapeId sheet, shape;
        bool passes = false;
    };

    static const Pair* find(const std::vector<Pair>& pairs, std::uint32_t sheet,
                            std::uint32_t shape);
    bool find_passing(std::uint32_t a, std::uint32_t b) const;
    void update_sheet(const WorldState& state, ShapeId sheet, double dt,
                      const std::vector<Pair>& before);

    std::vector<ShapeId> sheets_;
    std::vector<Pair> pairs_; ///< by the slots of sheet and shape
};

void update_passages(WorldState& state, double dt);
void add_to_hash(Hasher& hasher, const Passages& passages);

} // namespace rigor
