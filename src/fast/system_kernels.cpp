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

/// The values of four systems. What is stored in them may be anything for the compiler: nodes and
/// blocks of the plan are copied, so that it need not read them again.
class Values {
  public:
    explicit Values(double* values) : values_(values) {}

    RIGOR_INLINE D get(std::size_t i) const { return D::load(values_ + 4 * i); }
    RIGOR_INLINE void set(std::size_t i, D value) const { value.store(values_ + 4 * i); }
    RIGOR_INLINE void subtract(std::size_t i, D value) const { set(i, get(i) - value); }

  private:
    double* values_;
};

/// The rows of a node: N if all have so many, which lets the compiler unroll, else (N = 0) its own.
template <std::size_t N>
RIGOR_INLINE std::size_t rows_of(const EliminationPlan::Node& node) {
    if (N > 0) return N;
    // A joint has at most six rows. gcc 12 does not know, and warns of arrays that end there.
    if (node.rows > 6) __builtin_unreachable();
    return node.rows;
}

/// The Jacobian of one end of a joint, row by row.
template <int W, std::size_t N>
struct EndRows {
    RIGOR_INLINE EndRows(const EliminationPlan::Node& node, const JointBlock<W>& block, bool is_b,
                         std::size_t chunk) {
        for (std::size_t i = 0; i < rows_of<N>(node); ++i) {
            const auto& row = block.rows[i];
            linear[i] = load<W>(row.linear, chunk);
            angular[i] = load<W>(is_b ? row.angular_b : row.angular_a, chunk);
        }
        if (block.layout.has_limit_rows) leave_out_limits(block, chunk);
    }
    /// Rows of limits that do not act are empty: their pivots vanish, and so do their impulses.
    RIGOR_INLINE void leave_out_limits(const JointBlock<W>& block, std::size_t chunk) {
        for (std::size_t i = 0; i < block.layout.dofs; ++i) {
            const D side = load<W>(block.dofs[i].side, chunk), acts = side * side;
            linear[block.layout.equality_rows + i] = linear[block.layout.equality_rows + i] * acts;
            angular[block.layout.equality_rows + i] =
                angular[block.layout.equality_rows + i] * acts;
        }
    }
    Vec3<D> linear[6], angular[6];
};

/// The matrix before elimination.
template <int W, std::size_t N>
RIGOR_INLINE void add_diagonal(const EliminationPlan::Node& node, const JointBlock<W>& block,
                               std::size_t chunk, const Values& values) {
    const std::size_t n = rows_of<N>(node);
    const EndRows<W, N> a(node, block, false, chunk), b(node, block, true, chunk);
    const Sym3<D> ia = load<W>(block.inv_inertia_a, chunk),
                  ib = load<W>(block.inv_inertia_b, chunk);
    const D m = load<W>(block.inv_mass_a, chunk) + load<W>(block.inv_mass_b, chunk);
    for (std::size_t j = 0; j < n; ++j) {
        const Vec3<D> linear = a.linear[j] * m, turned_a = ia * a.angular[j],
                      turned_b = ib * b.angular[j];
        for (std::size_t i = j; i < n; ++i)
            values.set(node.diagonal + i * n + j, dot(a.linear[i], linear) +
                                                      dot(a.angular[i], turned_a) +
                                                      dot(b.angular[i], turned_b));
    }
}

template <int W, std::size_t N>
RIGOR_INLINE void add_coupling(const EliminationPlan& plan,
                               const EliminationPlan::Coupling& coupling,
                               const JointBlock<W>* blocks, std::size_t chunk,
                               const Values& values) {
    const EliminationPlan::Node &of_row = plan.nodes[coupling.row],
                                &of_column = plan.nodes[coupling.column];
    const JointBlock<W>& block = blocks[of_row.joint];
    const bool is_b = coupling.row_is_b;
    const EndRows<W, N> rows(of_row, block, is_b, chunk),
        columns(of_column, blocks[of_column.joint], coupling.column_is_b, chunk);
    // The reaction on an end a is the opposite of that on b.
    const D sign = is_b == coupling.column_is_b ? 1.0 : -1.0;
    const Sym3<D> inertia = load<W>(is_b ? block.inv_inertia_b : block.inv_inertia_a, chunk);
    const D mass = load<W>(is_b ? block.inv_mass_b : block.inv_mass_a, chunk) * sign;
    const std::size_t n = rows_of<N>(of_column);
    for (std::size_t j = 0; j < n; ++j) {
        const Vec3<D> linear = columns.linear[j] * mass,
                      turned = inertia * (columns.angular[j] * sign);
        for (std::size_t i = 0; i < rows_of<N>(of_row); ++i) {
            const std::size_t at = coupling.values + i * n + j;
            values.set(
                at, values.get(at) + (dot(rows.linear[i], linear) + dot(rows.angular[i], turned)));
        }
    }
}

