// "did you mean": the known name nearest to a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigor {

/// Letters to insert, delete, replace or swap with a neighbor to make a into b, or `limit` + 1
/// when it takes more than that [Damerau 1964].
int edit_distance(std::string_view a, std::string_view b, int limit);

/// `; did you mean "position"?` when some known name is near enough to be meant, else nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

} // namespace rigor
