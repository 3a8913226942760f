#include "geometry/decompose.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "geometry/decompose_excess.h"
#include "geometry/decompose_fragment.h"
#include "geometry/decompose_hull.h"
#include "geometry/decompose_merge.h"
#include "geometry/decompose_planes.h"
#include "geometry/decompose_roots.h"
#include "geometry/solid_moments.h"
#include "math/number_text.h"
#include "rigor/export.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Planes are chosen on a simplification with at most this many triangles of a part.
constexpr std::size_t kPlanTriangles = 6000;

// Fractions of the requested concavity: how far a hull may lie inside its part of the solid, and
// the resolution of its excess.
constexpr double kThinning = 0.1;
constexpr double kFinest = 0.05;

// Fraction of the requested concavity: a piece above this is cut. To decide about an excess just
// below the limit would take cells as fine as the difference; this margin keeps every decision
// cheap.
constexpr double kTooMuch = 0.9;

// Fraction of the diagonal: points nearer to a plane are on it.
constexpr double kOnPlane = 1e-9;

// How many planes are evaluated further: by the remaining excess, and then by the result of a
// second cut.
constexpr std::size_t kLookedAt = 12;
constexpr std::size_t kLookedBeyond = 2;

// The remaining work after a cut is the volume of those halves that are still too concave. Two
// small terms are added: the excess of these halves, to compare cuts that finish neither half, and
// the volume of both hulls: the smaller, the more concavity is removed.
constexpr double kExcessWeight = 0.2;
constexpr double kVolumeWeight = 0.5;

// A plane is moved to the best offset by steps of 1/16, 1/32, ... of the extent.
constexpr int kShifts = 3;

// Numbers of cells: for comparing planes, and for deciding.
constexpr std::size_t kGlance = 500;
constexpr std::size_t kDecision = 30'000;

/// A part of the solid that is being split into pieces.
struct Part {
    Fragment fragment; ///< of all triangles
    Fragment plan;     ///< of fewer; empty when the fragment itself is used
    Hull<double> hull;
    Excess excess;

    const Fragment& for_planning() const { return plan.empty() ? fragment : plan; }
};

/// The two halves of a part cut by a plane.
struct Halves {
    Plane<double> plane;
    std::array<Fragment, 2> fragments;
    std::array<Hull<double>, 2> hulls;
    std::array<double, 2> volumes; ///< of the hulls
    double score = kInfinity;      ///< less is better
    std::array<bool, 2> is_done{};
};

/// The reference for halves.
struct Reference {
    const Fragment& fragment;
    double volume = 0, excess = 0; ///< of the hull of the whole
};

bool has_better_score(const Halves& a, const Halves& b) {
    return a.score < b.score;
}

// The best first; equal ones in their order.
void keep_best(std::vector<Halves>& halves, std::size_t count) {
    std::stable_sort(halves.begin(), halves.end(), has_better_score);
    if (halves.size() > count)
        halves.erase(halves.begin() + static_cast<std::ptrdiff_t>(count), halves.end());
}

class Decomposer {
  public:
    Decomposer(const TriangleMesh<double>& mesh, const DecomposeOptions& options)
        : mesh_(mesh),
          options_(options),
          diagonal_(length(mesh.box.hi - mesh.box.lo)),
          limit_(std::max(options.concavity, kFinestConcavity) * diagonal_),
          on_plane_(kOnPlane * diagonal_),
          field_(mesh, kFinest * limit_),
          edges_(concave_edges(mesh)) {}

    Decomposition run() {
        for (const Triangles& triangles : separate_parts(mesh_, options_.max_pieces)) {
            take_in(root_of(triangles));
        }
        while (!waiting_.empty() && may_go_on()) split_worst();
        for (Part& part : waiting_) finish(part);
        merge_pieces(done_, field_, {limit_, kTooMuch * limit_, kDecision}, kThinning * limit_);
        return result();
    }

  private:
    std::size_t piece_count() const { return done_.size() + waiting_.size(); }

    bool may_go_on() {
        if (piece_count() >= options_.max_pieces) {
            why_ended_ = "there may be at most " + text(options_.max_pieces);
            return false;
        }
        if (!options_.progress || options_.progress({piece_count(), waiting_.size()})) return true;
        why_ended_ = "the work was ended early";
        return false;
    }

