#include "axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rigor::plot {
namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value + 0.0); // -0 becomes 0
    return text;
}

/// 0.001 to 1000 as they are, others as 10⁻⁵.
std::string power_of_ten(int exponent) {
    if (std::abs(exponent) <= 3) return number(std::pow(10.0, exponent));
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
    return text;
}

} // namespace

void Range::include(double value) {
    if (!std::isfinite(value) || (is_logarithmic_ && value <= 0)) return;
    lo_ = std::min(lo_, value);
    hi_ = std::max(hi_, value);
}

Axis::Axis(const Range& range, bool is_logarithmic, double margin, double from, double to)
    : is_logarithmic_(is_logarithmic), from_(from), to_(to) {
    if (range.is_empty()) return;
    lo_ = is_logarithmic ? std::log10(range.lo()) : range.lo();
    hi_ = is_logarithmic ? std::log10(range.hi()) : range.hi();
    // Wide enough to divide by: rounding errors are not magnified to a curve.
    const double width = hi_ - lo_;
    const double least = is_logarithmic ? 0.5 : 1e-9 * std::max(std::abs(lo_), std::abs(hi_));
    double room = margin * width;
    if (!(width > least)) room = is_logarithmic || lo_ == 0 ? 1 : 0.5 * std::abs(lo_);
    lo_ -= room;
    hi_ += room;
}

double Axis::place(double value) const {
    const double v = is_logarithmic_ ? std::log10(value) : value;
    return from_ + (v - lo_) / (hi_ - lo_) * (to_ - from_);
}

double Axis::clamped_place(double value) const {
    return std::clamp(place(value), std::min(from_, to_), std::max(from_, to_));
}

std::vector<Tick> Axis::ticks(int count) const {
    if (is_logarithmic_) return decades(count);
    std::vector<Tick> ticks;
    for (const double value : round_ticks(lo_, hi_, count)) ticks.push_back({value, number(value)});
    return ticks;
}

std::vector<Tick> Axis::decades(int count) const {
    const int first = static_cast<int>(std::ceil(lo_ - 1e-9));
    const int last = static_cast<int>(std::floor(hi_ + 1e-9));
    const int stride = std::max(1, (last - first + count) / std::max(count, 1));
    std::vector<Tick> ticks;
    if (last - first < 2) { // few decades need more
        for (int e = first - 1; e <= last; ++e)
            for (const double digit : {1.0, 2.0, 5.0}) {
                const double value = digit * std::pow(10.0, e), at = std::log10(value);
                if (at >= lo_ && at <= hi_) ticks.push_back({value, number(value)});
            }
        return ticks;
    }
    for (int e = first; e <= last; ++e)
        if (e % stride == 0) ticks.push_back({std::pow(10.0, e), power_of_ten(e)});
    return ticks;
}

std::vector<double> round_ticks(double lo, double hi, int count) {
    const double rough = (hi - lo) / std::max(count, 1);
    if (!(rough > 0) || !std::isfinite(rough)) return {lo};
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * power;
        if (step >= rough * (1 - 1e-9)) break;
    }
    std::vector<double> ticks;
    for (double n = std::ceil(lo / step - 1e-9); n <= hi / step + 1e-9; ++n)
        ticks.push_back(n * step + 0.0);
    return ticks;
}

} // namespace rigor::plot
