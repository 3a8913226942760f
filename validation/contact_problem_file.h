// Contact problems of the collection of Siconos [Acary 2014], as text.
#pragma once

#include <filesystem>

#include "numeric/friction_problem.h"
#include "rigor/result.h"

namespace rigor::validation {

/// A problem of two or three dimensions; the matrix is dense, in sparse blocks, or sparse by
/// columns.
///
/// The file has the normal first, we have it last. A problem in the plane gets a second tangent
/// that nothing acts on: with an entry of its own on the diagonal of W its impulse is zero.
Result<FrictionProblem> read_contact_problem(const std::filesystem::path& file);

} // namespace rigor::validation
