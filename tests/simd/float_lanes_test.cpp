// Lane types: every lane gives the bits of a plain float.

#include "simd/float_lanes.h"

#include <array>
#include <bit>

#include "test_support.h"

namespace rigor::test {
namespace {

template <class Width>
class FloatLanes : public testing::Test {
  protected:
    static constexpr int kWidth = Width::value;
    using F = Lanes<kWidth>;
    using Column = std::array<float, kWidth>;

    Column random_column() {
        Column column;
        for (float& x : column)
            x = std::ldexp(std::uniform_real_distribution<float>(-1, 1)(random),
                           static_cast<int>(random() % 40) - 20);
        return column;
    }
    static F load(const Column& column) { return F::load(column.data()); }

    template <class Wide, class Plain>
    void expect_same(const Wide& wide, const Plain& plain) {
        for (int round = 0; round < 200; ++round) {
            const Column a = random_column(), b = random_column();
            Column out;
            wide(load(a), load(b)).store(out.data());
            for (std::size_t i = 0; i < out.size(); ++i)
                ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]),
                          std::bit_cast<std::uint32_t>(plain(a[i], b[i])))
                    << a[i] << ' ' << b[i];
        }
    }

    std::mt19937 random{7};
};

using Widths = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 4>,
                              std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(FloatLanes, Widths);

TYPED_TEST(FloatLanes, ArithmeticHasTheBitsOfAFloat) {
    using L = typename TestFixture::F;
    this->expect_same([](L a, L b) { return a + b; }, [](float a, float b) { return a + b; });
    this->expect_same([](L a, L b) { return a - b; }, [](float a, float b) { return a - b; });
    this->expect_same([](L a, L b) { return a * b; }, [](float a, float b) { return a * b; });
    this->expect_same([](L a, L b) { return a / b; }, [](float a, float b) { return a / b; });
    this->expect_same([](L a, L) { return -a; }, [](float a, float) { return -a; });
    // Not fused: the product is rounded before the sum.
    this->expect_same([](L a, L b) { return a * b + a; },
                      [](float a, float b) {
                          const volatile float product = a * b;
                          return product + a;
                      });
}

TYPED_TEST(FloatLanes, SelectionAndRootsHaveTheBitsOfAFloat) {
    using L = typename TestFixture::F;
    this->expect_same([](L a, L b) { return max(a, b); },
                      [](float a, float b) { return std::max(a, b); });
    this->expect_same([](L a, L b) { return min(a, b); },
                      [](float a, float b) { return std::min(a, b); });
    this->expect_same([](L a, L b) { return select(a > b, b, a + b); },
                      [](float a, float b) { return a > b ? b : a + b; });
    this->expect_same([](L a, L) { return sqrt(max(a, -a)); },
                      [](float a, float) { return std::sqrt(std::abs(a)); });
}

// Eight floats of each lane's row become eight lanes, and back.
TYPED_TEST(FloatLanes, TransposeTakesRowsToLanesAndBack) {
    constexpr auto W = static_cast<std::size_t>(TestFixture::kWidth);
    std::array<std::array<float, 8>, W> rows{}, back{};
    for (std::size_t r = 0; r < W; ++r)
        for (std::size_t c = 0; c < 8; ++c) rows[r][c] = static_cast<float>(10 * r + c);
    std::array<const float*, W> from;
    std::array<float*, W> to;
    for (std::size_t r = 0; r < W; ++r) {
        from[r] = rows[r].data();
        to[r] = back[r].data();
    }
    typename TestFixture::F lanes[8];
    RowTranspose<TestFixture::kWidth>::load(from.data(), lanes);
    for (std::size_t c = 0; c < 8; ++c) {
        typename TestFixture::Column column;
        lanes[c].store(column.data());
        for (std::size_t r = 0; r < W; ++r) EXPECT_EQ(column[r], rows[r][c]);
    }
    RowTranspose<TestFixture::kWidth>::store(lanes, to.data());
    EXPECT_EQ(back, rows);
}

} // namespace
} // namespace rigor::test
