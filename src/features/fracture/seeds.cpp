#include "features/fracture/seeds.h"

#include <algorithm>
#include <limits>

namespace rigor {
namespace {

bool is_inside(const ConvexPart& part, const Vec3d& p) {
    return std::all_of(part.planes.begin(), part.planes.end(),
                       [&](const PlaneDef& plane) { return dot(plane.normal, p) <= plane.offset; });
}

bool is_inside(std::span<const ConvexPart> parts, const Vec3d& p) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const ConvexPart& part) { return is_inside(part, p); });
}

/// Draws points that are spread uniformly over the volume of the parts.
class Sampler {
  public:
    Sampler(std::span<const ConvexPart> parts, std::uint64_t seed) : parts_(parts), random_(seed) {
        for (const ConvexPart& part : parts) total_ += part.volume;
        for (const ConvexPart& part : parts) {
            Box box{part.points[0], part.points[0]};
            for (const Vec3d& p : part.points) box = {min(box.lo, p), max(box.hi, p)};
            boxes_.push_back(box);
        }
    }

    Vec3d draw() {
        const std::size_t i = draw_part();
        constexpr int kAttempts = 200;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            const Vec3d u{random_.unit(), random_.unit(), random_.unit()};
            const Vec3d p = boxes_[i].lo + multiply(boxes_[i].hi - boxes_[i].lo, u);
            if (is_inside(parts_[i], p)) return p;
        }
        return blend_of_points(parts_[i]); // thin, and across its box
    }

    double unit() { return random_.unit(); }

  private:
    struct Box {
        Vec3d lo, hi;
    };

    std::size_t draw_part() {
        double at = random_.unit() * total_;
        for (std::size_t i = 0; i + 1 < parts_.size(); ++i)
            if ((at -= parts_[i].volume) < 0) return i;
        return parts_.size() - 1;
    }

    // Any mean of the points lies inside.
    Vec3d blend_of_points(const ConvexPart& part) {
        Vec3d sum;
        double weights = 0;
        for (const Vec3d& p : part.points) {
            const double u = random_.unit(), weight = u * u * u * u + 1e-6;
            sum += p * weight, weights += weight;
        }
        return sum / weights;
    }

    std::span<const ConvexPart> parts_;
    std::vector<Box> boxes_;
    double total_ = 0;
    Random random_;
};

double squared_distance_to(const std::vector<Vec3d>& points, const Vec3d& p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3d& q : points) nearest = std::min(nearest, length_squared(p - q));
    return nearest;
}

// The best of several candidates: that which is farthest from all seeds so far [Mitchell 1991].
Vec3d even_seed(Sampler& sampler, const std::vector<Vec3d>& seeds) {
    constexpr int kCandidates = 8;
    Vec3d best;
    double farthest = -1;
    for (int i = 0; i < kCandidates; ++i) {
        const Vec3d p = sampler.draw();
        const double distance = squared_distance_to(seeds, p);
        if (distance > farthest) farthest = distance, best = p;
    }
    return best;
}

// A point of the solid drawn toward the impact by a random factor: the density of the seeds falls
// with the square of the distance. Of several candidates that which is farthest from the other
// seeds, measured by its distance from the impact.
Vec3d gathered_seed(Sampler& sampler, std::span<const ConvexPart> parts, const Vec3d& impact,
                    const std::vector<Vec3d>& seeds) {
    constexpr int kCandidates = 4;
    Vec3d best;
    double farthest = -1;
    for (int i = 0; i < kCandidates; ++i) {
        const Vec3d p = sampler.draw();
        const Vec3d drawn = impact + (p - impact) * sampler.unit();
        const Vec3d& candidate = is_inside(parts, drawn) ? drawn : p;
        const double scale = length_squared(candidate - impact);
        const double distance = scale > 0 ? squared_distance_to(seeds, candidate) / scale : 0;
        if (distance > farthest) farthest = distance, best = candidate;
    }
    return best;
}

} // namespace

std::vector<Vec3d> voronoi_seeds(std::span<const ConvexPart> parts, int count, std::uint64_t seed,
                                 const std::optional<Vec3d>& impact) {
    Sampler sampler(parts, seed);
    std::vector<Vec3d> seeds;
    seeds.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        seeds.push_back(impact ? gathered_seed(sampler, parts, *impact, seeds)
                               : even_seed(sampler, seeds));
    }
    return seeds;
}

} // namespace rigor
