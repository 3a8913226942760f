// A world of all kinds of shapes, and queries by brute force over all of them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "collide/distance.h"
#include "geometry/shape.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {

inline std::shared_ptr<const TriangleSoup> tetrahedron_soup() {
    return std::make_shared<const TriangleSoup>(
        TriangleSoup{{{0, 0, 0}, {1.2, 0, 0}, {0, 1.1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
}

inline std::shared_ptr<const TriangleSoup> sheet_soup() {
    return std::make_shared<const TriangleSoup>(
        TriangleSoup{{{-1, -1, 0}, {1, -1, 0.2}, {1, 1, 0}, {-1, 1, 0.3}}, {{0, 1, 2}, {0, 2, 3}}});
}

inline HeightFieldDef hills(Random& random) {
    HeightFieldDef field{6, 5, 7, 6, {}};
    for (int i = 0; i < 42; ++i) field.heights.push_back(random.uniform(-0.4, 0.4));
    return field;
}

inline HullDef random_hull(Random& random) {
    HullDef hull;
    for (int i = 0; i < 12; ++i) hull.points.push_back(random.vec(-0.6, 0.6));
    return hull;
}

/// Two boxes that meet at a right angle: the convex pieces of this are two or three.
inline std::shared_ptr<const TriangleSoup> angle_soup() {
    TriangleSoup soup;
    const double outline[][2] = {{0, 0}, {1, 0}, {1, 0.3}, {0.3, 0.3}, {0.3, 1}, {0, 1}};
    for (const double z : {0.0, 0.4}) {
        for (const auto& p : outline) soup.vertices.push_back({p[0], p[1], z});
    }
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t j = (i + 1) % 6;
        soup.triangles.push_back({i, j, j + 6});
        soup.triangles.push_back({i, j + 6, i + 6});
    }
    for (const auto& t : std::initializer_list<std::array<std::uint32_t, 3>>{
             {0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
        soup.triangles.push_back({t[0], t[2], t[1]});
        soup.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    }
    return std::make_shared<const TriangleSoup>(std::move(soup));
}

inline constexpr int kMovingKinds = 10;

/// Of about unit size, of a kind that a dynamic body can have.
inline ShapeDef moving_shape(int kind, Random& random) {
    const auto size = [&] { return random.uniform(0.3, 1.2); };
    ShapeDef def;
    switch (kind) {
        case 0:
            def.geometry = SphereDef{0.6 * size()};
            break;
        case 1:
            def.geometry = BoxDef{{size(), size(), size()}};
            break;
        case 2:
            def.geometry = BoxDef{{size(), size(), size()}};
            def.rounding = 0.1;
            break;
        case 3:
            def.geometry = CapsuleDef{0.4 * size(), size()};
            break;
        case 4:
            def.geometry = CylinderDef{0.5 * size(), size()};
            break;
        case 5:
            def.geometry = ConeDef{0.5 * size(), size()};
            break;
        case 6:
            def.geometry = random_hull(random);
            break;
        case 7:
            def.geometry = MeshDef{tetrahedron_soup()};
            break;
        case 8: {
            static const auto soup = angle_soup(); // split once
            def.geometry = MeshDef{soup, 0.05};
            break;
        }
        default: {
            ShapeDef ball = moving_shape(0, random), box = moving_shape(1, random);
            ball.position = random.vec();
            box.position = random.vec();
            box.orientation = random.rotation();
            def.geometry = CompoundDef{{ball, box}};
        }
    }
    def.position = random.vec(-0.3, 0.3);
    def.orientation = random.rotation();
    return def;
}

/// Where a definition's shape is when its frame is at `at`; to the last bit as the world has it.
inline Posed placed(const ShapeDef& def, const Posed& at) {
    return Posed{at.p, normalize(at.q)} * Posed{def.position, normalize(def.orientation)};
}

/// Asked instead of the world.
class Oracle {
  public:
    struct Member {
        ShapeHit hit;
        Posed local;
        Shape<double> geometry;
        bool sensor;
        std::uint32_t group, mask;
    };

    BodyId add(World& world, const BodyDef& def) {
        const BodyId id = world.add_body(def).value();
        const std::vector<ShapeId> ids = world.shapes(id);
        std::size_t next = 0;
        for (const ShapeDef& shape : def.shapes) {
            for (const ShapeDef& leaf : flatten(shape)) {
                members_.push_back({{id, ids.at(next++)},
                                    {leaf.position, leaf.orientation},
                                    make_shape(leaf).value(),
                                    leaf.sensor,
                                    def.group,
                                    def.mask});
            }
        }
        EXPECT_EQ(next, ids.size());
        return id;
    }

    void remove(World& world, BodyId id) {
        world.remove_body(id);
        std::erase_if(members_, [&](const Member& m) { return m.hit.body == id; });
    }

    std::size_t size() const { return members_.size(); }
    const Member& find(const ShapeHit& hit) const {
        return *std::find_if(members_.begin(), members_.end(),
                             [&](const Member& m) { return m.hit == hit; });
    }

    /// Calls visit(member, its pose) for all that a filter admits.
    template <class Visit>
    void for_each(const World& world, const QueryFilter& filter, Visit&& visit) const {
        for (const Member& m : members_) {
            if ((m.group & filter.mask) == 0 || (m.mask & filter.group) == 0) continue;
            if ((m.sensor && !filter.include_sensors) || m.hit.body == filter.ignored) continue;
            if (filter.accept && !filter.accept(m.hit.body, m.hit.shape)) continue;
            visit(m, world.pose(m.hit.body) * m.local);
        }
    }

    struct Answer {
        double distance;
        ShapeHit hit;
        auto operator<=>(const Answer&) const = default;
    };

    /// By distance, then id.
    std::vector<Answer> ray(const World& world, const RayQuery& ray,
                            const QueryFilter& filter = {}) const {
        std::vector<Answer> answers;
        for_each(world, filter, [&](const Member& m, const Posed& pose) {
            const Ray<double> local{inverse_transform(pose, ray.origin),
                                    inverse_rotate(pose.q, normalize(ray.direction)),
                                    ray.max_distance};
            if (const auto hit = cast_ray(m.geometry, local)) answers.push_back({hit->t, m.hit});
        });
        std::sort(answers.begin(), answers.end());
        return answers;
    }

    std::vector<Answer> near(const World& world, const Vec3d& point, double max_distance,
                             const QueryFilter& filter = {}) const {
        std::vector<Answer> answers;
        for_each(world, filter, [&](const Member& m, const Posed& pose) {
            const double d = closest_point(m.geometry, inverse_transform(pose, point)).distance;
            if (d <= max_distance) answers.push_back({d, m.hit});
        });
        std::sort(answers.begin(), answers.end());
        return answers;
    }

    std::vector<ShapeHit> touching(const World& world, const ShapeDef& def, const Posed& at,
                                   const QueryFilter& filter = {}) const {
        const Shape<double> shape = make_shape(def).value();
        const Posed there = placed(def, at);
        std::vector<ShapeHit> hits;
        for_each(world, filter, [&](const Member& m, const Posed& pose) {
            const auto d = distance(m.geometry, shape, relative_pose<double>(pose, there));
            if (d.distance <= 0) hits.push_back(m.hit);
        });
        std::sort(hits.begin(), hits.end());
        return hits;
    }

  private:
    std::vector<Member> members_;
};

/// Bodies of every kind in a cube of half width `reach` around `center`, on hilly ground.
struct QueryWorld {
    World world;
    Oracle oracle;
    std::vector<BodyId> bodies;
    Random random;
    Vec3d center;
    double reach = 6;

    explicit QueryWorld(std::uint64_t seed, int count = 120, const Vec3d& middle = {},
                        int threads = 1)
        : world({{0, 0, -9.81}, Integrator::symplectic, 1, threads, Method::free}),
          random(seed),
          center(middle) {
        add_ground();
        for (int i = 0; i < count; ++i) add(i);
    }

    Vec3d place() { return center + random.vec(-reach, reach); }

    void add(int kind) {
        BodyDef def;
        def.position = place();
        def.orientation = random.rotation();
        def.velocity = random.vec(-3, 3);
        def.angular_velocity = random.vec(-3, 3);
        def.group = 1u << random.integer(0, 3);
        def.mask = random.integer(0, 3) == 0 ? 2u : ~0u;
        if (kind % 5 == 4) def.type = BodyType::static_body;
        if (kind % 7 == 6) def.type = BodyType::kinematic_body;
        def.shapes = {moving_shape(kind % kMovingKinds, random)};
        if (kind % 6 == 0) {
            def.shapes.push_back(moving_shape(1, random));
            def.shapes.back().sensor = true;
        }
        bodies.push_back(oracle.add(world, def));
    }

    void add_ground() {
        BodyDef def;
        def.type = BodyType::static_body;
        def.position = center + Vec3d{0, 0, -reach};
        def.shapes = {{PlaneDef{}}};
        oracle.add(world, def);
        def.position = center + Vec3d{0.5, 0, 0.3 - reach};
        def.orientation = from_axis_angle(Vec3d{0.6, 0.8, 0}, 0.2);
        def.shapes = {{hills(random)}};
        oracle.add(world, def);
        def.position = center;
        def.shapes = {{MeshDef{sheet_soup()}}};
        oracle.add(world, def);
    }

    /// From a place in the cube, in any direction and of any length.
    RayQuery ray() {
        RayQuery query{place(), random.vec()};
        if (random.integer(0, 2) > 0) query.max_distance = random.uniform(0, 2 * reach);
        return query;
    }
};

} // namespace rigor::test