/// I (r x e) for the three axes e: how a unit impulse along each at an arm r turns a body.
struct BallEnd {
    RIGOR_INLINE BallEnd(const Sym3<D>& i, const Vec3<D>& r)
        : turned{{i.xy * r.z - i.xz * r.y, i.yy * r.z - i.yz * r.y, i.yz * r.z - i.zz * r.y},
                 {i.xz * r.x - i.xx * r.z, i.yz * r.x - i.xy * r.z, i.zz * r.x - i.xz * r.z},
                 {i.xx * r.y - i.xy * r.x, i.xy * r.y - i.yy * r.x, i.xz * r.y - i.yz * r.x}} {}
    Vec3<D> turned[3];
};

/// As add_diagonal and add_coupling for ball joints, whose rows are the three axes of the world.
template <int W>
RIGOR_INLINE void add_ball_diagonal(const EliminationPlan::Node& node, const JointBlock<W>& block,
                                    std::size_t chunk, const Values& values) {
    const Vec3<D> arm_a = load<W>(block.current_anchor_a, chunk),
                  arm_b = load<W>(block.current_anchor_b, chunk);
    const BallEnd a(load<W>(block.inv_inertia_a, chunk), arm_a),
        b(load<W>(block.inv_inertia_b, chunk), arm_b);
    const D m = load<W>(block.inv_mass_a, chunk) + load<W>(block.inv_mass_b, chunk);
    const auto set = [&](std::size_t i, std::size_t j, D value) {
        values.set(node.diagonal + 3 * i + j, value);
    };
    const auto column = [&](std::size_t j) {
        return cross(a.turned[j], arm_a) + cross(b.turned[j], arm_b);
    };
    const Vec3<D> x = column(0), y = column(1), z = column(2);
    set(0, 0, x.x + m);
    set(1, 0, x.y);
    set(2, 0, x.z);
    set(1, 1, y.y + m);
    set(2, 1, y.z);
    set(2, 2, z.z + m);
}

template <int W>
RIGOR_INLINE void add_ball_coupling(const EliminationPlan& plan,
                                    const EliminationPlan::Coupling& coupling,
                                    const JointBlock<W>* blocks, std::size_t chunk,
                                    const Values& values) {
    const JointBlock<W>&row = blocks[plan.nodes[coupling.row].joint],
          &of_column = blocks[plan.nodes[coupling.column].joint];
    const bool is_b = coupling.row_is_b;
    const D sign = is_b == coupling.column_is_b ? 1.0 : -1.0;
    const Vec3<D> row_arm = load<W>(is_b ? row.current_anchor_b : row.current_anchor_a, chunk),
                  column_arm = load<W>(coupling.column_is_b ? of_column.current_anchor_b
                                                            : of_column.current_anchor_a,
                                       chunk);
    const D mass = load<W>(is_b ? row.inv_mass_b : row.inv_mass_a, chunk) * sign;
    const BallEnd end(load<W>(is_b ? row.inv_inertia_b : row.inv_inertia_a, chunk),
                      column_arm * sign);
    for (std::size_t j = 0; j < 3; ++j) {
        const Vec3<D> entries = cross(end.turned[j], row_arm);
        const D column[3] = {entries.x, entries.y, entries.z};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t at = coupling.values + 3 * i + j;
            values.set(at, values.get(at) + (i == j ? column[i] + mass : column[i]));
        }
    }
}

/// The factors of a block on the diagonal: L below it and the inverses of D on it.
template <std::size_t N>
struct Diagonal {
    /// Factors it. An inverse p³/(p⁴ + e⁴) all but vanishes for pivots far below e, is bounded, and
    /// exact above.
    RIGOR_INLINE void factor(const EliminationPlan::Node& node, D least_pivot,
                             const Values& values) {
        const std::size_t n = rows_of<N>(node);
        D pivots[6];
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                D k = values.get(node.diagonal + i * n + j);
                for (std::size_t l = 0; l < j; ++l)
                    k = k - entries[i][l] * entries[j][l] * pivots[l];
                if (j < i) {
                    entries[i][j] = k * entries[j][j];
                } else {
                    // Its entry before elimination is where the right-hand side will be.
                    const D least = values.get(node.solution + i) * least_pivot, e2 = least * least,
                            k2 = k * k;
                    pivots[i] = k;
                    entries[i][i] = k * k2 / (k2 * k2 + e2 * e2 + D(kTiny));
                }
                values.set(node.diagonal + i * n + j, entries[i][j]);
            }
    }
    RIGOR_INLINE void read(const EliminationPlan::Node& node, const Values& values) {
        const std::size_t n = rows_of<N>(node);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                entries[i][j] = values.get(node.diagonal + i * n + j);
    }
    /// x := inv(L D Lᵀ) x.
    RIGOR_INLINE void solve(std::size_t n, D* x) const {
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j) x[i] = x[i] - entries[i][j] * x[j];
        for (std::size_t i = n; i-- > 0;) {
            x[i] = x[i] * entries[i][i];
            for (std::size_t j = i + 1; j < n; ++j) x[i] = x[i] - entries[j][i] * x[j];
        }
    }
    D entries[6][6];
};