    Part root_of(const Triangles& triangles) const {
        Part part;
        part.fragment = make_fragment(mesh_.vertices, triangles);
        if (triangles.size() > kPlanTriangles) {
            part.plan =
                make_fragment(mesh_.vertices, coarsen(mesh_.vertices, triangles, kPlanTriangles));
        }
        return part;
    }

    // Appends to `done_` when it is convex enough, else to `waiting_`. A part without volume, below
    // 1e-12, is dropped: nothing can rest on it.
    void take_in(Part part) {
        std::optional<Hull<double>> hull = thin_hull(part.fragment.points, kThinning * limit_);
        if (!hull) return;
        part.hull = std::move(*hull);
        part.excess = field_.excess(part.hull, {limit_, kInfinity, kGlance});
        if (part.excess.lower <= kTooMuch * limit_ && part.excess.upper > limit_) {
            part.excess = field_.excess(part.hull, {limit_, kTooMuch * limit_, kDecision});
        }
        if (part.excess.upper <= limit_) return finish(part);
        waiting_.push_back(std::move(part));
    }

    void finish(Part& part) {
        if (part.excess.upper > limit_) {
            part.excess = field_.excess(part.hull, {limit_, kInfinity, kDecision});
        }
        const double size = volume(part.hull);
        done_.push_back(
            {std::move(part.fragment.points), std::move(part.hull), part.excess.upper, size});
    }

    void split_worst() {
        const auto worst = std::max_element(
            waiting_.begin(), waiting_.end(),
            [](const Part& a, const Part& b) { return a.excess.lower < b.excess.lower; });
        Part part = std::move(*worst);
        waiting_.erase(worst);
        const std::optional<Plane<double>> plane = choose_plane(part);
        if (!plane) return finish(part);
        auto [below, above] = cut(part.fragment, *plane, on_plane_, field_);
        Part low{std::move(below), {}, {}, {}}, high{std::move(above), {}, {}, {}};
        if (!part.plan.empty()) {
            std::tie(low.plan, high.plan) = cut(part.plan, *plane, on_plane_, field_);
        }
        take_in(std::move(low));
        take_in(std::move(high));
    }

    std::optional<Plane<double>> choose_plane(const Part& part) {
        const Reference of{part.for_planning(), volume(part.hull), part.excess.lower};
        const Vec3d farthest = part.excess.lower > 0 ? part.excess.farthest : part.hull.center;
        std::vector<Halves> best =
            halves_by(candidate_planes(of.fragment, part.hull, farthest, edges_, field_), of);
        keep_best(best, kLookedAt);
        for (Halves& halves : best) halves.score = work_left(halves, of);
        keep_best(best, kLookedBeyond);
        for (Halves& halves : best) shift(halves, part.hull, of);
        for (Halves& halves : best) halves.score -= gain_of_next_cut(halves) / of.volume;
        keep_best(best, 1);
        if (best.empty()) return {};
        return best[0].plane;
    }

    /// Moves the plane along its normal while that improves the score, in decreasing steps.
    void shift(Halves& halves, const Hull<double>& hull, const Reference& of) {
        const Vec3d n = halves.plane.normal;
        double step = dot(core_support(hull, n) - core_support(hull, -n), n) / 16;
        for (int i = 0; i < kShifts; ++i, step /= 2) {
            for (const double offset_step : {step, -step}) {
                std::vector<Halves> moved = halves_by({{n, halves.plane.offset + offset_step}}, of);
                if (moved.empty()) continue;
                moved[0].score = work_left(moved[0], of);
                if (moved[0].score < halves.score) {
                    halves = std::move(moved[0]);
                    break;
                }
            }
        }
    }

