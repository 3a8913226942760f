// Plots as SVG.
#pragma once

#include <array>
#include <string>

#include "plot.h"

namespace rigor::plot {

/// Colors, as SVG has them.
struct Look {
    std::string paper, ink, muted, grid;
    std::array<std::string, 8> lines; ///< distinguishable in print and by the color-blind
    std::array<std::string, 4> areas; ///< for what carries text and lines
};
/// Of a file of its own.
const Look& paper_look();
/// Of a page that defines the colors for the light and the dark: --paper, --ink, --muted, --grid,
/// --line-0 to --line-7 and --area-0 to --area-3.
const Look& page_look();

struct SvgOptions {
    int width = 800, height = 500;
    bool has_title = true;
    const Look* look = &paper_look();
};

std::string to_svg(const Plot& plot, const SvgOptions& options = {});

/// With &, <, > and " as entities.
std::string escaped(const std::string& text);

} // namespace rigor::plot
