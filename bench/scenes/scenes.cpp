#include "bench/scenes/scenes.h"

namespace rigor::bench {

const std::vector<SceneKind>& scene_kinds() {
    static const std::vector<SceneKind> kinds{
        {"pyramid", "one pyramid of 820 boxes", true, make_pyramid},
        {"pyramids_many", "25 pyramids of 55 boxes", true, make_pyramids_many},
        {"pile_mixed", "4,000 spheres, boxes and capsules fall into a tub", false, make_pile_mixed},
        {"pile_hulls", "2,000 hulls, no two alike, fall into a tub", false, make_pile_hulls},
        {"tall_stack20", "20 boxes, one on another", true, make_tall_stack20},
        {"tall_stack40", "40 boxes, one on another", true, make_tall_stack40},
        {"wall", "a ball flies into a wall of 600 bricks", false, make_wall},
        {"chains", "100 chains of 20 links swing", false, make_chains},
        {"mesh", "2,000 boxes and spheres fall on hills of 20,000 triangles", false, make_mesh},
    };
    return kinds;
}

} // namespace rigor::bench
