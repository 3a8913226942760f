#include "geometry/mesh_shells.h"

#include <algorithm>
#include <array>

#include "geometry/mesh_bvh.h"
#include "geometry/triangle.h"

namespace rigor {
namespace {

struct Shell {
    std::size_t begin = 0, end = 0; // its triangles, in Shells::order
    bool closed = true;             // on its own
    bool orientable = true;
    double volume = 0; // six times, signed, as wound after the flips
    Aabb<double> box;
};

class Shells {
  public:
    Shells(const TriangleSoup& soup, const std::vector<std::uint32_t>& mates,
           const CrowdedEdges& crowded)
        : soup_(soup),
          mates_(mates),
          crowded_(crowded),
          in_crowd_(mates.size(), false),
          shell_of_(soup.triangles.size(), kNone) {
        for (const std::uint32_t h : crowded.half_edges) in_crowd_[h] = true;
        winding_.flip.assign(soup.triangles.size(), false);
        order_.reserve(soup.triangles.size());
    }

    ShellWinding decide() {
        for (std::uint32_t t = 0; t < shell_of_.size(); ++t) {
            if (shell_of_[t] == kNone) add_shell(t);
        }
        winding_.shells = shells_.size();
        check_crowded_edges();
        for (Shell& shell : shells_) measure(shell);
        turn_by_nesting();
        return std::move(winding_);
    }

  private:
    Vec3d vertex(std::uint32_t t, std::size_t i) const {
        return soup_.vertices[soup_.triangles[t][i]];
    }
    Triangle<double> triangle(std::uint32_t t) const {
        return {vertex(t, 0), vertex(t, 1), vertex(t, 2)};
    }
    std::uint32_t from(std::uint32_t h) const { return soup_.triangles[h / 3][h % 3]; }

    // Flood fill from a triangle over its connected component, flipping triangles that disagree.
    void add_shell(std::uint32_t seed) {
        const auto id = static_cast<std::uint32_t>(shells_.size());
        Shell shell;
        shell.begin = order_.size();
        shell_of_[seed] = id;
        order_.push_back(seed);
        for (std::size_t next = shell.begin; next < order_.size(); ++next) {
            for (std::uint32_t i = 0; i < 3; ++i) visit_neighbor(3 * order_[next] + i, id, shell);
        }
        shell.end = order_.size();
        resolve_flips(shell);
        shells_.push_back(shell);
    }

    void visit_neighbor(std::uint32_t h, std::uint32_t id, Shell& shell) {
        const std::uint32_t mate = mates_[h];
        if (mate == kNone) {
            shell.closed = shell.closed && in_crowd_[h];
            return;
        }
        const std::uint32_t here = triangle_of(h), there = triangle_of(mate);
        const bool same_direction = from(h) == from(mate);
        winding_.consistent = winding_.consistent && !same_direction;
        const bool flip_there = winding_.flip[here] != same_direction;
        if (shell_of_[there] == kNone) {
            shell_of_[there] = id;
            winding_.flip[there] = flip_there;
            order_.push_back(there);
        } else if (winding_.flip[there] != flip_there) {
            shell.orientable = false;
        }
    }

    void resolve_flips(const Shell& shell) {
        winding_.orientable = winding_.orientable && shell.orientable;
        std::size_t flips = 0;
        for (std::size_t i = shell.begin; i < shell.end; ++i) flips += winding_.flip[order_[i]];
        if (!shell.orientable) {
            for (std::size_t i = shell.begin; i < shell.end; ++i) winding_.flip[order_[i]] = false;
            return;
        }
        const std::size_t size = shell.end - shell.begin;
        if (2 * flips > size) {
            invert(shell);
            flips = size - flips;
        }
        winding_.flipped += flips;
    }

    void invert(const Shell& shell) {
        for (std::size_t i = shell.begin; i < shell.end; ++i) winding_.flip[order_[i]].flip();
    }

    // A shell is closed at a non-manifold edge when it contains as many half edges in one direction
    // as in the other.
    void check_crowded_edges() {
        std::size_t begin = 0;
        for (const std::size_t end : crowded_.ends) {
            const std::uint32_t low = lower_end(crowded_.half_edges[begin]);
            std::vector<std::pair<std::uint32_t, int>> passes;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t h = crowded_.half_edges[i], t = triangle_of(h);
                const bool forward = (from(h) == low) != winding_.flip[t];
                passes.emplace_back(shell_of_[t], forward ? 1 : -1);
            }
            std::sort(passes.begin(), passes.end());
            for (std::size_t i = 0; i < passes.size();) {
                const std::uint32_t shell = passes[i].first;
                int balance = 0;
                for (; i < passes.size() && passes[i].first == shell; ++i)
                    balance += passes[i].second;
                if (balance != 0) shells_[shell].closed = false;
            }
            begin = end;
        }
    }

    std::uint32_t lower_end(std::uint32_t h) const {
        return std::min(from(h), from(next_half_edge(h)));
    }

