#include "geometry/decompose_excess.h"

#include <algorithm>

namespace rigor {
namespace {

// Half the diagonal of a cube, divided by half its edge.
constexpr double kSqrt3 = 1.7320508075688772;

// 16 bytes each. A larger tree is rebuilt for the next search: one search adds at most eight for
// each cell it may visit.
constexpr std::size_t kMaxNodes = std::size_t(4) << 20;

Vec3d child_center(const Vec3d& center, double half, std::uint32_t i) {
    const double q = half / 2;
    return center + Vec3d{i & 1 ? q : -q, i & 2 ? q : -q, i & 4 ? q : -q};
}

// Tests the face planes only, which is fast but conservative near sharp edges: near the tip of a
// needle, it keeps cells many times their size away.
bool seems_to_miss(const Hull<double>& piece, const Vec3d& center, double half) {
    for (const HullFace<double>& face : piece.faces) {
        const Vec3d n = abs(face.plane.normal);
        if (height_over(face.plane, center) > half * (n.x + n.y + n.z)) return true;
    }
    return false;
}

bool holds(const Hull<double>& piece, const Vec3d& point) {
    return std::all_of(piece.faces.begin(), piece.faces.end(), [&](const HullFace<double>& face) {
        return height_over(face.plane, point) <= 0;
    });
}

} // namespace

/// One search: the cells that may still contain the maximum, the highest bound first.
class ExcessField::Search {
  public:
    Search(ExcessField& field, const Hull<double>& piece, const ExcessSearch& search)
        : field_(field), piece_(piece), search_(search), box_(bounds(piece, Posed{})) {}

    Excess run() {
        test_faces();
        add(field_.root_);
        for (std::size_t cells = 0; !heap_.empty() && !is_decided() && cells < search_.cells;
             ++cells) {
            std::pop_heap(heap_.begin(), heap_.end(), below);
            const Cell cell = heap_.back();
            heap_.pop_back();
            expand(cell);
        }
        found_.upper =
            std::max({finished_bound_, found_.lower, heap_.empty() ? 0 : heap_[0].bound});
        return found_;
    }

  private:
    // The same order on every machine: nodes are numbered in order of creation.
    static bool below(const Cell& a, const Cell& b) {
        return a.bound != b.bound ? a.bound < b.bound : a.node > b.node;
    }

    // The excess of most pieces is largest at faces over a concavity, and a thin piece may contain
    // the center of no cell.
    void test_faces() {
        for (const HullFace<double>& face : piece_.faces) {
            Vec3d sum;
            for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
                sum += piece_.origin(h);
            }
            const Vec3d middle = sum / static_cast<double>(face.count);
            consider(middle, field_.distance(middle));
            if (found_.lower > search_.too_much) return;
        }
    }

    void consider(const Vec3d& point, double distance) {
        if (!(distance > found_.lower)) return;
        found_.lower = distance;
        found_.farthest = point;
    }

    bool is_decided() const {
        const double open = heap_[0].bound;
        return found_.lower > search_.too_much ||
               open <= std::max({search_.enough, finished_bound_, found_.lower});
    }

    void add(const Cell& cell) {
        // The excess is not negative, and cells that cannot change the result need no exact
        // distance.
        if (cell.bound <= std::max({0.0, finished_bound_, found_.lower})) return;
        const Vec3d half{cell.half, cell.half, cell.half};
        if (!overlap(box_, {cell.center - half, cell.center + half})) return;
        if (seems_to_miss(piece_, cell.center, cell.half)) return;
        const double distance = field_.nodes_[cell.node].distance;
        if (distance > found_.lower && holds(piece_, cell.center)) consider(cell.center, distance);
        heap_.push_back(cell);
        std::push_heap(heap_.begin(), heap_.end(), below);
    }

    void expand(const Cell& cell) {
        if (!field_.split(cell)) return finish_cell(cell);
        const std::uint32_t first = field_.nodes_[cell.node].children;
        const double half = cell.half / 2;
        for (std::uint32_t i = 0; i < 8; ++i) {
            add({field_.nodes_[first + i].distance + half * kSqrt3, first + i, half,
                 child_center(cell.center, cell.half, i)});
        }
    }

    void finish_cell(const Cell& cell) {
        if (closest_point(piece_, cell.center).distance > cell.half * kSqrt3) return;
        finished_bound_ = std::max(finished_bound_, cell.bound);
    }

    ExcessField& field_;
    const Hull<double>& piece_;
    const ExcessSearch& search_;
    Aabb<double> box_; // of the piece
    std::vector<Cell> heap_;
    Excess found_;
    double finished_bound_ = 0; // the largest bound of cells at the finest level
};

ExcessField::ExcessField(const TriangleMesh<double>& mesh, double finest)
    : mesh_(mesh), finest_(finest) {
    root_.center = (mesh.box.lo + mesh.box.hi) * 0.5;
    root_.half = max_component(mesh.box.hi - mesh.box.lo) * 0.5;
    plant();
}

void ExcessField::plant() {
    nodes_.assign(1, {distance(root_.center), 0});
    root_.bound = nodes_[0].distance + root_.half * kSqrt3;
}

double ExcessField::distance(const Vec3d& point) const {
    return closest_point(mesh_, point).distance;
}

Excess ExcessField::excess(const Hull<double>& piece, const ExcessSearch& search) {
    if (nodes_.size() > kMaxNodes) plant();
    return Search(*this, piece, search).run();
}

// False when the cell is at the finest level.
bool ExcessField::split(const Cell& cell) {
    if (nodes_[cell.node].children != 0) return true;
    if (cell.half * kSqrt3 <= finest_) return false;
    nodes_[cell.node].children = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t i = 0; i < 8; ++i) {
        nodes_.push_back({distance(child_center(cell.center, cell.half, i)), 0});
    }
    return true;
}

} // namespace rigor
