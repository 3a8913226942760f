#include "svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "axis.h"

namespace rigor::plot {
namespace {

constexpr double kLeft = 70, kRight = 16, kBottom = 46, kGap = 14, kText = 13, kRow = 20;

std::string fixed(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
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

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    double size = kText, const std::string& extra = {}) {
    std::string out = element(
        "text", {"x", fixed(x), "y", fixed(y), "text-anchor", anchor, "font-size", fixed(size)},
        escaped(text));
    if (!extra.empty()) out.insert(5, " " + extra);
    return out;
}

double width_of(const std::string& text) {
    const auto is_first_byte = [](char c) { return (c & 0xC0) != 0x80; };
    return 0.55 * kText *
           static_cast<double>(std::count_if(text.begin(), text.end(), is_first_byte));
}

struct Point {
    double x, y; ///< on the page
};

/// Runs of points that are finite.
std::vector<std::vector<Point>> pieces(const Series& series, const Axis& x, const Axis& y) {
    std::vector<std::vector<Point>> all(1);
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        const Point p{x.place(series.x[i]), y.place(series.y[i])};
        if (std::isfinite(p.x) && std::isfinite(p.y))
            all.back().push_back(p);
        else if (!all.back().empty())
            all.emplace_back();
    }
    if (all.back().empty()) all.pop_back();
    return all;
}

/// What the eye cannot tell from the whole: of all points in a column of a pixel the first, the
/// lowest, the highest and the last.
std::vector<Point> thinned(const std::vector<Point>& points) {
    std::vector<Point> out;
    for (std::size_t i = 0; i < points.size();) {
        std::size_t end = i, lowest = i, highest = i;
        for (; end < points.size() && std::floor(points[end].x) == std::floor(points[i].x); ++end) {
            if (points[end].y < points[lowest].y) lowest = end;
            if (points[end].y > points[highest].y) highest = end;
        }
        std::size_t last = points.size();
        for (const std::size_t k :
             {i, std::min(lowest, highest), std::max(lowest, highest), end - 1}) {
            if (k != last) out.push_back(points[k]);
            last = k;
        }
        i = end;
    }
    return out;
}

std::string coordinates(const std::vector<Point>& points) {
    std::string out;
    for (const Point& p : points) out += fixed(p.x) + "," + fixed(p.y) + " ";
    if (!out.empty()) out.pop_back();
    return out;
}

class SvgWriter {
  public:
    SvgWriter(const Plot& plot, const SvgOptions& options)
        : plot_(plot), options_(options), look_(*options.look) {
        for (const Panel& panel : plot.panels)
            for (const Series& series : panel.series) pick_color(series);
        for (const Span& span : plot.spans) areas_.try_emplace(span.name, areas_.size());
    }

    std::string write() {
        const std::string width = std::to_string(options_.width),
                          height = std::to_string(options_.height);
        double top = 10;
        if (options_.has_title) {
            out_ += text_at(options_.width / 2.0, 24, "middle", plot_.title, 16);
            top = 34;
        }
        top = write_legend(top) + 6;
        place_x_axis(top);
        const double count = std::max<double>(1, static_cast<double>(plot_.panels.size()));
        double each = (options_.height - top - kBottom - kGap * (count - 1)) / count;
        if (plot_.is_map) each = x_.to() - x_.from();
        for (const Panel& panel : plot_.panels) {
            write_panel(panel, top, top + each);
            top += each + kGap;
        }
        write_x_axis(top - kGap);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
               height + "\" viewBox=\"0 0 " + width + " " + height +
               "\" font-family=\"sans-serif\" fill=\"" + look_.ink + "\">\n" +
               element("rect", {"width", "100%", "height", "100%", "fill", look_.paper}) + out_ +
               "</svg>\n";
    }

  private:
    void pick_color(const Series& series) {
        int next = 0;
        for (const auto& [name, color] : colors_) next = std::max(next, color + 1);
        if (series.mark == Mark::area)
            areas_.try_emplace(series.name, series.color == kNextColor
                                                ? areas_.size()
                                                : static_cast<std::size_t>(series.color));
        else
            colors_.try_emplace(series.name, series.color == kNextColor ? next : series.color);
    }

    int color_index(const Series& series) const {
        const bool is_own = series.name.empty() && series.color != kNextColor;
        return is_own ? series.color : colors_.at(series.name);
    }
    const std::string& color_of(const Series& series) const {
        const int color = color_index(series);
        if (color == kInk) return look_.ink;
        return look_.lines[static_cast<std::size_t>(color) % look_.lines.size()];
    }
    /// Where colors repeat, dots tell lines apart.
    const char* pattern_of(const Series& series) const {
        if (series.mark == Mark::dashed) return "7 5";
        return color_index(series) < static_cast<int>(look_.lines.size()) ? "none" : "2 4";
    }
    const std::string& area_of(const std::string& name) const {
        return look_.areas[areas_.at(name) % look_.areas.size()];
    }

