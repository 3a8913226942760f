// rigor impact: single impacts of two bodies, by the law of one's choice.

#include <cmath>
#include <iostream>

#include "command.h"
#include "impact_plots.h"
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

/// The same impact in a frame whose first tangent is along the world's x, or as near as it can be:
/// angles of a portrait are then those of the file.
ContactImpact facing_x(const BodyImpact& impact) {
    const auto [axes, contact] = in_contact_frame(impact);
    const Vec3d n = impact.normal;
    const Vec3d side = std::abs(n.x) < 0.99 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d t = normalize(side - n * dot(side, n));
    const Mat3d turn = transpose(Mat3d{t, cross(n, t), n}) * axes;
    return {turn * contact.k * transpose(turn), turn * contact.u, contact.friction,
            contact.restitution};
}

Result<void> write_plot(const std::string& path, const plot::Plot& plot,
                        const plot::SvgOptions& options = {}) {
    return write_text(path, to_svg(plot, options));
}

Result<void> write_plots(const ImpactOptions& options, const BodyImpact& impact, ImpactLaw law,
                         ImpactMode mode) {
    const std::string title = "Impact " + std::to_string(options.index);
    if (!options.plot.empty()) {
        const plot::Plot way =
            plot::plot_impact_path(in_contact_frame(impact).impact, law, options.delta,
                                   title + ", " + options.impact + ": " + std::string(name(mode)));
        if (const auto written = write_plot(options.plot, way); !written) return written;
    }
    if (options.portrait.empty()) return {};
    return write_plot(options.portrait, plot::portrait(facing_x(impact), title), {640, 720});
}

std::optional<Error> find_problem(const ImpactOptions& options, std::size_t count) {
    const auto invalid = [](const std::string& sentence) {
        return Error{ErrorCode::invalid_value, "", sentence};
    };
    if (!(options.delta > 0 && options.delta <= 1))
        return invalid("--delta must be above 0 and at most 1, got " + short_text(options.delta));
    if (options.index >= count &&
        (!options.plot.empty() || !options.portrait.empty() || options.index > 0))
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
    const Output plot{"--plot", options.plot}, portrait{"--portrait", options.portrait};
    for (const Output& output : {plot, portrait})
        if (const auto checked = check_svg(output); !checked) return fail(checked.error());
    const auto writable = check_outputs({plot, portrait, {"--json", options.json}}, {options.file});
    if (!writable) return fail(writable.error());
    const Result<std::vector<BodyImpact>> impacts = load_impacts(options.file);
    if (!impacts) return fail(impacts.error());
    if (const auto problem = find_problem(options, impacts->size())) return fail(*problem);

    std::vector<Solved> all;
    for (const BodyImpact& impact : *impacts) all.push_back(solve(impact, *law, options.delta));
    if (!all.empty()) {
        const auto written =
            write_plots(options, (*impacts)[options.index], *law, all[options.index].outcome.mode);
        if (!written) return fail(written.error());
    }
    if (!options.json.empty()) {
        Json array = Json::array();
        for (const Solved& solved : all) array.push_back(to_json(solved));
        const auto written = write_json(options.json, array);
        if (!written) return fail(written.error());
    }
    const bool is_stdout_taken =
        options.json == "-" || options.plot == "-" || options.portrait == "-";
    if (!is_stdout_taken) print(options, all);
    return done;
}

} // namespace rigor::app
