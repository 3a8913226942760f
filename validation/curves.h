// What the plots of checks have in common. They run their worlds anew, so that a check that nobody
// wants to see costs nothing more.
#pragma once

#include <functional>
#include <string>

#include "plot.h"
#include "rigor/world.h"

namespace rigor::validation {

/// Rigor's own two, and all that there are with contacts.
inline constexpr Method kOwnMethods[] = {Method::faithful, Method::fast};
inline constexpr Method kAllMethods[] = {Method::faithful,    Method::fast,      Method::baber2006,
                                         Method::kavan2003,   Method::baber2011, Method::kenwright,
                                         Method::galoppo2007, Method::penalty};

/// An empty series in the name and color of a method, the same in all plots.
plot::Series series_of(Method method, plot::Mark mark = plot::Mark::line);
/// What theory says.
plot::Series theory(const std::string& name = "closed form", plot::Mark mark = plot::Mark::dashed);

/// Adds y() over x() now and after each step. `every` so many steps one is looked at.
void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& x, const std::function<double()>& y, int every = 1);
/// Likewise over time.
void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& y, int every = 1);

/// For logarithmic scales: |value|, or as little as can be told from nothing.
double magnitude(double value);

/// A curve of theory, in so many parts.
void trace(plot::Series& series, double from, double to, const std::function<double(double)>& y,
           int parts = 200);

} // namespace rigor::validation