    /// Rows of a mark and its name; returns where they end.
    double write_legend(double top) {
        double x = kLeft, y = top;
        std::vector<std::string> seen;
        const auto entry = [&](const std::string& name, const auto& mark) {
            if (name.empty() || std::find(seen.begin(), seen.end(), name) != seen.end()) return;
            seen.push_back(name);
            const double width = 28 + width_of(name) + 18;
            if (x > kLeft && x + width > options_.width) x = kLeft, y += kRow;
            mark(x, y + kRow / 2);
            out_ += text_at(x + 28, y + kRow / 2 + 4.5, "start", name);
            x += width;
        };
        const auto square = [&](const std::string& name) {
            entry(name, [&](double left, double middle) {
                out_ += element("rect", {"x", fixed(left), "y", fixed(middle - 7), "width", "22",
                                         "height", "14", "fill", area_of(name)});
            });
        };
        for (const Panel& panel : plot_.panels)
            for (const Series& series : panel.series) {
                if (series.mark == Mark::area)
                    square(series.name);
                else
                    entry(series.name, [&](double left, double middle) {
                        const Point center{left + 11, middle};
                        if (series.mark == Mark::dots) return draw_dots(series, {center});
                        Series line = series;
                        if (series.mark == Mark::line_and_dots) line.mark = Mark::line;
                        draw(line, {{left, middle}, center, {left + 22, middle}});
                        if (series.mark == Mark::line_and_dots) draw_dots(series, {center});
                    });
            }
        for (const Span& span : plot_.spans) square(span.name);
        return seen.empty() ? top : y + kRow;
    }

    Range x_range() const {
        Range range(plot_.is_logarithmic);
        for (const Panel& panel : plot_.panels)
            for (const Series& series : panel.series)
                for (double x : series.x) range.include(x);
        return range;
    }
    static Range y_range(const Panel& panel) {
        Range range(panel.is_logarithmic);
        for (const Series& series : panel.series)
            for (double y : series.y) range.include(y);
        return range;
    }
    /// As wide as the other, about its middle.
    static Range widened(Range range, const Range& other) {
        const double more = 0.5 * ((other.hi() - other.lo()) - (range.hi() - range.lo()));
        if (range.is_empty() || !(more > 0)) return range;
        const double lo = range.lo() - more, hi = range.hi() + more;
        range.include(lo);
        range.include(hi);
        return range;
    }

    void place_x_axis(double top) {
        Range range = x_range();
        double from = kLeft, to = options_.width - kRight;
        if (plot_.is_map) { // a square
            for (const Panel& panel : plot_.panels) range = widened(range, y_range(panel));
            const double width = std::min(to - from, options_.height - kBottom - top);
            from += (to - from - width) / 2;
            to = from + width;
        }
        x_ = Axis(range, plot_.is_logarithmic, plot_.is_logarithmic ? 0.04 : 0, from, to);
    }

    void write_panel(const Panel& panel, double top, double bottom) {
        Range range = y_range(panel);
        if (plot_.is_map) range = widened(range, x_range());
        const Axis y(range, panel.is_logarithmic, plot_.is_map ? 0 : 0.06, bottom, top);
        const std::string box[] = {fixed(x_.from()), fixed(top), fixed(x_.to() - x_.from()),
                                   fixed(bottom - top)};
        for (const Span& span : plot_.spans) {
            const double from = x_.clamped_place(span.from), to = x_.clamped_place(span.to);
            out_ += element("rect", {"x", fixed(from), "y", fixed(top), "width", fixed(to - from),
                                     "height", box[3], "fill", area_of(span.name)});
        }
        for (const Series& series : panel.series)
            if (series.mark == Mark::area) write_series(series, y);
        write_grid(y);
        for (const Series& series : panel.series)
            if (series.mark != Mark::area) write_series(series, y);
        out_ += element("rect", {"x", box[0], "y", box[1], "width", box[2], "height", box[3],
                                 "fill", "none", "stroke", look_.muted});
        for (const Label& label : panel.labels)
            out_ +=
                text_at(x_.place(label.x), y.place(label.y) + 4.5, "middle", label.text, kText,
                        "paint-order=\"stroke\" stroke-width=\"4\" stroke=\"" + look_.paper + "\"");
        const double middle = 0.5 * (top + bottom);
        out_ += text_at(16, middle, "middle", panel.label, kText,
                        "transform=\"rotate(-90 16 " + fixed(middle) + ")\"");
    }

