// How much work the queries of triangle surfaces took: for budgets that must not depend on the
// machine. Surfaces have any number of triangles, and a time of impact asks for many distances.
#pragma once

namespace rigor {

/// Of this thread since it began, in units of about a thousand instructions. Estimates: they decide
/// when a method gives up, not what it computes.
inline double& query_work() {
    thread_local double work = 0;
    return work;
}

inline constexpr double kWorkOfBoxes = 0.1;         ///< two nodes of trees
inline constexpr double kWorkOfTriangles = 0.6;     ///< two triangles, in closed form
inline constexpr double kWorkOfNearTriangles = 0.1; ///< two triangles that may touch
inline constexpr double kWorkOfConvex = 5;          ///< a triangle and a convex solid, by iteration

} // namespace rigor
