#include "curves.h"

#include <algorithm>
#include <cmath>

namespace rigor::validation {

plot::Series series_of(Method method, plot::Mark mark) {
    int color = 0;
    for (const Method other : kAllMethods) {
        if (other == method) break;
        ++color;
    }
    return {std::string(name(method)), {}, {}, mark, color};
}

plot::Series theory(const std::string& name, plot::Mark mark) {
    return {name, {}, {}, mark, plot::kInk};
}

void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& x, const std::function<double()>& y, int every) {
    series.add(x(), y());
    const long long steps = std::llround(seconds / dt);
    for (long long i = 1; i <= steps; ++i) {
        const bool is_over = !world.step(dt).finished;
        if (i % every == 0) series.add(x(), y());
        if (is_over) return;
    }
}

void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& y, int every) {
    follow(
        series, world, seconds, dt, [&] { return world.time(); }, y, every);
}

double magnitude(double value) {
    return std::max(std::abs(value), 1e-17);
}

void trace(plot::Series& series, double from, double to, const std::function<double(double)>& y,
           int parts) {
    for (int i = 0; i <= parts; ++i) {
        const double x = from + (to - from) * i / parts;
        series.add(x, y(x));
    }
}

} // namespace rigor::validation