    void write_grid(const Axis& y) {
        const int parts = std::max(3, static_cast<int>((y.from() - y.to()) / 36));
        for (const Tick& tick : y.ticks(parts)) {
            const double at = y.place(tick.value);
            if (at > y.from() + 0.5 || at < y.to() - 0.5) continue;
            out_ += element("line",
                            {"x1", fixed(x_.from()), "y1", fixed(at), "x2", fixed(x_.to()), "y2",
                             fixed(at), "stroke", tick.value == 0 ? look_.muted : look_.grid});
            out_ += text_at(x_.from() - 6, at + 4.5, "end", tick.label);
        }
    }

    void write_x_axis(double bottom) {
        const int parts = std::max(2, static_cast<int>((x_.to() - x_.from()) / 80));
        for (const Tick& tick : x_.ticks(parts)) {
            const double at = x_.place(tick.value);
            out_ += element("line", {"x1", fixed(at), "y1", fixed(bottom), "x2", fixed(at), "y2",
                                     fixed(bottom + 5), "stroke", look_.muted});
            out_ += text_at(at, bottom + 18, "middle", tick.label);
        }
        out_ += text_at(0.5 * (x_.from() + x_.to()), bottom + 37, "middle", plot_.x_label);
    }

    void write_series(const Series& series, const Axis& y) {
        for (const std::vector<Point>& piece : pieces(series, x_, y)) {
            const bool is_curve = series.mark == Mark::line || series.mark == Mark::dashed;
            draw(series, is_curve && !plot_.is_map ? thinned(piece) : piece);
        }
    }

    void draw(const Series& series, const std::vector<Point>& points) {
        if (series.mark == Mark::area) {
            out_ +=
                element("polygon", {"points", coordinates(points), "fill", area_of(series.name)});
            return;
        }
        if (series.mark != Mark::dots) {
            out_ += element("polyline", {"points", coordinates(points), "fill", "none", "stroke",
                                         color_of(series), "stroke-width", "2", "stroke-dasharray",
                                         pattern_of(series), "stroke-linejoin", "round"});
        }
        if (series.mark == Mark::dots || series.mark == Mark::line_and_dots)
            draw_dots(series, points);
        if (series.mark == Mark::arrow && points.size() > 1) draw_head(series, points);
    }

    void draw_dots(const Series& series, const std::vector<Point>& points) {
        for (const Point& p : points)
            out_ += element("circle", {"cx", fixed(p.x), "cy", fixed(p.y), "r", "3.5", "fill",
                                       color_of(series), "stroke", look_.paper});
    }

    void draw_head(const Series& series, const std::vector<Point>& points) {
        const std::size_t i = points.size() / 2;
        const Point tip = points[i], before = points[i - 1];
        const double length = std::hypot(tip.x - before.x, tip.y - before.y);
        if (!(length > 0)) return;
        const Point along{(tip.x - before.x) / length, (tip.y - before.y) / length};
        const auto corner = [&](double back, double side) {
            return Point{tip.x - back * along.x - side * along.y,
                         tip.y - back * along.y + side * along.x};
        };
        out_ +=
            element("polygon", {"points", coordinates({corner(-5, 0), corner(5, 5), corner(5, -5)}),
                                "fill", color_of(series)});
    }

    const Plot& plot_;
    const SvgOptions& options_;
    const Look& look_;
    Axis x_;
    std::map<std::string, int> colors_;        ///< of series, by name
    std::map<std::string, std::size_t> areas_; ///< of spans and areas, by name
    std::string out_;
};

} // namespace

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
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

const Look& paper_look() {
    static const Look look{
        "#ffffff",
        "#1a1a1a",
        "#444444",
        "#dddddd",
        {"#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#0e7490", "#a16207", "#be185d", "#64748b"},
        {"#dbe7f5", "#fbe8d8", "#e0f0e3", "#eee2f6"}};
    return look;
}

const Look& page_look() {
    static const Look look = [] {
        Look page{"var(--paper)", "var(--ink)", "var(--muted)", "var(--grid)", {}, {}};
        for (std::size_t i = 0; i < page.lines.size(); ++i)
            page.lines[i] = "var(--line-" + std::to_string(i) + ")";
        for (std::size_t i = 0; i < page.areas.size(); ++i)
            page.areas[i] = "var(--area-" + std::to_string(i) + ")";
        return page;
    }();
    return look;
}

std::string to_svg(const Plot& plot, const SvgOptions& options) {
    return SvgWriter(plot, options).write();
}

} // namespace rigor::plot
