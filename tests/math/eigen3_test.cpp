// Principal axes: what makes the answer right is that it rebuilds the matrix, that the axes
// are orthonormal, and that the eigenvalues are the known ones.
#include "math/eigen3.h"

#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
S largest_entry(const Mat3<S>& a) {
    return max_component(max(max(abs(a.cx), abs(a.cy)), abs(a.cz)));
}

template <class S>
Sym3<S> rebuild(const Eigen3<S>& e) {
    return rotate(e.vectors, Sym3<S>::diagonal(e.values));
}

template <class S>
void expect_decomposition(const Sym3<S>& a, S tolerance = round_off(S(1))) {
    const Eigen3<S> e = eigen(a);
    const S scale = largest_entry(a.matrix());
    EXPECT_LE(e.values.x, e.values.y);
    EXPECT_LE(e.values.y, e.values.z);
    EXPECT_LE(largest_entry((rebuild(e) - a).matrix()), tolerance * scale);
    EXPECT_LE(largest_entry(transpose(e.vectors) * e.vectors - Mat3<S>{}), round_off(S(1)) / 4);
    EXPECT_NEAR(determinant(e.vectors), S(1), round_off(S(1)) / 4);
}

template <class S>
class PrincipalAxes : public testing::Test {
  protected:
    Random random{5};
};
TYPED_TEST_SUITE(PrincipalAxes, Scalars);

TYPED_TEST(PrincipalAxes, RebuildARandomMatrix) {
    using S = TypeParam;
    for (int i = 0; i < 1000; ++i) {
        const Vec3<S> d = this->random.template vec<S>(), o = this->random.template vec<S>();
        expect_decomposition(Sym3<S>{d.x, d.y, d.z, o.x, o.y, o.z});
    }
}

TYPED_TEST(PrincipalAxes, KnownEigenvaluesComeBackAfterAnyRotation) {
    using S = TypeParam;
    const Vec3<S> spectra[] = {{1, 2, 3}, {-1, 0, 4}, {2, 2, 5},  {1, 4, 4},
                               {3, 3, 3}, {0, 0, 1},  {-2, -2, 0}};
    for (const Vec3<S>& values : spectra) {
        for (int i = 0; i < 50; ++i) {
            const Mat3<S> r = to_matrix(this->random.template rotation<S>());
            const Sym3<S> a = rotate(r, Sym3<S>::diagonal(values));
            expect_decomposition(a);
            EXPECT_LE(max_component(abs(eigen(a).values - values)), round_off(S(5)));
        }
    }
}

TYPED_TEST(PrincipalAxes, OfADiagonalMatrixAreExactlyTheCoordinateAxes) {
    using S = TypeParam;
    const S a = S(0.1), b = S(0.7), c = S(1.3);
    for (const Vec3<S>& d : {Vec3<S>{a, b, c}, Vec3<S>{a, c, b}, Vec3<S>{b, a, c}, Vec3<S>{b, c, a},
                             Vec3<S>{c, a, b}, Vec3<S>{c, b, a}}) {
        SCOPED_TRACE(message(d));
        const Eigen3<S> e = eigen(Sym3<S>::diagonal(d));
        EXPECT_EQ(e.values, (Vec3<S>{a, b, c}));
        EXPECT_EQ(determinant(e.vectors), S(1));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                EXPECT_TRUE(e.vectors(i, j) == S(0) || std::abs(e.vectors(i, j)) == S(1));
    }
    EXPECT_EQ(eigen(Sym3<S>::diagonal({a, b, c})).vectors, Mat3<S>{});
    EXPECT_EQ(eigen(Sym3<S>::identity()).vectors, Mat3<S>{});
    EXPECT_EQ(eigen(Sym3<S>{}).values, Vec3<S>{});
    EXPECT_EQ(eigen(Sym3<S>{}).vectors, Mat3<S>{});
}

// Scaling the axes of a well-conditioned matrix leaves each eigenvalue its own digits; a
// cubic formula would return noise of size 1e-16 for the smallest.
TEST(PrincipalAxesOfThinBodies, KeepTheDigitsOfTheSmallestMoment) {
    // D C D with C = [[1, .3, .2], [.3, 1, .1], [.2, .1, 1]] and D = diag(1, 1e-6, 1e-12).
    const Sym3d a{1, 1e-12, 1e-24, 0.3e-6, 0.2e-12, 0.1e-18};
    const Eigen3<double> e = eigen(a);
    // By Schur complements the smallest is det(C) / (1 - .3²) d3² (1 + O(1e-12)).
    const double det = 1 + 2 * 0.3 * 0.2 * 0.1 - 0.09 - 0.04 - 0.01;
    EXPECT_NEAR(e.values.x / (det / 0.91 * 1e-24), 1, 1e-11);
    EXPECT_NEAR(e.values.y / (0.91 * 1e-12), 1, 1e-11);
    EXPECT_NEAR(e.values.z, 1, 1e-12);
}

TYPED_TEST(PrincipalAxes, AreFoundAtAnyScale) {
    using S = TypeParam;
    const int reach = std::numeric_limits<S>::max_exponent - 3;
    for (const int exponent : {-reach - 10, -reach / 2, 0, reach / 2, reach}) {
        SCOPED_TRACE(message("scale 2^", exponent));
        const auto scale = [](S x, int e) { return std::ldexp(x, e); };
        const Sym3<S> a{S(2), S(3), S(4), S(0.5), S(-1), S(0.25)};
        const Sym3<S> scaled{scale(a.xx, exponent), scale(a.yy, exponent), scale(a.zz, exponent),
                             scale(a.xy, exponent), scale(a.xz, exponent), scale(a.yz, exponent)};
        EXPECT_EQ(eigen(scaled).vectors, eigen(a).vectors);
        for (int i = 0; i < 3; ++i) // subnormal numbers have fewer digits
            EXPECT_NEAR(scale(eigen(scaled).values[i], -exponent), eigen(a).values[i],
                        exponent < -reach ? S(1e-3) : S(0));
    }
}

TYPED_TEST(PrincipalAxes, SurviveAnythingFinite) {
    using S = TypeParam;
    for (int i = 0; i < 2000; ++i) {
        S entries[6];
        for (S& x : entries) {
            const int e = this->random.integer(-60, 60);
            x = this->random.integer(0, 3) == 0
                    ? S(0)
                    : static_cast<S>(std::ldexp(this->random.uniform(-1, 1), e));
        }
        expect_decomposition(
            Sym3<S>{entries[0], entries[1], entries[2], entries[3], entries[4], entries[5]});
    }
    const Eigen3<S> broken = eigen(Sym3<S>{std::numeric_limits<S>::quiet_NaN(), 1, 1, 0, 0, 0});
    EXPECT_TRUE(std::isnan(broken.values.x));
    EXPECT_TRUE(is_finite(broken.vectors));
}

} // namespace
} // namespace rigor::test
