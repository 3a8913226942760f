#include "fast/system_kernels.h"

#include "fast/kernel_widths.h"
#include "rigor/mat.h"
#include "simd/float_lanes.h"
#include "simd/lanes.h"

namespace rigor::fast {
namespace {

using D = Lanes4d;

constexpr double kTiny = 1e-200; // for lanes without a joint

/// Four lanes of a column of W: those from 4 * chunk on. A single lane is repeated.
template <int W>
RIGOR_INLINE D load(const Column<W>& column, std::size_t chunk) {
    if constexpr (W == 1) return D(static_cast<double>(column[0]));
    return D::load(column.data() + 4 * chunk);
}
template <int W>
RIGOR_INLINE void store(D value, Column<W>& column, std::size_t chunk) {
    if constexpr (W == 1) {
        float lanes[4];
        value.store(lanes);
        column[0] = lanes[0];
    } else {
        value.store(column.data() + 4 * chunk);
    }
}
template <int W>
RIGOR_INLINE Vec3<D> load(const std::array<Column<W>, 3>& v, std::size_t chunk) {
    return {load<W>(v[0], chunk), load<W>(v[1], chunk), load<W>(v[2], chunk)};
}
template <int W>
RIGOR_INLINE Sym3<D> load(const std::array<Column<W>, 6>& m, std::size_t chunk) {
    return {load<W>(m[0], chunk), load<W>(m[1], chunk), load<W>(m[2], chunk),
            load<W>(m[3], chunk), load<W>(m[4], chunk), load<W>(m[5], chunk)};
}

/// The values of four systems.
class Values {
  public:
    explicit Values(double* values) : values_(values) {}

    RIGOR_INLINE D get(std::size_t i) const { return D::load(values_ + 4 * i); }
    RIGOR_INLINE void set(std::size_t i, D value) const { value.store(values_ + 4 * i); }
    RIGOR_INLINE void subtract(std::size_t i, D value) const { set(i, get(i) - value); }

