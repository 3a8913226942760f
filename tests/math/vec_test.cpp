// Vectors and matrices: the identities of linear algebra, at ordinary and extreme sizes.
#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
S distance(const Vec3<S>& a, const Vec3<S>& b) {
    return max_component(abs(a - b));
}

template <class S>
S distance(const Mat3<S>& a, const Mat3<S>& b) {
    return std::max({distance(a.cx, b.cx), distance(a.cy, b.cy), distance(a.cz, b.cz)});
}

template <class S>
Mat3<S> random_matrix(Random& random) {
    const Vec3<S> x = random.vec<S>(), y = random.vec<S>();
    return {x, y, random.vec<S>()};
}

// Far enough from singular that an inverse keeps most of its digits.
template <class S>
Mat3<S> random_invertible(Random& random) {
    for (;;) {
        const Mat3<S> a = random_matrix<S>(random);
        if (std::abs(determinant(a)) > S(0.1)) return a;
    }
}

template <class S>
class Algebra : public testing::Test {
  protected:
    Random random{3};
};
TYPED_TEST_SUITE(Algebra, Scalars);

TYPED_TEST(Algebra, CrossProductIsPerpendicularAndObeysLagrange) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Vec3<S> a = this->random.template vec<S>(), b = this->random.template vec<S>(),
                      c = this->random.template vec<S>();
        EXPECT_NEAR(dot(cross(a, b), a), S(0), round_off(S(1)));
        EXPECT_NEAR(length_squared(cross(a, b)) + dot(a, b) * dot(a, b),
                    length_squared(a) * length_squared(b), round_off(S(9)));
        // a x (b x c) = b (a·c) - c (a·b)
        EXPECT_LE(distance(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b)), round_off(S(3)));
        EXPECT_EQ(skew(a) * b, cross(a, b));
        EXPECT_EQ(cross(a, b), -cross(b, a));
    }
}

TYPED_TEST(Algebra, ComponentsCanBeReachedByIndex) {
    using S = TypeParam;
    Vec3<S> v{S(1), S(2), S(3)};
    v[1] = S(7);
    EXPECT_EQ(v, (Vec3<S>{S(1), S(7), S(3)}));
    Mat3<S> a;
    a(0, 2) = S(5);
    EXPECT_EQ(a.row(0), (Vec3<S>{S(1), S(0), S(5)}));
    EXPECT_EQ(a * (Vec3<S>{S(0), S(0), S(1)}), a.cz);
}

// The squares of these overflow or vanish, the direction does not.
TYPED_TEST(Algebra, EveryFiniteVectorHasADirection) {
    using S = TypeParam;
    const S huge = std::numeric_limits<S>::max(), tiny = std::numeric_limits<S>::denorm_min();
    const S third = S(1) / std::sqrt(S(3));
    for (const S size :
         {S(1), huge, huge / 4, S(1e18), S(1e-18), std::numeric_limits<S>::min(), tiny}) {
        SCOPED_TRACE(test::message("size ", size));
        const Vec3<S> n = normalize(Vec3<S>{size, -size, size});
        EXPECT_LE(distance(n, Vec3<S>{third, -third, third}), round_off(S(1)));
        EXPECT_EQ(normalize(Vec3<S>{S(0), -size, S(0)}), (Vec3<S>{S(0), S(-1), S(0)}));
    }
    EXPECT_EQ(normalize(Vec3<S>{}), Vec3<S>{});
}

TYPED_TEST(Algebra, PerpendicularIsAUnitVectorAtARightAngle) {
    using S = TypeParam;
    std::vector<Vec3<S>> directions;
    for (int i = 0; i < 300; ++i) directions.push_back(this->random.template direction<S>());
    for (const S sign : {S(1), S(-1)})
        for (const Vec3<S>& axis :
             {Vec3<S>{sign, 0, 0}, Vec3<S>{0, sign, 0}, Vec3<S>{0, 0, sign},
              Vec3<S>{0, S(-0.0), sign}, normalize(Vec3<S>{S(1e-6), 0, sign})})
            directions.push_back(axis);
    for (const Vec3<S>& v : directions) {
        SCOPED_TRACE(test::message(v));
        const Vec3<S> p = perpendicular(v);
        EXPECT_NEAR(length(p), S(1), round_off(S(1)));
        EXPECT_NEAR(dot(p, v), S(0), round_off(S(1)));
    }
}

