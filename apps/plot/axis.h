// Plot axes: from values to positions on the page, and the ticks.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace rigor::plot {

/// The values that an axis has to show.
class Range {
  public:
    explicit Range(bool is_logarithmic = false) : is_logarithmic_(is_logarithmic) {}

    void include(double value);
    double lo() const { return lo_; }
    double hi() const { return hi_; }
    bool is_empty() const { return !(lo_ <= hi_); }

  private:
    bool is_logarithmic_;
    double lo_ = std::numeric_limits<double>::infinity(), hi_ = -lo_;
};

struct Tick {
    double value = 0;
    std::string label;
};

class Axis {
  public:
    Axis() = default;
    /// `from` and `to` are places on the page; `margin` is left free at both ends, as a part of the
    /// whole.
    Axis(const Range& range, bool is_logarithmic, double margin, double from, double to);

    /// Not finite where the value is not, or has no logarithm.
    double place(double value) const;
    double clamped_place(double value) const;
    /// About so many, at round values.
    std::vector<Tick> ticks(int count) const;

    double from() const { return from_; }
    double to() const { return to_; }

  private:
    std::vector<Tick> decades(int count) const;

    bool is_logarithmic_ = false;
    double lo_ = 0, hi_ = 1; ///< of logarithms, when there are
    double from_ = 0, to_ = 1;
};

/// Round numbers that divide an interval into about `count` parts, ascending; one number when the
/// interval is empty or not finite.
std::vector<double> round_ticks(double lo, double hi, int count);

} // namespace rigor::plot
