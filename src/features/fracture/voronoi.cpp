#include "features/fracture/voronoi.h"

#include "rigor/fracture.h"

namespace rigor {
namespace {

VoronoiSolver registered_solver = nullptr;

} // namespace

void set_voronoi_solver(VoronoiSolver solver) {
    registered_solver = solver;
}

VoronoiSolver voronoi_solver() {
    return registered_solver;
}

bool has_fracture() {
    return registered_solver != nullptr;
}

} // namespace rigor
