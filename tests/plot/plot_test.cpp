// Plots: what is drawn, and what is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axis.h"
#include "svg_plot.h"

namespace rigor::plot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

std::vector<std::string> labels(const Axis& axis, int parts) {
    std::vector<std::string> all;
    for (const Tick& tick : axis.ticks(parts)) all.push_back(tick.label);
    return all;
}

Axis axis_over(double lo, double hi, bool is_logarithmic) {
    Range range(is_logarithmic);
    for (const double value : {lo, hi}) range.include(value);
    return Axis(range, is_logarithmic, 0, 0, 100);
}

Plot line_over(const std::vector<double>& y) {
    Series series{"line", {}, {}};
    for (std::size_t i = 0; i < y.size(); ++i) series.add(static_cast<double>(i), y[i]);
    return {"title", "x", {{"y", {series}}}};
}

TEST(Axis, TicksAreRound) {
    EXPECT_THAT(round_ticks(0, 1, 5), ElementsAre(0, 0.2, 0.4, 0.6000000000000001, 0.8, 1));
    EXPECT_THAT(round_ticks(3, 3, 5), ElementsAre(3));
    EXPECT_THAT(round_ticks(0, std::numeric_limits<double>::infinity(), 5), ElementsAre(0));
    EXPECT_THAT(labels(axis_over(-1, 1, false), 4), ElementsAre("-1", "-0.5", "0", "0.5", "1"));
}

TEST(Axis, LogarithmicTicksAreDecadesOrTheirParts) {
    EXPECT_THAT(labels(axis_over(1e-12, 1, true), 4), ElementsAre("10⁻¹²", "10⁻⁸", "10⁻⁴", "1"));
    EXPECT_THAT(labels(axis_over(0.01, 0.5, true), 4),
                ElementsAre("0.01", "0.02", "0.05", "0.1", "0.2", "0.5"));
    const Axis axis = axis_over(1e-4, 1, true);
    EXPECT_NEAR(axis.place(1e-2), 50, 1e-9);
    EXPECT_FALSE(std::isfinite(axis.place(0)));
}

TEST(Axis, WhatDoesNotVaryIsInTheMiddle) {
    EXPECT_NEAR(axis_over(5, 5 * (1 + 1e-14), false).place(5), 50, 1e-9);
    EXPECT_NEAR(axis_over(0, 0, false).place(0), 50, 1e-9);
    EXPECT_TRUE(Range(true).is_empty());
}

TEST(Svg, PointsThatAreNotFiniteInterruptTheLine) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string svg = to_svg(line_over({0, 1, nan, 1, HUGE_VAL, 0, 1}));
    EXPECT_EQ(count(svg, "<polyline"), 3 + 1); // one in the legend
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
    EXPECT_THAT(to_svg(line_over({})), HasSubstr("</svg>"));
}

// A million points are no more than a column of a pixel each can show, and no peak is lost.
TEST(Svg, LongCurvesAreThinned) {
    std::vector<double> y(1'000'000, 0);
    y[123456] = 1;
    const std::string long_one = to_svg(line_over(y));
    EXPECT_LT(long_one.size(), 60'000u);
    const std::string flat = to_svg(line_over(std::vector<double>(1'000'000, 0)));
    EXPECT_NE(long_one, flat);
    EXPECT_THAT(long_one, HasSubstr(">1<")); // the peak is within the axis
}

TEST(Svg, NamesAreEscapedAndInTheLegendOnce) {
    Plot plot = line_over({0, 1});
    plot.panels.push_back(plot.panels[0]);
    for (Panel& panel : plot.panels) panel.series[0].name = "a < b & \"c\"";
    const std::string svg = to_svg(plot);
    EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot;"), 1);
    EXPECT_THAT(svg, Not(HasSubstr("a < b")));
}

TEST(Svg, PageLookHasNoColorsOfItsOwn) {
    const std::string svg = to_svg(line_over({0, 1}), {440, 280, false, &page_look()});
    EXPECT_EQ(count(svg, "#"), 0);
    EXPECT_THAT(svg, HasSubstr("var(--line-0)"));
    EXPECT_THAT(svg, Not(HasSubstr("title")));
}

// A circle is as wide as it is high, and its box is a square.
TEST(Svg, AMapHasOneScale) {
    Series line{"line", {0, 4}, {0, 1}};
    Plot map{"", "x", {{"y", {line}}}};
    map.is_map = true;
    const std::string svg = to_svg(map, {500, 400, false, &paper_look()});
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    const std::size_t at = svg.rfind("<polyline points=\"");
    ASSERT_EQ(
        std::sscanf(svg.c_str() + at, "<polyline points=\"%lf,%lf %lf,%lf", &x1, &y1, &x2, &y2), 4);
    EXPECT_NEAR((x2 - x1) / (y1 - y2), 4, 0.01);
}

} // namespace
} // namespace rigor::plot
