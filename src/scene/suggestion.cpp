#include "scene/suggestion.h"

#include <algorithm>
#include <cstdlib>

namespace rigor {

int edit_distance(std::string_view a, std::string_view b, int limit) {
    const int rows = static_cast<int>(a.size()), columns = static_cast<int>(b.size());
    if (std::abs(rows - columns) > limit) return limit + 1;
    // Three rows of the table of distances between prefixes: one for replacing, inserting and
    // deleting, two for swapping.
    std::vector<int> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    for (int j = 0; j <= columns; ++j) previous[static_cast<std::size_t>(j)] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replace = previous[j - 1] + (a[i - 1] != b[j - 1]);
            current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return std::min(previous.back(), limit + 1);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
    if (name.size() > 100) return {};
    // A third of the letters wrong is a slip; more is another word.
    int best = std::max(1, static_cast<int>(name.size()) / 3) + 1;
    std::string_view nearest;
    for (const std::string_view candidate : known) {
        const int distance = edit_distance(name, candidate, best - 1);
        if (distance < best) best = distance, nearest = candidate;
    }
    return nearest.empty() ? std::string() : "; did you mean \"" + std::string(nearest) + "\"?";
}

} // namespace rigor
