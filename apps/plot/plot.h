// What a plot shows, as plain data: series over a common axis, in panels one above the other.
#pragma once

#include <string>
#include <vector>

namespace rigor::plot {

enum class Mark {
    line,
    dashed,
    dots,
    line_and_dots,
    arrow, ///< a line with a head in its middle
    area,  ///< a filled polygon
};

/// What a color may be instead of a place in the palette.
constexpr int kNextColor = -1, kInk = -2; ///< the next that is free; that of text

struct Series {
    std::string name;         ///< in the legend, once; empty: not there
    std::vector<double> x, y; ///< points that are not finite interrupt the line
    Mark mark = Mark::line;
    int color = kNextColor; ///< series of one name have one color

    void add(double at, double value) {
        x.push_back(at);
        y.push_back(value);
    }
};

struct Label {
    double x = 0, y = 0;
    std::string text;
};

struct Panel {
    std::string label; ///< of the upright axis
    std::vector<Series> series = {};
    bool is_logarithmic = false; ///< what is not positive is left out then
    std::vector<Label> labels = {};
};

/// A part of the common axis, shaded in all panels.
struct Span {
    std::string name; ///< spans of one name have one color, and the name is in the legend
    double from = 0, to = 0;
};

struct Plot {
    std::string title, x_label;
    std::vector<Panel> panels = {};
    std::vector<Span> spans = {};
    bool is_logarithmic = false; ///< the common axis
    bool is_map = false;         ///< a unit is as long upright as across
};

} // namespace rigor::plot
