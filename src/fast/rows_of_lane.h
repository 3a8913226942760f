// The rows of one lane of a system, as a vector.
#pragma once

#include <vector>

#include "fast/elimination_plan.h"
#include "fast/lane_columns.h"

namespace rigor::fast {

/// In the order of the plan, joint by joint. Vectors may have more components, which are not read.
template <int W>
class RowsOfLane {
  public:
    RowsOfLane(const EliminationPlan& plan, Column<W>* rows, std::size_t lane = 0)
        : plan_(plan), rows_(rows), lane_(lane) {}

    template <class Visit>
    void for_each(const Visit& visit) const {
        std::size_t at = 0;
        for (const EliminationPlan::Node& node : plan_.nodes)
            for (std::size_t i = 0; i < node.rows; ++i)
                visit(rows_[6 * node.joint + i][lane_], at++);
    }
    void copy_to(std::vector<float>& values) const {
        values.clear();
        for_each([&](float x, std::size_t) { values.push_back(x); });
    }
    double dot(const std::vector<float>& values) const {
        double sum = 0;
        for_each([&](float x, std::size_t i) {
            sum += static_cast<double>(x) * static_cast<double>(values[i]);
        });
        return sum;
    }
    /// x -= factor * values.
    void subtract(const std::vector<float>& values, double factor) const {
        for_each([&](float& x, std::size_t i) {
            x = static_cast<float>(static_cast<double>(x) -
                                   factor * static_cast<double>(values[i]));
        });
    }

  private:
    const EliminationPlan& plan_;
    Column<W>* rows_;
    std::size_t lane_;
};

} // namespace rigor::fast