  private:
    double* values_;
};

/// The matrix before elimination.
template <int W>
RIGOR_INLINE void add_diagonal(const EliminationPlan::Node& node, const JointBlock<W>& block,
                               std::size_t chunk, const Values& values) {
    const Sym3<D> ia = load<W>(block.inv_inertia_a, chunk),
                  ib = load<W>(block.inv_inertia_b, chunk);
    const D m = load<W>(block.inv_mass_a, chunk) + load<W>(block.inv_mass_b, chunk);
    for (std::size_t j = 0; j < node.rows; ++j) {
        const auto& column = block.rows[j];
        const Vec3<D> linear = load<W>(column.linear, chunk) * m;
        const Vec3<D> turned_a = ia * load<W>(column.angular_a, chunk),
                      turned_b = ib * load<W>(column.angular_b, chunk);
        for (std::size_t i = j; i < node.rows; ++i) {
            const auto& row = block.rows[i];
            values.set(node.diagonal + i * node.rows + j,
                       dot(load<W>(row.linear, chunk), linear) +
                           dot(load<W>(row.angular_a, chunk), turned_a) +
                           dot(load<W>(row.angular_b, chunk), turned_b));
        }
    }
}

template <int W>
RIGOR_INLINE void add_coupling(const EliminationPlan& plan,
                               const EliminationPlan::Coupling& coupling,
                               const JointBlock<W>* blocks, std::size_t chunk,
                               const Values& values) {
    const EliminationPlan::Node &of_row = plan.nodes[coupling.row],
                                &of_column = plan.nodes[coupling.column];
    const JointBlock<W>&row_block = blocks[of_row.joint], &column_block = blocks[of_column.joint];
    const bool row_is_b = coupling.row_is_b, column_is_b = coupling.column_is_b;
    // The reaction on an end a is the opposite of that on b.
    const D sign = row_is_b == column_is_b ? 1.0 : -1.0;
    const Sym3<D> inertia =
        load<W>(row_is_b ? row_block.inv_inertia_b : row_block.inv_inertia_a, chunk);
    const D mass = load<W>(row_is_b ? row_block.inv_mass_b : row_block.inv_mass_a, chunk) * sign;
    for (std::size_t j = 0; j < of_column.rows; ++j) {
        const auto& column = column_block.rows[j];
        const Vec3<D> linear = load<W>(column.linear, chunk) * mass;
        const Vec3<D> turned =
            inertia * (load<W>(column_is_b ? column.angular_b : column.angular_a, chunk) * sign);
        for (std::size_t i = 0; i < of_row.rows; ++i) {
            const auto& row = row_block.rows[i];
            const D k = dot(load<W>(row.linear, chunk), linear) +
                        dot(load<W>(row_is_b ? row.angular_b : row.angular_a, chunk), turned);
            const std::size_t at = coupling.values + i * of_column.rows + j;
            values.set(at, values.get(at) + k);
        }
    }
}

/// L below the diagonal and the inverses of D on it.
/// An inverse p³/(p⁴ + e⁴) all but vanishes for pivots far below e, is bounded, and exact above.
RIGOR_INLINE void factor_diagonal(const EliminationPlan::Node& node, const D* whole, D least_pivot,
                                  const Values& values) {
    const auto at = [&](std::size_t i, std::size_t j) { return node.diagonal + i * node.rows + j; };
    D pivots[6];
    for (std::size_t i = 0; i < node.rows; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            D k = values.get(at(i, j));
            for (std::size_t l = 0; l < j; ++l)
                k = k - values.get(at(i, l)) * values.get(at(j, l)) * pivots[l];
            if (j < i) {
                values.set(at(i, j), k * values.get(at(j, j)));
            } else {
                const D least = whole[i] * least_pivot, e2 = least * least, k2 = k * k;
                pivots[i] = k;
                values.set(at(i, i), k * k2 / (k2 * k2 + e2 * e2 + D(kTiny)));
            }
        }
}

/// x := inv(L D Lᵀ) x.
RIGOR_INLINE void solve_diagonal(const EliminationPlan::Node& node, const Values& values, D* x) {
    const auto at = [&](std::size_t i, std::size_t j) { return node.diagonal + i * node.rows + j; };
    for (std::size_t i = 0; i < node.rows; ++i)
        for (std::size_t j = 0; j < i; ++j) x[i] = x[i] - values.get(at(i, j)) * x[j];
    for (std::size_t i = node.rows; i-- > 0;) {
        x[i] = x[i] * values.get(at(i, i));
        for (std::size_t j = i + 1; j < node.rows; ++j) x[i] = x[i] - values.get(at(j, i)) * x[j];
    }
}

/// Eliminates a node from the rows of its neighbors. Its column K becomes K inv(L D Lᵀ): from the
/// last row on, as rows before it need it as it was.
RIGOR_INLINE void eliminate(const EliminationPlan& plan, const EliminationPlan::Node& node,
                            const Values& values) {
    const std::size_t n = node.rows;
    for (std::size_t i = node.end - node.begin; i-- > 0;) {
        const EliminationPlan::Block& of_i = plan.blocks[node.begin + i];
        const std::uint32_t* targets = &plan.targets[node.targets + i * (i + 1) / 2];
        for (std::size_t r = plan.nodes[of_i.node].rows; r-- > 0;) {
            D x[6];
            for (std::size_t c = 0; c < n; ++c) x[c] = values.get(of_i.values + r * n + c);
            solve_diagonal(node, values, x);
            for (std::size_t j = 0; j <= i; ++j) {
                const EliminationPlan::Block& of_j = plan.blocks[node.begin + j];
                const std::size_t rows = plan.nodes[of_j.node].rows;
                for (std::size_t s = 0; s < (j == i ? r + 1 : rows); ++s) {
                    D sum = x[0] * values.get(of_j.values + s * n);
                    for (std::size_t c = 1; c < n; ++c)
                        sum = sum + x[c] * values.get(of_j.values + s * n + c);
                    values.subtract(targets[j] + r * rows + s, sum);
                }
            }
            for (std::size_t c = 0; c < n; ++c) values.set(of_i.values + r * n + c, x[c]);
        }
    }
}

/// The squares of all errors, as angles. In a loop rows may be redundant, as when all axes of a
/// linkage are parallel. If they are so but for an angle x, the pivot of one is x² of its diagonal
/// entry: it could move something, but far too much, and would only lock the loop. Joints that do
/// not fit show it by their errors.
template <int W>
RIGOR_INLINE D squared_errors(const EliminationPlan& plan, const JointBlock<W>* blocks,
                              std::size_t chunk) {
    D sum = 0.0;
    for (const EliminationPlan::Node& node : plan.nodes) {
        const JointBlock<W>& block = blocks[node.joint];
        const Vec3<D> arm_a = load<W>(block.current_anchor_a, chunk),
                      arm_b = load<W>(block.current_anchor_b, chunk);
        const D squared_arm = dot(arm_a, arm_a) + dot(arm_b, arm_b) + D(kTiny);
        for (std::size_t i = 0; i < node.rows; ++i) {
            const D error = load<W>(block.rows[i].error, chunk);
            const Vec3<D> linear = load<W>(block.rows[i].linear, chunk);
            const D is_linear = dot(linear, linear); // 1 or 0
            sum = sum + error * error * (D(1.0) - is_linear + is_linear / squared_arm);
        }
    }
    return sum;
}

template <int W>
RIGOR_INLINE void factor_chunk(const EliminationPlan& plan, const JointBlock<W>* blocks,
                               std::size_t chunk, const Values& values) {
    for (const EliminationPlan::Node& node : plan.nodes) {
        add_diagonal<W>(node, blocks[node.joint], chunk, values);
        // Its entries as they are, for the size of pivots: where the right-hand side will be.
        for (std::size_t i = 0; i < node.rows; ++i)
            values.set(node.solution + i, values.get(node.diagonal + i * node.rows + i));
        for (std::uint32_t b = node.begin; b < node.end; ++b)
            for (std::size_t i = 0; i < plan.nodes[plan.blocks[b].node].rows * node.rows; ++i)
                values.set(plan.blocks[b].values + i, 0.0);
    }
    for (const EliminationPlan::Coupling& coupling : plan.couplings)
        add_coupling<W>(plan, coupling, blocks, chunk, values);
    constexpr double kErrorWeight = 100;
    D least_pivot = plan.least_pivot;
    if (plan.has_loop)
        least_pivot = least_pivot + squared_errors<W>(plan, blocks, chunk) * D(kErrorWeight);
    for (const EliminationPlan::Node& node : plan.nodes) {
        D whole[6];
        for (std::size_t i = 0; i < node.rows; ++i) whole[i] = values.get(node.solution + i);
        factor_diagonal(node, whole, least_pivot, values);
        eliminate(plan, node, values);
    }
}

/// The right-hand side with what was eliminated before, then the solution from the last node on.
template <int W>
RIGOR_INLINE void solve_chunk(const EliminationPlan& plan, const Values& values, Column<W>* rows,
                              std::size_t chunk) {
    for (const EliminationPlan::Node& node : plan.nodes)
        for (std::size_t i = 0; i < node.rows; ++i)
            values.set(node.solution + i, load<W>(rows[6 * node.joint + i], chunk));
    for (const EliminationPlan::Node& node : plan.nodes)
        for (std::uint32_t b = node.begin; b < node.end; ++b) {
            const EliminationPlan::Node& of_row = plan.nodes[plan.blocks[b].node];
            for (std::size_t r = 0; r < of_row.rows; ++r)
                for (std::size_t c = 0; c < node.rows; ++c)
                    values.subtract(of_row.solution + r,
                                    values.get(plan.blocks[b].values + r * node.rows + c) *
                                        values.get(node.solution + c));
        }
    for (std::size_t k = plan.nodes.size(); k-- > 0;) {
        const EliminationPlan::Node& node = plan.nodes[k];
        D x[6];
        for (std::size_t i = 0; i < node.rows; ++i) x[i] = values.get(node.solution + i);
        solve_diagonal(node, values, x);
        for (std::uint32_t b = node.begin; b < node.end; ++b) {
            const EliminationPlan::Node& of_row = plan.nodes[plan.blocks[b].node];
            for (std::size_t r = 0; r < of_row.rows; ++r)
                for (std::size_t c = 0; c < node.rows; ++c)
                    x[c] = x[c] - values.get(plan.blocks[b].values + r * node.rows + c) *
                                      values.get(of_row.solution + r);
        }
        for (std::size_t i = 0; i < node.rows; ++i) {
            values.set(node.solution + i, x[i]);
            store<W>(x[i], rows[6 * node.joint + i], chunk);
        }
    }
}

constexpr std::size_t chunks_of(int lanes) {
    return lanes == 8 ? 2 : 1;
}

#define RIGOR_KERNELS(W, ATTRIBUTES)                                                          \
    ATTRIBUTES void factor_##W(const EliminationPlan& plan, const JointBlock<W>* blocks,      \
                               double* values) {                                              \
        for (std::size_t c = 0; c < chunks_of(W); ++c)                                        \
            factor_chunk<W>(plan, blocks, c, Values(values + 4 * c * plan.value_count));      \
    }                                                                                         \
    ATTRIBUTES void solve_##W(const EliminationPlan& plan, double* values, Column<W>* rows) { \
        for (std::size_t c = 0; c < chunks_of(W); ++c)                                        \
            solve_chunk<W>(plan, Values(values + 4 * c * plan.value_count), rows, c);         \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

#define RIGOR_INSTANTIATE(W)                                                             \
    template <>                                                                          \
    void factor_system<W>(const EliminationPlan& plan, const JointBlock<W>* blocks,      \
                          double* values) {                                              \
        factor_##W(plan, blocks, values);                                                \
    }                                                                                    \
    template <>                                                                          \
    void solve_system<W>(const EliminationPlan& plan, double* values, Column<W>* rows) { \
        solve_##W(plan, values, rows);                                                   \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
