#include "svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "output.h"

namespace rigor::app {
namespace {

// Lines that are told apart in print and by the color-blind; shades that carry dark text.
constexpr const char* kLines[] = {"#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#0e7490", "#a16207"};
constexpr const char* kShades[] = {"#dbe7f5", "#fbe8d8", "#e0f0e3", "#eee2f6"};
constexpr double kLeft = 76, kRight = 20, kTop = 62, kBottom = 52, kGap = 16;

template <std::size_t N>
const char* pick(const char* const (&colors)[N], std::size_t i) {
    return colors[i % N];
}

std::string escaped(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string fixed(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2f", value);
    return buffer;
}

/// Attributes come in pairs of name and value.
std::string element(const char* name, std::initializer_list<std::string> attributes,
                    const std::string& content = {}) {
    std::string out = std::string("<") + name;
    bool is_value = false;
    for (const std::string& a : attributes) {
        out += is_value ? "=\"" + a + "\"" : " " + a;
        is_value = !is_value;
    }
    return out + (content.empty() ? "/>\n" : ">" + content + "</" + name + ">\n");
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, int size = 13,
                    const std::string& extra = {}) {
    std::string out = element(
        "text",
        {"x", fixed(x), "y", fixed(y), "text-anchor", anchor, "font-size", std::to_string(size)},
        escaped(text));
    if (!extra.empty()) out.insert(5, " " + extra);
    return out;
}

/// Values on the axis, and where they are on the page.
struct Axis {
    double lo = 0, hi = 1, from = 0, to = 1;

    double place(double value) const { return from + (value - lo) / (hi - lo) * (to - from); }
};

class Range {
  public:
    void include(double value) {
        if (!std::isfinite(value)) return;
        lo_ = std::min(lo_, value);
        hi_ = std::max(hi_, value);
    }
    /// Wide enough to divide by, and with a margin of that part of itself.
    std::pair<double, double> with_margin(double part) const {
        if (!(lo_ <= hi_)) return {0, 1};
        const double width = hi_ - lo_;
        if (!(width > 1e-12 * std::max(std::abs(lo_), std::abs(hi_)))) {
            const double room = lo_ == 0 ? 1 : 0.5 * std::abs(lo_);
            return {lo_ - room, hi_ + room};
        }
        return {lo_ - part * width, hi_ + part * width};
    }

  private:
    double lo_ = std::numeric_limits<double>::infinity(), hi_ = -lo_;
};

class SvgWriter {
  public:
    SvgWriter(const Plot& plot, int width, int height)
        : plot_(plot), width_(width), height_(height) {
        Range range;
        for (const PlotPanel& panel : plot.panels)
            for (const PlotSeries& series : panel.series)
                for (double x : series.x) range.include(x);
        std::tie(x_.lo, x_.hi) = range.with_margin(0);
        x_.from = kLeft;
        x_.to = width - kRight;
        for (const PlotSpan& span : plot.spans)
            if (shade_of(span.name) == names_.size()) names_.push_back(span.name);
    }

    std::string write() {
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width_) +
               "\" height=\"" + std::to_string(height_) + "\" viewBox=\"0 0 " +
               std::to_string(width_) + " " + std::to_string(height_) +
               "\" font-family=\"sans-serif\" fill=\"#1a1a1a\">\n";
        out_ += element("rect", {"width", "100%", "height", "100%", "fill", "#ffffff"});
        out_ += text_at(width_ / 2.0, 24, "middle", plot_.title, 16);
        write_legend();
        const double count = std::max<double>(1, static_cast<double>(plot_.panels.size()));
        const double each = (height_ - kTop - kBottom - kGap * (count - 1)) / count;
        double top = kTop;
        for (const PlotPanel& panel : plot_.panels) {
            write_panel(panel, top, top + each);
            top += each + kGap;
        }
        write_x_axis(height_ - kBottom);
        return out_ + "</svg>\n";
    }

  private:
    std::size_t shade_of(const std::string& name) const {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                        names_.begin());
    }

