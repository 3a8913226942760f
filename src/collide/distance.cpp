#include "collide/distance.h"

#include "collide/convex_distance.h"
#include "collide/nearest_triangles.h"
#include "collide/pieces.h"
#include "collide/surface_contacts.h"
#include "collide/surface_distance.h"
#include "collide/surface_pair_contacts.h"

namespace rigor {
namespace {

/// One distance query of two pieces.
template <class S>
struct Question {
    Pose<S> b_in_a;
    DistanceCache<S>* cache; ///< never null
    S far;                   ///< larger distances need not be exact
};

template <class S>
Question<S> mirror(const Question<S>& q) {
    return {inverse(q.b_in_a), q.cache, q.far};
}

template <class S>
Vec3<S> lowest(const Core<S>& core, const Vec3<S>& up) {
    std::uint32_t hint = 0;
    return support(core, -up, hint) - up * core.radius;
}
template <class S, class Surface>
Vec3<S> lowest(const Surface* surface, const Vec3<S>& up) {
    return support(*surface, -up);
}

// Each overload handles one kind of pair; the reverse order of the two kinds is handled by a
// mirror.

template <class S>
Distance<S> measure(const Core<S>& a, const Core<S>& b, const Question<S>& q) {
    return convex_distance(a, b, q.b_in_a, q.cache, q.far);
}

template <class S, class Other>
Distance<S> measure(const Plane<S>* a, const Other& b, const Question<S>& q) {
    const Vec3<S> up = inverse_rotate(q.b_in_a.q, a->normal);
    Distance<S> d;
    d.normal = a->normal;
    d.point_b = transform(q.b_in_a, lowest(b, up));
    d.distance = height_over(*a, d.point_b);
    d.point_a = d.point_b - a->normal * d.distance;
    return d;
}

template <class S>
Distance<S> measure(const Plane<S>* a, const Plane<S>* b, const Question<S>& q) {
    Distance<S> d;
    d.normal = a->normal;
    d.point_a = a->normal * a->offset;
    d.point_b = transform(q.b_in_a, b->normal * b->offset);
    const bool facing = rotate(q.b_in_a.q, b->normal) == -a->normal;
    d.distance = facing ? height_over(*a, d.point_b) : -std::numeric_limits<S>::infinity();
    if (facing) d.point_a = d.point_b - d.normal * d.distance;
    return d;
}

/// Where a solid surface is overlapped, its contacts have the depth of the solids; the depth of
/// single triangles is no more than an upper bound. Nothing where nothing touches.
template <class S, class FindContacts>
std::optional<Distance<S>> depth_of_contacts(FindContacts&& find) {
    constexpr S kRounding = sizeof(S) == sizeof(double) ? S(1e-12) : S(1e-6);
    std::vector<Manifold<S>> manifolds;
    find(ContactSettings<S>{S(1e3) * kRounding, kRounding}, manifolds);
    std::optional<Distance<S>> deepest;
    for (const Manifold<S>& m : manifolds)
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint<S>& p = m.points[static_cast<std::size_t>(i)];
            if (deepest && !(p.separation < deepest->distance)) continue;
            deepest =
                Distance<S>{p.separation, p.point_a, point_b(m, i), m.normal, {}, {}, 1, true};
        }
    return deepest;
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> Distance<S> measure(const Surface* a, const Core<S>& b,
                                                   const Question<S>& q) {
    Distance<S> d = surface_distance(*a, b, q.b_in_a, q.cache->part_a.triangle);
    if (d.distance > S(0) || !is_solid(*a)) return d;
    const auto depth = depth_of_contacts<S>(
        [&](const auto& wanted, auto& out) { surface_contacts(*a, b, q.b_in_a, wanted, out); });
    if (!depth || !(depth->distance > d.distance)) return d;
    d.distance = depth->distance;
    d.normal = depth->normal;
    d.point_a = depth->point_a;
    d.point_b = depth->point_b;
    return d;
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> Distance<S> measure(const Core<S>& a, const Surface* b,
                                                   const Question<S>& q) {
    DistanceCache<S> cache;
    cache.part_a = q.cache->part_b;
    return mirror(measure(b, a, Question<S>{inverse(q.b_in_a), &cache, q.far}), q.b_in_a);
}

template <class S>
Distance<S> at_distance(S distance) {
    Distance<S> d;
    d.distance = distance;
    return d;
}

/// Where the solids overlap, the depth is that of their contacts; without any they do not, and the
/// depth of triangles that touch would be a false one.
template <class S, class A, class B>
requires SurfaceOf<A, S> && SurfaceOf<B, S> Distance<S> measure(const A* a, const B* b,
                                                                const Question<S>& q) {
    if (!is_solid(*a) && !is_solid(*b)) return surface_pair_distance(*a, *b, q.b_in_a);
    if constexpr (std::same_as<A, TriangleMesh<S>> && std::same_as<B, TriangleMesh<S>>) {
        std::optional<TrianglePair> first;
        if (q.cache->known)
            first = TrianglePair{q.cache->part_a.triangle, q.cache->part_b.triangle};
        const Distance<S> d = nearest_triangles(*a, *b, q.b_in_a, std::max(q.far, S(0)), first);
        if (d.distance > S(0))
            return is_one_inside(*a, *b, q.b_in_a) ? surface_pair_distance(*a, *b, q.b_in_a) : d;
    }
    const auto depth = depth_of_contacts<S>([&](const auto& wanted, auto& out) {
        surface_pair_contacts(*a, *b, q.b_in_a, wanted, out);
    });
    if (depth) return *depth;
    if (!(q.far > S(0))) return at_distance(q.far);
    Distance<S> d = surface_pair_distance(*a, *b, q.b_in_a);
    d.distance = std::max(d.distance, S(0));
    return d;
}

template <class S, class Other>
requires(!std::same_as<Other, const Plane<S>*>) Distance<S> measure(const Other& a,
                                                                    const Plane<S>* b,
                                                                    const Question<S>& q) {
    return mirror(measure(b, a, mirror(q)), q.b_in_a);
}

template <class S>
Distance<S> measure_pieces(const Piece<S>& a, const Piece<S>& b, const Question<S>& q) {
    return std::visit([&](const auto& x, const auto& y) { return measure(x, y, q); }, a, b);
}

/// Measures pairs of children one by one and keeps the nearest.
template <class S>
class ChildSearch {
  public:
    /// Nothing farther than `far` is found.
    ChildSearch(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                S far = std::numeric_limits<S>::infinity())
        : a_(a), b_(b), b_in_a_(b_in_a) {
        best_.distance = far;
    }

    const Distance<S>& best() const { return best_; }
    const DistanceCache<S>& best_cache() const { return best_cache_; }

    void measure_pair(std::uint32_t i, std::uint32_t j, DistanceCache<S> cache) {
        const Pose<S> pose_a = a_.pose(i);
        const Pose<S> relative = inverse(pose_a) * b_in_a_ * b_.pose(j);
        Distance<S> d =
            measure_pieces(a_.piece(i), b_.piece(j), Question<S>{relative, &cache, best_.distance});
        iterations_ += d.iterations;
        if (d.distance < best_.distance) {
            best_ = in_parent(d, pose_a, i, j);
            best_cache_ = cache;
        }
        best_.iterations = iterations_;
    }

    void measure_all(const DistanceCache<S>& cache) {
        const ShapePart last_a = cache.part_a, last_b = cache.part_b;
        const bool known = cache.known && last_a.child < a_.size() && last_b.child < b_.size();
        if (known) measure_pair(last_a.child, last_b.child, cache);
        for (std::uint32_t i = 0; i < a_.size(); ++i) {
            for (std::uint32_t j = 0; j < b_.size(); ++j) {
                if (!known || i != last_a.child || j != last_b.child) measure_pair(i, j, {});
            }
        }
    }

  private:
    static Distance<S> in_parent(Distance<S> d, const Pose<S>& pose_a, std::uint32_t i,
                                 std::uint32_t j) {
        d.point_a = transform(pose_a, d.point_a);
        d.point_b = transform(pose_a, d.point_b);
        d.normal = rotate(pose_a.q, d.normal);
        d.part_a.child = i;
        d.part_b.child = j;
        return d;
    }

    Children<S> a_, b_;
    Pose<S> b_in_a_;
    Distance<S> best_;
    DistanceCache<S> best_cache_;
    int iterations_ = 0;
};

/// Fast path of two spheres. Nothing where the squared distance between their centers is zero or
/// extreme.
template <class S>
bool between_spheres(const Shape<S>& a, const Shape<S>& b, const Vec3<S>& center, Distance<S>& d) {
    const auto *sphere_a = std::get_if<Sphere<S>>(&a.solid),
               *sphere_b = std::get_if<Sphere<S>>(&b.solid);
    if (!sphere_a || !sphere_b) return false;
    const S squared = length_squared(center);
    if (!(squared > S(1e-30) && squared < S(1e30))) return false;
    const S between = std::sqrt(squared);
    d.distance = between - sphere_a->radius - sphere_b->radius;
    d.normal = center / between;
    d.point_a = d.normal * sphere_a->radius;
    d.point_b = center - d.normal * sphere_b->radius;
    return true;
}

} // namespace

template <class S>
Distance<S> distance(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                     DistanceCache<S>* cache) {
    Distance<S> result;
    if (between_spheres(a, b, b_in_a.p, result)) {
        if (cache) {
            cache->part_a = cache->part_b = {};
            cache->known = true;
        }
        return result;
    }
    DistanceCache<S> fresh;
    DistanceCache<S>& memory = cache ? *cache : fresh;
    if (!Children<S>(a).is_compound() && !Children<S>(b).is_compound()) {
        const Question<S> q{b_in_a, &memory, std::numeric_limits<S>::infinity()};
        result = measure_pieces(Children<S>::piece_of_shape(a), Children<S>::piece_of_shape(b), q);
    } else {
        ChildSearch<S> search(a, b, b_in_a);
        search.measure_all(memory);
        result = search.best();
        memory = search.best_cache();
    }
    memory.part_a = result.part_a;
    memory.part_b = result.part_b;
    memory.known = true;
    return result;
}

template <class S>
S penetration(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a) {
    ChildSearch<S> search(a, b, b_in_a, S(0));
    search.measure_all({});
    return std::max(S(0), -search.best().distance);
}

template float penetration(const Shape<float>&, const Shape<float>&, const Pose<float>&);
template double penetration(const Shape<double>&, const Shape<double>&, const Pose<double>&);
template Distance<float> distance(const Shape<float>&, const Shape<float>&, const Pose<float>&,
                                  DistanceCache<float>*);
template Distance<double> distance(const Shape<double>&, const Shape<double>&, const Pose<double>&,
                                   DistanceCache<double>*);

} // namespace rigor