TYPED_TEST(Algebra, InverseTimesMatrixIsTheIdentity) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Mat3<S> a = random_invertible<S>(this->random);
        const S tolerance = round_off(S(1) / std::abs(determinant(a))) * 4;
        EXPECT_LE(distance(inverse(a) * a, Mat3<S>{}), tolerance);
        EXPECT_LE(distance(a * inverse(a), Mat3<S>{}), tolerance);
    }
}

TYPED_TEST(Algebra, DeterminantAndTransposeReverseProducts) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Mat3<S> a = random_matrix<S>(this->random), b = random_matrix<S>(this->random);
        const Vec3<S> v = this->random.template vec<S>();
        EXPECT_NEAR(determinant(a * b), determinant(a) * determinant(b), round_off(S(30)));
        EXPECT_LE(distance(transpose(a * b), transpose(b) * transpose(a)), round_off(S(3)));
        EXPECT_LE(distance(transpose_multiply(a, v), transpose(a) * v), round_off(S(3)));
        EXPECT_LE(distance((a * b) * v, a * (b * v)), round_off(S(9)));
        EXPECT_EQ(transpose(transpose(a)), a);
    }
}

TYPED_TEST(Algebra, OuterProductProjects) {
    using S = TypeParam;
    for (int i = 0; i < 100; ++i) {
        const Vec3<S> a = this->random.template vec<S>(), b = this->random.template vec<S>(),
                      c = this->random.template vec<S>();
        EXPECT_LE(distance(outer(a, b) * c, a * dot(b, c)), round_off(S(3)));
        EXPECT_NEAR(determinant(outer(a, b)), S(0), round_off(S(3)));
    }
}

TYPED_TEST(Algebra, SymmetricMatricesAgreeWithGeneralOnes) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Mat3<S> g = random_invertible<S>(this->random);
        const Sym3<S> a = Sym3<S>::from(transpose(g) * g); // positive definite
        const Vec3<S> v = this->random.template vec<S>();
        EXPECT_LE(distance(a * v, a.matrix() * v), round_off(S(9)));
        const Mat3<S> inv = inverse(a).matrix();
        EXPECT_LE(distance(inv * a.matrix(), Mat3<S>{}),
                  round_off(max_component(abs(inv * v)) + S(900)));
        EXPECT_LE(distance((a - a).matrix(), Mat3<S>::zero()), S(0));
        EXPECT_EQ(Sym3<S>::from(a.matrix()), a);
    }
    EXPECT_EQ(Sym3<S>::identity().matrix(), Mat3<S>::identity());
    EXPECT_EQ(Sym3<S>::diagonal({S(1), S(2), S(3)}).trace(), S(6));
}

// R (A v) is the same vector as (R A Rᵀ)(R v): a tensor turns with the axes it is seen from.
TYPED_TEST(Algebra, TensorTurnsWithItsAxes) {
    using S = TypeParam;
    for (int i = 0; i < 100; ++i) {
        const Mat3<S> g = random_matrix<S>(this->random);
        const Sym3<S> a = Sym3<S>::from(g);
        const Mat3<S> r = to_matrix(this->random.template rotation<S>());
        const Vec3<S> v = this->random.template vec<S>();
        EXPECT_LE(distance(rotate(r, a) * (r * v), r * (a * v)), round_off(S(3)));
        EXPECT_NEAR(rotate(r, a).trace(), a.trace(), round_off(S(3)));
    }
}

TYPED_TEST(Algebra, FinitenessIsSeenInEveryEntry) {
    using S = TypeParam;
    const S inf = std::numeric_limits<S>::infinity(), nan = std::numeric_limits<S>::quiet_NaN();
    for (const S bad : {inf, -inf, nan}) {
        for (int i = 0; i < 3; ++i) {
            Vec3<S> v{S(1), S(2), S(3)};
            EXPECT_TRUE(is_finite(v));
            v[i] = bad;
            EXPECT_FALSE(is_finite(v));
            for (int j = 0; j < 3; ++j) {
                Mat3<S> a;
                a(i, j) = bad;
                EXPECT_FALSE(is_finite(a));
                EXPECT_FALSE(is_finite(Sym3<S>::from(a)));
            }
        }
    }
}

} // namespace
} // namespace rigor::test