    /// Scored by the volume of both hulls relative to that of the whole.
    std::vector<Halves> halves_by(const std::vector<Plane<double>>& planes,
                                  const Reference& of) const {
        std::vector<Halves> out;
        for (const Plane<double>& plane : planes) {
            auto [below, above] = cut(of.fragment, plane, on_plane_, field_);
            std::optional<Hull<double>> low = rough_hull(below.points);
            std::optional<Hull<double>> high = low ? rough_hull(above.points) : std::nullopt;
            if (!low || !high) continue;
            const std::array<double, 2> volumes{volume(*low), volume(*high)};
            out.push_back({plane,
                           {std::move(below), std::move(above)},
                           {std::move(*low), std::move(*high)},
                           volumes,
                           (volumes[0] + volumes[1]) / of.volume});
        }
        return out;
    }

    /// Uses the exact hulls of the halves: with an approximate one a half may seem finished when it
    /// is not, and the same sliver would be cut off repeatedly.
    double work_left(Halves& halves, const Reference& of) {
        double score = 0, worst = 0;
        for (std::size_t side = 0; side < 2; ++side) {
            Hull<double>& hull = halves.hulls[side];
            if (auto full = thin_hull(halves.fragments[side].points, kThinning * limit_)) {
                hull = std::move(*full);
                halves.volumes[side] = volume(hull);
            }
            const Excess excess = field_.excess(hull, {limit_, kInfinity, kGlance});
            halves.is_done[side] = excess.upper <= limit_;
            score += kVolumeWeight * halves.volumes[side] / of.volume;
            if (halves.is_done[side]) continue;
            score += halves.volumes[side] / of.volume;
            worst = std::max(worst, (excess.lower + excess.upper) / 2);
        }
        return score + kExcessWeight * worst / std::max(of.excess, limit_);
    }

    /// The volume that the best of a few more cuts removes from each half.
    double gain_of_next_cut(const Halves& halves) const {
        double gain = 0;
        for (std::size_t side = 0; side < 2; ++side) {
            if (halves.is_done[side]) continue;
            const Reference of{halves.fragments[side], halves.volumes[side], 0};
            const std::vector<Halves> next = halves_by(coarse_planes(halves.hulls[side]), of);
            const auto best = std::min_element(next.begin(), next.end(), has_better_score);
            if (best != next.end()) gain += of.volume * std::max(0.0, 1 - best->score);
        }
        return gain;
    }

    Decomposition result() const {
        Decomposition out;
        double excess = 0;
        for (const ConvexPiece& piece : done_) {
            out.pieces.push_back(piece.hull.vertices);
            excess = std::max(excess, piece.excess);
        }
        out.concavity = excess / diagonal_;
        if (excess > limit_) {
            out.warning = "the convex pieces of the mesh reach a concavity of " +
                          text_short(out.concavity) + " instead of " + text(options_.concavity) +
                          ": " + why_ended_;
        }
        return out;
    }

    const TriangleMesh<double>& mesh_;
    const DecomposeOptions& options_;
    double diagonal_, limit_, on_plane_;
    ExcessField field_;
    std::vector<ConcaveEdge> edges_;
    std::vector<Part> waiting_; // too concave
    std::vector<ConvexPiece> done_;
    std::string why_ended_ = "no plane was found that cuts a piece";
};

std::size_t open_edges(const TriangleMesh<double>& mesh) {
    return static_cast<std::size_t>(std::count(mesh.mates.begin(), mesh.mates.end(), kNone));
}

Error refuse(const char* where, std::string message) {
    return {ErrorCode::invalid_value, where, std::move(message)};
}

} // namespace

RIGOR_API Result<Decomposition> decompose(const TriangleMesh<double>& mesh,
                                          const DecomposeOptions& options) {
    if (!(options.concavity >= 0 && options.concavity <= 1)) {
        return refuse("concavity", "concavity must be from 0 to 1, got " + text(options.concavity));
    }
    if (options.max_pieces < 1) return refuse("max_pieces", "max_pieces must be at least 1, got 0");
    if (!mesh.closed) {
        return refuse("mesh", "a mesh must be closed to be decomposed, got one with " +
                                  text(open_edges(mesh)) + " open edges");
    }
    if (mesh.unit_mass.no_solid) return *mesh.unit_mass.no_solid;
    Decomposition out = Decomposer(mesh, options).run();
    if (out.pieces.empty()) {
        return refuse("mesh", "a mesh must have a volume to be decomposed, got one that is flat");
    }
    return out;
}

} // namespace rigor
