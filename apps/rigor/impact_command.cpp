// rigor impact: single impacts of two bodies, by the law of one's choice.

#include <cmath>
#include <iostream>

#include "command.h"
#include "output.h"
#include "rigor/impact.h"
#include "scene/impact_file.h"
#include "svg_plot.h"

namespace rigor::app {
namespace {

struct Solved {
    ImpactOutcome outcome;
    Vec3d impulse; ///< on a, in world axes
    ImpactBody a, b;
    double energy = 0; ///< change of kinetic energy
};

Solved solve(const BodyImpact& impact, ImpactLaw law, double delta) {
    const ContactFrameImpact contact = in_contact_frame(impact);
    Solved solved{solve_impact(contact.impact, law, delta), {}, impact.a, impact.b};
    const Vec3d p = solved.outcome.impulse;
    solved.impulse = contact.axes * p;
    solved.energy = dot(p, contact.impact.u + contact.impact.k * p * 0.5);
    apply_impulse(solved.a, solved.impulse);
    apply_impulse(solved.b, -solved.impulse);
    return solved;
}

bool is_immovable(const ImpactBody& body) {
    return body.inverse_mass == 0;
}

Json to_json(const ImpactBody& body) {
    if (is_immovable(body)) return nullptr;
    return {{"velocity", app::to_json(body.velocity)},
            {"angular_velocity", app::to_json(body.angular_velocity)}};
}

Json to_json(const Solved& solved) {
    return {{"impulse", app::to_json(solved.impulse)},
            {"mode", std::string(name(solved.outcome.mode))},
            {"work_compression", solved.outcome.work_compression},
            {"work_decompression", solved.outcome.work_decompression},
            {"phases", solved.outcome.phases},
            {"a", to_json(solved.a)},
            {"b", to_json(solved.b)}};
}

std::string column(const std::string& text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

void print(const ImpactOptions& options, const std::vector<Solved>& all) {
    std::cout << options.file << ", " << options.impact << "\n"
              << "       mode               phases        impulse on a (x, y, z)              "
                 "energy\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string mode(name(all[i].outcome.mode));
        mode.resize(19, ' ');
        const auto number = [](double value) { return column(short_text(value), 13); };
        std::cout << column(std::to_string(i), 5) << "  " << mode
                  << column(std::to_string(all[i].outcome.phases), 6) << number(all[i].impulse.x)
                  << number(all[i].impulse.y) << number(all[i].impulse.z) << number(all[i].energy)
                  << "\n";
    }
    std::cout << std::flush;
}

/// u over the normal impulse: along the normal above, sliding below, phases shaded.
Plot plot_of(const BodyImpact& impact, ImpactLaw law, double delta, const std::string& title) {
    std::vector<ImpactTracePoint> trace;
    solve_impact(in_contact_frame(impact).impact, law, delta, &trace);
    PlotSeries normal{"normal velocity", {}, {}}, sliding{"speed of sliding", {}, {}};
    Plot plot{title, "normal impulse p_z, N s", {}, {}};
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto& [p, u] = trace[i];
        normal.x.push_back(p.z);
        normal.y.push_back(u.z);
        sliding.x.push_back(p.z);
        sliding.y.push_back(std::hypot(u.x, u.y));
        if (i == 0) continue;
        const char* phase = trace[i - 1].u.z + u.z < 0 ? "compression" : "decompression";
        if (plot.spans.empty() || plot.spans.back().name != phase)
            plot.spans.push_back({phase, trace[i - 1].p.z, p.z});
        plot.spans.back().to = p.z;
    }
    plot.panels = {{"u_z, m/s", {normal}}, {"|u_T|, m/s", {sliding}}};
    return plot;
}

Result<void> write_plot(const std::string& path, const Plot& plot) {
    std::ofstream file(path, std::ios::binary);
    file << to_svg(plot) << std::flush;
    if (!file) return Error{ErrorCode::io, path, "cannot be written"};
    return {};
}

std::optional<Error> find_problem(const ImpactOptions& options, std::size_t count) {
    const auto invalid = [](const std::string& sentence) {
        return Error{ErrorCode::invalid_value, "", sentence};
    };
    if (!(options.delta > 0 && options.delta <= 1))
        return invalid("--delta must be above 0 and at most 1, got " + short_text(options.delta));
    if (options.index >= count && (!options.plot.empty() || options.index > 0))
        return invalid("--index must be less than " + std::to_string(count) +
                       ", the number of impacts, got " + std::to_string(options.index));
    return {};
}

} // namespace

int impact_command(const ImpactOptions& options) {
    const auto law = impact_law_named(options.impact);
    if (!law)
        return fail(
            {ErrorCode::invalid_value, "",
             "--impact must be newton, poisson, energetic, euler, mirtich or planar, got \"" +
                 options.impact + "\""});
    const Result<std::vector<BodyImpact>> impacts = load_impacts(options.file);
    if (!impacts) return fail(impacts.error());
    if (const auto problem = find_problem(options, impacts->size())) return fail(*problem);

    std::vector<Solved> all;
    for (const BodyImpact& impact : *impacts) all.push_back(solve(impact, *law, options.delta));
    if (!options.plot.empty()) {
        const std::string title = "Impact " + std::to_string(options.index) + ", " +
                                  options.impact + ": " +
                                  std::string(name(all[options.index].outcome.mode));
        const auto written = write_plot(
            options.plot, plot_of((*impacts)[options.index], *law, options.delta, title));
        if (!written) return fail(written.error());
    }
    if (!options.json.empty()) {
        Json array = Json::array();
        for (const Solved& solved : all) array.push_back(to_json(solved));
        const auto written = write_json(options.json, array);
        if (!written) return fail(written.error());
    }
    if (options.json != "-") print(options, all);
    return done;
}

} // namespace rigor::app
