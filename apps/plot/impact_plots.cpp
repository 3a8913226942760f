#include "impact_plots.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "impact/sliding.h"

namespace rigor::plot {
namespace {

using contact_dynamics::SlidingContact;
using contact_dynamics::Vec2;

constexpr double kPi = std::numbers::pi;
constexpr double kEdge = 1.3; ///< of the picture; ways begin on the unit circle
constexpr int kWays = 16;     ///< as many as in figure 4 of [Baber 2011]

Vec2 direction(double angle) {
    return {std::cos(angle), std::sin(angle)};
}

bool is_in_picture(const Vec2& u) {
    return std::max(std::abs(u.x), std::abs(u.y)) <= kEdge;
}

/// Sliding from u on, in steps of ds = dp/|u_T|: u' = |u| h - mu M u is smooth, and rest infinitely
/// far away.
std::vector<Vec2> way_of_sliding(const SlidingContact& contact, Vec2 u) {
    const auto rate = [&](const Vec2& v) {
        return contact.h * length(v) - (contact.m * v) * contact.mu;
    };
    const double fastest = length(contact.h) + contact.mu * (contact.m.xx + contact.m.yy);
    if (!(fastest > 0)) return {u};
    const double ds = 0.02 / fastest;
    std::vector<Vec2> way{u};
    for (int i = 0; i < 20000 && is_in_picture(u) && length(u) > 2e-3; ++i) {
        const Vec2 middle = u + rate(u) * (0.5 * ds);
        const Vec2 next = u + rate(middle) * ds;
        u = next;
        if (is_in_picture(u) && length(u - way.back()) > 0.01) way.push_back(u);
    }
    if (length(u) < 0.02) way.push_back({0, 0});
    return way;
}

Series series_of(const std::string& name, const std::vector<Vec2>& points, Mark mark, int color) {
    Series series{name, {}, {}, mark, color};
    for (const Vec2& p : points) series.add(p.x, p.y);
    return series;
}

/// The point of a direction on the edge of the picture.
Vec2 on_edge(double angle) {
    const Vec2 c = direction(angle);
    return c * (kEdge / std::max(std::abs(c.x), std::abs(c.y)));
}

/// A part of the picture, seen from its middle between two angles.
std::vector<Vec2> sector(double from, double to) {
    std::vector<Vec2> polygon{{0, 0}, on_edge(from)};
    for (int k = static_cast<int>(std::ceil(from / (kPi / 4))); k * kPi / 4 < to; ++k)
        if (k % 2 != 0 && k * kPi / 4 > from) polygon.push_back(on_edge(k * kPi / 4));
    polygon.push_back(on_edge(to));
    return polygon;
}

std::string degrees(double angle) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f°", angle * 180 / kPi);
    return text;
}

constexpr const char* kToRest = "leads to rest";
constexpr const char* kAway = "leads to the diverging ray";

/// Between two rays sliding turns one way, and ends as the ray does that it turns to.
void add_sectors(Panel& panel, const SlidingContact& contact, const std::vector<double>& rays) {
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const double from = rays[i];
        const double to = i + 1 < rays.size() ? rays[i + 1] : rays[0] + 2 * kPi;
        const Vec2 c = direction(0.5 * (from + to)), rate = contact.tangent_rate(c);
        const bool turns_left = c.x * rate.y - c.y * rate.x > 0;
        const bool is_away = radial_rate(contact, turns_left ? to : from) > 0;
        panel.series.push_back(
            series_of(is_away ? kAway : kToRest, sector(from, to), Mark::area, is_away ? 1 : 0));
    }
}

void add_rays(Panel& panel, const SlidingContact& contact, const std::vector<double>& rays) {
    for (const double angle : rays) {
        const bool is_away = radial_rate(contact, angle) > 0;
        panel.series.push_back(series_of(is_away ? "diverging ray" : "ray of constant sliding",
                                         {{0, 0}, on_edge(angle)},
                                         is_away ? Mark::line : Mark::dashed, is_away ? 1 : kInk));
        const Vec2 at = on_edge(angle) * 0.9;
        panel.labels.push_back({at.x, at.y, degrees(angle)});
    }
}

/// From the start of its sliding on, which becomes a unit.
Series own_way(const ContactImpact& impact) {
    std::vector<ImpactTracePoint> trace;
    solve_impact(impact, ImpactLaw::energetic, 1e-3, &trace);
    Series way{"this impact", {}, {}, Mark::line, 3};
    const double scale = std::hypot(impact.u.x, impact.u.y);
    if (!(scale > 0)) return way;
    for (const ImpactTracePoint& point : trace)
        if (is_in_picture({point.u.x / scale, point.u.y / scale}))
            way.add(point.u.x / scale, point.u.y / scale);
    return way;
}

} // namespace

Plot plot_impact_path(const ContactImpact& impact, ImpactLaw law, double delta,
                      const std::string& title) {
    std::vector<ImpactTracePoint> trace;
    solve_impact(impact, law, delta, &trace);
    Series normal{"normal velocity", {}, {}}, sliding{"speed of sliding", {}, {}};
    Plot plot{title, "normal impulse p_z, N s"};
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto& [p, u] = trace[i];
        normal.add(p.z, u.z);
        sliding.add(p.z, std::hypot(u.x, u.y));
        if (i == 0) continue;
        const char* phase = trace[i - 1].u.z + u.z < 0 ? "compression" : "decompression";
        if (plot.spans.empty() || plot.spans.back().name != phase)
            plot.spans.push_back({phase, trace[i - 1].p.z, p.z});
        plot.spans.back().to = p.z;
    }
    plot.panels = {{"u_z, m/s", {normal}}, {"|u_T|, m/s", {sliding}}};
    return plot;
}

Plot portrait(const ContactImpact& impact, const std::string& title) {
    const SlidingContact contact(impact);
    const contact_dynamics::SlidingRays found = sliding_rays(contact);
    const std::vector<double> rays(found.begin(), found.end());
    Panel panel{"u_y / |u_T|"};
    add_sectors(panel, contact, rays);
    std::vector<Vec2> starts;
    for (int i = 0; i < kWays; ++i) {
        starts.push_back(direction(2 * kPi * i / kWays));
        panel.series.push_back(
            series_of("ways of sliding", way_of_sliding(contact, starts.back()), Mark::arrow, 0));
    }
    add_rays(panel, contact, rays);
    panel.series.push_back(series_of("their beginnings", starts, Mark::dots, 0));
    panel.series.push_back(own_way(impact));
    const std::string verdict =
        contact.sticks() ? ": friction holds what rests" : ": friction cannot hold what rests";
    Plot plot{title + verdict, "u_x / |u_T|", {panel}};
    plot.is_map = true;
    return plot;
}

} // namespace rigor::plot