    /// One row: a line or a square, then its name.
    void write_legend() {
        double x = kLeft;
        const auto entry = [&](const std::string& mark, const std::string& name) {
            out_ += mark + text_at(x + 28, 48, "start", name);
            x += 44 + 7.3 * static_cast<double>(name.size());
        };
        std::size_t i = 0;
        for (const PlotPanel& panel : plot_.panels)
            for (const PlotSeries& series : panel.series)
                entry(element("line", {"x1", fixed(x), "y1", "44", "x2", fixed(x + 22), "y2", "44",
                                       "stroke", pick(kLines, i++), "stroke-width", "2.5"}),
                      series.name);
        for (std::size_t k = 0; k < names_.size(); ++k)
            entry(element("rect", {"x", fixed(x), "y", "37", "width", "22", "height", "14", "fill",
                                   pick(kShades, k)}),
                  names_[k]);
    }

    void write_panel(const PlotPanel& panel, double top, double bottom) {
        Range range;
        for (const PlotSeries& series : panel.series)
            for (double y : series.y) range.include(y);
        Axis y;
        std::tie(y.lo, y.hi) = range.with_margin(0.06);
        y.from = bottom;
        y.to = top;
        write_spans(top, bottom);
        write_grid(y);
        for (const PlotSeries& series : panel.series) write_line(series, y);
        out_ +=
            element("rect", {"x", fixed(x_.from), "y", fixed(top), "width", fixed(x_.to - x_.from),
                             "height", fixed(bottom - top), "fill", "none", "stroke", "#444444"});
        const std::string middle = fixed(0.5 * (top + bottom));
        out_ += text_at(18, 0.5 * (top + bottom), "middle", panel.label, 13,
                        "transform=\"rotate(-90 18 " + middle + ")\"");
    }

    void write_spans(double top, double bottom) {
        for (const PlotSpan& span : plot_.spans) {
            const double from = x_.place(std::clamp(span.from, x_.lo, x_.hi));
            const double to = x_.place(std::clamp(span.to, x_.lo, x_.hi));
            out_ += element("rect",
                            {"x", fixed(from), "y", fixed(top), "width", fixed(to - from), "height",
                             fixed(bottom - top), "fill", pick(kShades, shade_of(span.name))});
        }
    }

    void write_grid(const Axis& y) {
        const int parts = std::max(3, static_cast<int>((y.from - y.to) / 36));
        for (double tick : round_ticks(y.lo, y.hi, parts)) {
            const double at = y.place(tick);
            out_ += element("line", {"x1", fixed(x_.from), "y1", fixed(at), "x2", fixed(x_.to),
                                     "y2", fixed(at), "stroke", tick == 0 ? "#444444" : "#cccccc"});
            out_ += text_at(x_.from - 6, at + 4, "end", short_text(tick));
        }
    }

    void write_x_axis(double bottom) {
        for (double tick : round_ticks(x_.lo, x_.hi, 8)) {
            const double at = x_.place(tick);
            out_ += element("line", {"x1", fixed(at), "y1", fixed(bottom), "x2", fixed(at), "y2",
                                     fixed(bottom + 5), "stroke", "#444444"});
            out_ += text_at(at, bottom + 19, "middle", short_text(tick));
        }
        out_ += text_at(0.5 * (x_.from + x_.to), bottom + 40, "middle", plot_.x_label);
    }

    void write_line(const PlotSeries& series, const Axis& y) {
        std::string points;
        const auto flush = [&] {
            if (!points.empty())
                out_ += element("polyline", {"points", points, "fill", "none", "stroke",
                                             pick(kLines, lines_), "stroke-width", "2"});
            points.clear();
        };
        for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
            if (std::isfinite(series.x[i]) && std::isfinite(series.y[i]))
                points += fixed(x_.place(series.x[i])) + "," + fixed(y.place(series.y[i])) + " ";
            else
                flush();
        }
        flush();
        ++lines_;
    }

    const Plot& plot_;
    int width_, height_;
    Axis x_;
    std::vector<std::string> names_; ///< of spans, in the order of their first one
    std::size_t lines_ = 0;
    std::string out_;
};

} // namespace

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

std::string to_svg(const Plot& plot, int width, int height) {
    return SvgWriter(plot, width, height).write();
}

} // namespace rigor::app
