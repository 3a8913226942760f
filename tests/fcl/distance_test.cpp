// Distances against FCL, an independent implementation, for all pairs of convex kinds.
//
// FCL's separation is a good oracle with tight tolerances; each of its two solvers stops short now
// and then, with a distance that is too large, so the lesser of the two counts. Its depths are
// not: for boxes and hulls they miss the separating axis theorem by the size of the solids in a
// quarter of all cases. So an overlap is checked by moving B out along our normal by our depth and
// a little more, where FCL must find just that little; and that there is no shorter way out, by
// brute force.

#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include "collide/brute_force.h"
#include "collide/distance.h"
#include "fcl/fcl_twins.h"

namespace rigor::test {
namespace {

template <class Solver>
double separation(const Solver& solver, const Twin& a, const Twin& b, const Posed& b_in_a) {
    double distance = 0;
    fcl::Vector3d on_a, on_b;
    const auto ask = [&](const auto& x, const auto& y) {
        return solver.shapeDistance(geometry(x), fcl::Transform3d::Identity(), geometry(y),
                                    to_fcl(b_in_a), &distance, &on_a, &on_b);
    };
    return std::visit(ask, a.theirs, b.theirs) ? distance : 0;
}

/// What FCL makes of two solids that are apart; 0 when it thinks they are not.
double fcl_separation(const Twin& a, const Twin& b, const Posed& b_in_a) {
    fcl::detail::GJKSolver_indepd indep;
    indep.gjk_tolerance = 1e-14;
    indep.gjk_max_iterations = 1000;
    fcl::detail::GJKSolver_libccdd libccd;
    libccd.distance_tolerance = 1e-14;
    libccd.max_distance_iterations = 1000;
    const double one = separation(indep, a, b, b_in_a), two = separation(libccd, a, b, b_in_a);
    return one > 0 && two > 0 ? std::min(one, two) : std::max(one, two);
}

enum class Case { apart, touching, shallow, deep, parallel, needle, unequal };
constexpr int kCases = 7;

struct Pair {
    Twin a, b;
    Posed b_in_a;
    double size{}; ///< of the coordinates involved
};

Pair make_pair(int kind_a, int kind_b, Case what, Random& random) {
    const double slim = what == Case::needle ? 1e-3 : 1;
    const double size_a = what == Case::unequal && random.integer(0, 1) == 0 ? 1e-3 : 1;
    const double size_b = what == Case::unequal && size_a == 1 ? 1e-3 : 1;
    Pair pair{
        make_twin(kind_a, size_a, slim, random), make_twin(kind_b, size_b, slim, random), {}, 0};
    Posed& pose = pair.b_in_a;
    pose = random.pose(what == Case::deep ? 0.2 : what == Case::apart ? 3 : 1);
    if (what == Case::parallel) {
        const double half = std::sqrt(0.5);
        const Quatd turns[] = {{}, {half, half, 0, 0}, {half, 0, 0, half}};
        pose.q = turns[random.integer(0, 2)];
    }
    if (what == Case::touching || what == Case::shallow) {
        const Distance<double> d = distance(pair.a.ours, pair.b.ours, pose);
        const double gap = what == Case::shallow
                               ? -0.01 * random.unit()
                               : 1e-8 * static_cast<double>(random.integer(-1, 1));
        pose.p -= d.normal * (d.distance - gap);
    }
    pair.size = pair_size(pair.a.ours, pair.b.ours, pose);
    return pair;
}

bool is_polytope(int kind) {
    return kind == 1 || kind == 5;
}

/// No direction leaves more room than the one found.
void expect_no_shorter_way_out(const Pair& pair, bool polytopes, double claimed, Random& random) {
    if (polytopes) {
        EXPECT_NEAR(most_room(polyhedron(pair.a.ours), polyhedron(pair.b.ours), pair.b_in_a),
                    claimed, 1e-10);
    } else {
        EXPECT_LE(most_room_by_search(pair.a.ours, pair.b.ours, pair.b_in_a, random),
                  claimed + 1e-9 * pair.size);
    }
}

/// Whether FCL agrees, to 1e-9 of the size.
bool fcl_agrees(const Pair& pair, const Distance<double>& d) {
    Posed pose = pair.b_in_a;
    double expected = d.distance;
    if (d.distance < 1e-3 * pair.size) { // moved to where FCL is at home
        expected = 0.01 * pair.size;
        pose.p += d.normal * (expected - d.distance);
    }
    return std::abs(fcl_separation(pair.a, pair.b, pose) - expected) <= 1e-9 * pair.size;
}

struct FclDistance : testing::TestWithParam<std::pair<int, int>> {};

TEST_P(FclDistance, AgreesOrIsSettled) {
    const auto [kind_a, kind_b] = GetParam();
    constexpr int kCount = 1001; // times 21 pairs of kinds: 21,021
    Random random(static_cast<std::uint64_t>(100 + 10 * kind_a + kind_b));
    int set_aside = 0;
    for (int i = 0; i < kCount; ++i) {
        const bool turned = random.integer(0, 1) == 1;
        const int first = turned ? kind_b : kind_a, second = turned ? kind_a : kind_b;
        const Pair pair = make_pair(first, second, static_cast<Case>(i % kCases), random);
        SCOPED_TRACE(
            message("case ", i, " of kind ", i % kCases, " at ", pair.b_in_a.p, pair.b_in_a.q));
        const Distance<double> d = distance(pair.a.ours, pair.b.ours, pair.b_in_a);
        set_aside += fcl_agrees(pair, d) ? 0 : 1;
        // What FCL says or not, points and plane settle it, and brute force where they overlap.
        expect_certified(pair.a.ours, pair.b.ours, pair.b_in_a, d,
                         (d.converged ? 1e-9 : 1e-3) * pair.size);
        const bool polytopes = is_polytope(first) && is_polytope(second);
        if (d.distance < 0) expect_no_shorter_way_out(pair, polytopes, d.distance, random);

        const Distance<float> single =
            distance(to_float(pair.a.ours), to_float(pair.b.ours), cast<float>(pair.b_in_a));
        EXPECT_NEAR(static_cast<double>(single.distance), d.distance, 1e-4 * pair.size);
    }
    RecordProperty("set_aside", set_aside);
    EXPECT_LE(set_aside, kCount / 100);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, FclDistance, testing::ValuesIn(twin_pairs()), twin_pair_name);

} // namespace
} // namespace rigor::test
