#include "geometry/decompose_merge.h"

#include <algorithm>
#include <optional>

#include "geometry/decompose_hull.h"
#include "geometry/solid_moments.h"

namespace rigor {
namespace {

struct Pair {
    std::size_t a = 0, b = 0;
    double growth = 0; // of the volume, by merging
};

class Merger {
  public:
    Merger(std::vector<ConvexPiece>& pieces, ExcessField& field, const ExcessSearch& search,
           double tolerance)
        : pieces_(pieces),
          field_(field),
          search_(search),
          tolerance_(tolerance),
          is_gone_(pieces.size(), false) {}

    void run() {
        for (std::size_t b = 1; b < pieces_.size(); ++b) {
            for (std::size_t a = 0; a < b; ++a) try_pair(a, b);
        }
        while (!pairs_.empty()) {
            const Pair best = *std::min_element(pairs_.begin(), pairs_.end(), before);
            if (join(best)) {
                forget_pairs_of(best);
                renew_pairs_of(best.a);
            } else {
                std::erase_if(pairs_,
                              [&](const Pair& p) { return p.a == best.a && p.b == best.b; });
            }
        }
        std::size_t i = 0;
        std::erase_if(pieces_, [&](const ConvexPiece&) { return is_gone_[i++]; });
    }

  private:
    static bool before(const Pair& p, const Pair& q) {
        if (p.growth != q.growth) return p.growth < q.growth;
        return p.a != q.a ? p.a < q.a : p.b < q.b;
    }

    // Most pairs have too much empty space between them, which three sample points detect.
    bool is_hopeless(std::size_t a, std::size_t b) const {
        const Vec3d from = pieces_[a].hull.center, separation = pieces_[b].hull.center - from;
        for (const double t : {0.5, 0.25, 0.75}) {
            if (field_.distance(from + separation * t) > search_.enough) return true;
        }
        return false;
    }

    std::optional<double> excess_within_limit(const Hull<double>& hull) {
        const Excess excess = field_.excess(hull, search_);
        if (excess.upper > search_.enough) return {};
        return excess.upper;
    }

    // From the vertices of the hulls: nearly the hull of all their points.
    void try_pair(std::size_t a, std::size_t b) {
        if (is_hopeless(a, b)) return;
        std::vector<Vec3d> corners = pieces_[a].hull.vertices;
        const std::vector<Vec3d>& others = pieces_[b].hull.vertices;
        corners.insert(corners.end(), others.begin(), others.end());
        const std::optional<Hull<double>> hull = rough_hull(corners);
        if (!hull || !excess_within_limit(*hull)) return;
        pairs_.push_back({a, b, volume(*hull) - pieces_[a].volume - pieces_[b].volume});
    }

    bool join(const Pair& pair) {
        ConvexPiece joint{pieces_[pair.a].points, {}, 0, 0};
        const std::vector<Vec3d>& others = pieces_[pair.b].points;
        joint.points.insert(joint.points.end(), others.begin(), others.end());
        std::optional<Hull<double>> hull = thin_hull(joint.points, tolerance_);
        if (!hull) return false;
        const std::optional<double> excess = excess_within_limit(*hull);
        if (!excess) return false;
        joint.hull = std::move(*hull);
        joint.excess = *excess;
        joint.volume = volume(joint.hull);
        pieces_[pair.a] = std::move(joint);
        is_gone_[pair.b] = true;
        return true;
    }

    void forget_pairs_of(const Pair& gone) {
        std::erase_if(pairs_, [&](const Pair& p) {
            return p.a == gone.a || p.b == gone.a || p.a == gone.b || p.b == gone.b;
        });
    }

    void renew_pairs_of(std::size_t joint) {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (i != joint && !is_gone_[i]) try_pair(std::min(i, joint), std::max(i, joint));
        }
    }

    std::vector<ConvexPiece>& pieces_;
    ExcessField& field_;
    ExcessSearch search_;
    double tolerance_;
    std::vector<bool> is_gone_;
    std::vector<Pair> pairs_;
};

} // namespace

void merge_pieces(std::vector<ConvexPiece>& pieces, ExcessField& field, const ExcessSearch& search,
                  double tolerance) {
    Merger(pieces, field, search, tolerance).run();
}

} // namespace rigor
