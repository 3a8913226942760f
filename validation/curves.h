// Curves for the plots of checks. Plots run their worlds again, so that checks without plots cost
// nothing extra.
#pragma once

#include <functional>
#include <string>

#include "plot.h"
#include "rigor/world.h"

namespace rigor::validation {

/// Rigor's own two methods, and all methods with contacts.
inline constexpr Method kOwnMethods[] = {Method::faithful, Method::fast};
inline constexpr Method kAllMethods[] = {Method::faithful,    Method::fast,      Method::baber2006,
                                         Method::kavan2003,   Method::baber2011, Method::kenwright,
                                         Method::galoppo2007, Method::penalty};

/// An empty series in the name and color of a method, the same in all plots.
plot::Series series_of(Method method, plot::Mark mark = plot::Mark::line);
/// The theoretical curve.
plot::Series theory(const std::string& name = "closed form", plot::Mark mark = plot::Mark::dashed);

/// Adds y() over x() now and after every `every` steps.
void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& x, const std::function<double()>& y, int every = 1);
/// Likewise over time.
void follow(plot::Series& series, World& world, double seconds, double dt,
            const std::function<double()>& y, int every = 1);

/// For logarithmic scales: |value|, or the smallest value shown.
double magnitude(double value);

/// A curve of theory, in so many parts.
void trace(plot::Series& series, double from, double to, const std::function<double(double)>& y,
           int parts = 200);

} // namespace rigor::validation
