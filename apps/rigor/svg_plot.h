// Plots as SVG: lines over a common axis, in panels one above the other, with shaded spans.
#pragma once

#include <string>
#include <vector>

namespace rigor::app {

struct PlotSeries {
    std::string name;
    std::vector<double> x, y; ///< points that are not finite interrupt the line
};

struct PlotPanel {
    std::string label; ///< of the upright axis
    std::vector<PlotSeries> series;
};

/// A part of the common axis, shaded in all panels.
struct PlotSpan {
    std::string name; ///< spans of one name have one color, and the name is in the legend
    double from = 0, to = 0;
};

struct Plot {
    std::string title, x_label;
    std::vector<PlotPanel> panels;
    std::vector<PlotSpan> spans;
};

std::string to_svg(const Plot& plot, int width = 800, int height = 500);

/// Round numbers that divide an interval into about `count` parts, ascending; one number when the
/// interval is empty or not finite.
std::vector<double> round_ticks(double lo, double hi, int count);

} // namespace rigor::app