    void measure(Shell& shell) const {
        const Vec3d origin = vertex(order_[shell.begin], 0);
        for (std::size_t i = shell.begin; i < shell.end; ++i) {
            const Triangle<double> t = triangle(order_[i]);
            const double sign = winding_.flip[order_[i]] ? -1 : 1;
            shell.volume += sign * dot(t.a - origin, cross(t.b - origin, t.c - origin));
            shell.box = join(shell.box, bounds(t));
        }
    }

    bool is_solid(const Shell& shell) const {
        return shell.closed && shell.orientable && shell.volume != 0;
    }

    void turn_by_nesting() {
        const bool nested = may_be_nested();
        MeshBvh<double> tree;
        if (nested) tree = build_tree();
        for (std::uint32_t s = 0; s < shells_.size(); ++s) {
            const Shell& shell = shells_[s];
            if (!is_solid(shell)) continue;
            const bool cavity = nested && surrounding_shells(s, tree) % 2 == 1;
            winding_.cavities += cavity;
            if ((shell.volume < 0) == cavity) continue;
            ++winding_.inverted_shells;
            invert(shell);
        }
    }

    // A nested shell has its box within the other's. Many shells use the tree, where each costs
    // only one ray.
    bool may_be_nested() const {
        constexpr std::size_t kFew = 1000;
        if (shells_.size() > kFew) return true;
        for (const Shell& outer : shells_) {
            for (const Shell& inner : shells_) {
                const bool both = &outer != &inner && is_solid(outer) && is_solid(inner);
                if (both && contains(outer.box, inner.box)) return true;
            }
        }
        return false;
    }

    MeshBvh<double> build_tree() const {
        std::vector<Aabb<double>> boxes;
        boxes.reserve(shell_of_.size());
        for (std::uint32_t t = 0; t < shell_of_.size(); ++t) boxes.push_back(bounds(triangle(t)));
        return build_bvh(boxes);
    }

    // A ray from a shell crosses each enclosing shell an odd number of times. A ray through an edge
    // counts twice or not at all, so another direction is tried then.
    std::size_t surrounding_shells(std::uint32_t self, const MeshBvh<double>& tree) const {
        static constexpr std::array<Vec3d, 5> kDirections{{{0.8433, 0.4271, 0.3265},
                                                           {-0.3719, 0.7127, 0.5947},
                                                           {0.1913, -0.5531, 0.8109},
                                                           {-0.6871, -0.3319, -0.6463},
                                                           {0.4507, 0.2593, -0.8541}}};
        const Triangle<double> start = largest_triangle(shells_[self]);
        const Vec3d origin = (start.a + start.b + start.c) / 3.0;
        std::vector<std::uint32_t> crossed;
        for (const Vec3d& direction : kDirections) {
            if (crossed_shells(self, {origin, direction}, tree, crossed)) break;
        }
        std::sort(crossed.begin(), crossed.end());
        std::size_t odd = 0;
        for (std::size_t i = 0; i < crossed.size();) {
            std::size_t end = i;
            while (end < crossed.size() && crossed[end] == crossed[i]) ++end;
            odd += (end - i) % 2;
            i = end;
        }
        return odd;
    }

    Triangle<double> largest_triangle(const Shell& shell) const {
        Triangle<double> largest = triangle(order_[shell.begin]);
        for (std::size_t i = shell.begin; i < shell.end; ++i) {
            const Triangle<double> t = triangle(order_[i]);
            if (length_squared(area_vector(t)) > length_squared(area_vector(largest))) largest = t;
        }
        return largest;
    }

    // False when an edge was hit and the count is uncertain.
    bool crossed_shells(std::uint32_t self, const Ray<double>& ray, const MeshBvh<double>& tree,
                        std::vector<std::uint32_t>& crossed) const {
        const RayShear<double> shear(ray);
        bool certain = true;
        crossed.clear();
        visit_along(tree, ray, [&](std::uint32_t t, double max_t) {
            const std::uint32_t other = shell_of_[t];
            if (other == self || !is_solid(shells_[other])) return max_t;
            if (const auto hit = cast_ray(triangle(t), shear)) {
                crossed.push_back(other);
                certain = certain && !hit->on_edge;
            }
            return max_t;
        });
        return certain;
    }

    const TriangleSoup& soup_;
    const std::vector<std::uint32_t>& mates_;
    const CrowdedEdges& crowded_;
    std::vector<bool> in_crowd_;          // by half edge
    std::vector<std::uint32_t> shell_of_; // by triangle
    std::vector<std::uint32_t> order_;    // triangles shell by shell
    std::vector<Shell> shells_;
    ShellWinding winding_;
};

} // namespace

ShellWinding decide_winding(const TriangleSoup& soup, const std::vector<std::uint32_t>& mates,
                            const CrowdedEdges& crowded) {
    return Shells(soup, mates, crowded).decide();
}

} // namespace rigor