/// Eliminates a node from the rows of its neighbors. Its column K becomes K inv(L D Lᵀ): from the
/// last row on, as rows before it need it as it was.
template <std::size_t N>
RIGOR_INLINE void eliminate(const EliminationPlan& plan, const EliminationPlan::Node& node,
                            const Diagonal<N>& diagonal, const Values& values) {
    const std::size_t n = rows_of<N>(node);
    for (std::size_t i = node.end - node.begin; i-- > 0;) {
        const EliminationPlan::Block of_i = plan.blocks[node.begin + i];
        const std::uint32_t* targets = &plan.targets[node.targets + i * (i + 1) / 2];
        for (std::size_t r = rows_of<N>(plan.nodes[of_i.node]); r-- > 0;) {
            D x[6];
            for (std::size_t c = 0; c < n; ++c) x[c] = values.get(of_i.values + r * n + c);
            diagonal.solve(n, x);
            for (std::size_t j = 0; j <= i; ++j) {
                const EliminationPlan::Block of_j = plan.blocks[node.begin + j];
                const std::size_t rows = rows_of<N>(plan.nodes[of_j.node]);
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

template <int W, std::size_t N, bool kBalls>
RIGOR_INLINE void factor_chunk(const EliminationPlan& plan, const JointBlock<W>* blocks,
                               std::size_t chunk, const Values& values) {
    for (const EliminationPlan::Node node : plan.nodes) {
        const std::size_t n = rows_of<N>(node);
        if constexpr (kBalls)
            add_ball_diagonal<W>(node, blocks[node.joint], chunk, values);
        else
            add_diagonal<W, N>(node, blocks[node.joint], chunk, values);
        for (std::size_t i = 0; i < n; ++i) {
            const D whole = values.get(node.diagonal + i * n + i);
            values.set(node.solution + i, whole);
            if (plan.has_loop)
                values.set(node.diagonal + i * n + i, whole * D(1 + kLoopCompliance));
        }
        for (std::uint32_t b = node.begin; b < node.end; ++b) {
            const EliminationPlan::Block block = plan.blocks[b];
            for (std::size_t i = 0; i < rows_of<N>(plan.nodes[block.node]) * n; ++i)
                values.set(block.values + i, 0.0);
        }
    }
    for (const EliminationPlan::Coupling coupling : plan.couplings) {
        if constexpr (kBalls)
            add_ball_coupling<W>(plan, coupling, blocks, chunk, values);
        else
            add_coupling<W, N>(plan, coupling, blocks, chunk, values);
    }
    const D least_pivot = plan.least_pivot;
    for (const EliminationPlan::Node node : plan.nodes) {
        Diagonal<N> diagonal;
        diagonal.factor(node, least_pivot, values);
        eliminate<N>(plan, node, diagonal, values);
    }
}

/// The right-hand side with what was eliminated before, then the solution from the last node on.
template <int W, std::size_t N>
RIGOR_INLINE void solve_chunk(const EliminationPlan& plan, const Values& values, Column<W>* rows,
                              std::size_t chunk) {
    for (const EliminationPlan::Node node : plan.nodes)
        for (std::size_t i = 0; i < rows_of<N>(node); ++i)
            values.set(node.solution + i, load<W>(rows[6 * node.joint + i], chunk));
    for (const EliminationPlan::Node node : plan.nodes) {
        const std::size_t n = rows_of<N>(node);
        D x[6];
        for (std::size_t c = 0; c < n; ++c) x[c] = values.get(node.solution + c);
        for (std::uint32_t b = node.begin; b < node.end; ++b) {
            const EliminationPlan::Block block = plan.blocks[b];
            const EliminationPlan::Node of_row = plan.nodes[block.node];
            for (std::size_t r = 0; r < rows_of<N>(of_row); ++r) {
                D sum = values.get(of_row.solution + r);
                for (std::size_t c = 0; c < n; ++c)
                    sum = sum - values.get(block.values + r * n + c) * x[c];
                values.set(of_row.solution + r, sum);
            }
        }
    }
    for (std::size_t k = plan.nodes.size(); k-- > 0;) {
        const EliminationPlan::Node node = plan.nodes[k];
        const std::size_t n = rows_of<N>(node);
        Diagonal<N> diagonal;
        diagonal.read(node, values);
        D x[6];
        for (std::size_t i = 0; i < n; ++i) x[i] = values.get(node.solution + i);
        diagonal.solve(n, x);
        for (std::uint32_t b = node.begin; b < node.end; ++b) {
            const EliminationPlan::Block block = plan.blocks[b];
            const EliminationPlan::Node of_row = plan.nodes[block.node];
            for (std::size_t r = 0; r < rows_of<N>(of_row); ++r) {
                const D y = values.get(of_row.solution + r);
                for (std::size_t c = 0; c < n; ++c)
                    x[c] = x[c] - values.get(block.values + r * n + c) * y;
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            values.set(node.solution + i, x[i]);
            store<W>(x[i], rows[6 * node.joint + i], chunk);
        }
    }
}

constexpr std::size_t chunks_of(int lanes) {
    return lanes == 8 ? 2 : 1;
}

/// How many rows all nodes have, if it is a number that kernels are compiled for; else 0.
std::size_t common_rows(const EliminationPlan& plan) {
    const std::size_t rows = plan.nodes[0].rows;
    if (rows != 3 && rows != 5) return 0;
    for (const EliminationPlan::Node& node : plan.nodes)
        if (node.rows != rows) return 0;
    return rows;
}

/// Whether all joints of three rows are balls.
template <int W>
bool has_balls_alone(const EliminationPlan& plan, const JointBlock<W>* blocks) {
    for (const EliminationPlan::Node& node : plan.nodes)
        if (blocks[node.joint].layout.type != JointType::ball) return false;
    return true;
}

#define RIGOR_KERNELS_OF(W, N, ATTRIBUTES)                                                         \
    ATTRIBUTES void factor_##W##_##N(const EliminationPlan& plan, const JointBlock<W>* blocks,     \
                                     double* values) {                                             \
        for (std::size_t c = 0; c < chunks_of(W); ++c)                                             \
            factor_chunk<W, N, false>(plan, blocks, c, Values(values + 4 * c * plan.value_count)); \
    }                                                                                              \
    ATTRIBUTES void solve_##W##_##N(const EliminationPlan& plan, double* values,                   \
                                    Column<W>* rows) {                                             \
        for (std::size_t c = 0; c < chunks_of(W); ++c)                                             \
            solve_chunk<W, N>(plan, Values(values + 4 * c * plan.value_count), rows, c);           \
    }
#define RIGOR_KERNELS(W, ATTRIBUTES)                                                              \
    RIGOR_KERNELS_OF(W, 0, ATTRIBUTES)                                                            \
    RIGOR_KERNELS_OF(W, 3, ATTRIBUTES)                                                            \
    RIGOR_KERNELS_OF(W, 5, ATTRIBUTES)                                                            \
    ATTRIBUTES void factor_##W##_balls(const EliminationPlan& plan, const JointBlock<W>* blocks,  \
                                       double* values) {                                          \
        for (std::size_t c = 0; c < chunks_of(W); ++c)                                            \
            factor_chunk<W, 3, true>(plan, blocks, c, Values(values + 4 * c * plan.value_count)); \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                     \
    template <>                                                                                  \
    void factor_system<W>(const EliminationPlan& plan, const JointBlock<W>* blocks,              \
                          double* values) {                                                      \
        const std::size_t rows = common_rows(plan);                                              \
        const bool has_balls = rows == 3 && has_balls_alone<W>(plan, blocks);                    \
        const auto kernel = has_balls   ? factor_##W##_balls                                     \
                            : rows == 3 ? factor_##W##_3                                         \
                            : rows == 5 ? factor_##W##_5                                         \
                                        : factor_##W##_0;                                        \
        kernel(plan, blocks, values);                                                            \
    }                                                                                            \
    template <>                                                                                  \
    void solve_system<W>(const EliminationPlan& plan, double* values, Column<W>* rows) {         \
        const std::size_t all = common_rows(plan);                                               \
        const auto kernel = all == 3 ? solve_##W##_3 : all == 5 ? solve_##W##_5 : solve_##W##_0; \
        kernel(plan, values, rows);                                                              \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
