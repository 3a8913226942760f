// Two solids: contacts and distances, ours in float and double beside Bullet (float) and FCL
// (double) on the same solids at the same poses.
//
// Each case goes through 64 pairs of poses in turn, every one of which moves by a millimeter from
// one of its turns to the next, so that nothing about them is learned by the branch predictor.
// Warm, what was found about a pair is kept for its next turn; cold, it is forgotten. Half of the
// pairs lie face to face, the others are turned anyhow.
//
// What the others find is not quite the same. Bullet's boxes give no points where they are apart,
// its hulls one point each time and more only as they are kept; FCL gives none at all when apart.

#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "collide/contacts.h"
#include "collide/distance.h"

#ifdef RIGOR_HAS_BULLET
#include <btBulletCollisionCommon.h>
#endif
#ifdef RIGOR_HAS_FCL
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#endif

namespace rigor {
namespace {

constexpr double kMargin = 0.02; // also Bullet's own, where it drops contacts
constexpr double kTolerance = 0.001;
constexpr std::size_t kPairs = 64, kSteps = 32;

class Dice {
  public:
    double uniform(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(random_() >> 11) * 0x1p-53;
    }
    Vec3d vec(double size) {
        const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
        return {x, y, z};
    }
    Vec3d direction() { return normalize(vec(1)); }
    Quatd rotation() {
        const double w = uniform(-1, 1);
        const Vec3d v = vec(1);
        return normalize(Quatd{w, v.x, v.y, v.z});
    }

  private:
    std::mt19937_64 random_{11};
};

// Solids ------------------------------------------------------------------------------------------

HullDef hull_of(int vertices, Dice& dice) {
    HullDef hull;
    for (int i = 0; i < vertices; ++i) hull.points.push_back(dice.direction() * 0.6);
    return hull;
}

// Hills of 20 m by 20 m.
MeshDef hills() {
    constexpr std::uint32_t kCells = 100;
    auto soup = std::make_shared<TriangleSoup>();
    for (std::uint32_t j = 0; j <= kCells; ++j) {
        for (std::uint32_t i = 0; i <= kCells; ++i) {
            const double x = 0.2 * i - 10, y = 0.2 * j - 10;
            soup->vertices.push_back({x, y, 0.1 * std::sin(1.5 * x) * std::cos(1.5 * y)});
        }
    }
    for (std::uint32_t j = 0; j < kCells; ++j) {
        for (std::uint32_t i = 0; i < kCells; ++i) {
            const std::uint32_t v = j * (kCells + 1) + i, w = v + kCells + 1;
            soup->triangles.push_back({v, v + 1, w + 1});
            soup->triangles.push_back({v, w + 1, w});
        }
    }
    return {soup};
}

Shape<double> shape_of(const ShapeGeometry& geometry) {
    ShapeDef def;
    def.geometry = geometry;
    return make_shape(def).value();
}

/// An outward normal of a face or mantle, by chance.
Vec3d some_normal(const Shape<double>& shape, const ShapeGeometry& geometry, Dice& dice) {
    if (std::holds_alternative<BoxDef>(geometry)) {
        Vec3d n;
        n[static_cast<int>(dice.uniform(0, 3))] = dice.uniform(-1, 1) < 0 ? -1 : 1;
        return n;
    }
    if (std::holds_alternative<CapsuleDef>(geometry)) {
        const Vec3d d = dice.direction();
        return normalize(Vec3d{d.x, d.y, 0});
    }
    if (std::holds_alternative<MeshDef>(geometry)) return {0, 0, 1};
    if (const auto* hull = std::get_if<std::shared_ptr<const Hull<double>>>(&shape.solid)) {
        const auto count = static_cast<double>((*hull)->faces.size());
        return (*hull)->faces[static_cast<std::size_t>(dice.uniform(0, count))].plane.normal;
    }
    return dice.direction();
}

/// Turns one unit vector into another.
Quatd shortest_turn(const Vec3d& from, const Vec3d& to) {
    const Vec3d axis = cross(from, to);
    const double w = 1 + dot(from, to);
    if (w < 1e-6) {
        const Vec3d p = perpendicular(from);
        return {0, p.x, p.y, p.z};
    }
    return normalize(Quatd{w, axis.x, axis.y, axis.z});
}

Quatd small_rotation(const Vec3d& rotation) {
    return normalize(Quatd{1, 0.5 * rotation.x, 0.5 * rotation.y, 0.5 * rotation.z});
}

/// Two solids and the poses of the second in the frame of the first.
struct Case {
    Case(const ShapeGeometry& first, const ShapeGeometry& second, double gap)
        : def_a(first), def_b(second), a(shape_of(first)), b(shape_of(second)) {
        for (std::size_t i = 0; i < kPairs; ++i) add_track(i % 2 == 0, gap);
    }

    const Posed& pose(std::size_t call) const {
        return tracks[call % kPairs * kSteps + call / kPairs % kSteps];
    }
    template <class S>
    std::vector<Pose<S>> poses() const {
        std::vector<Pose<S>> list;
        for (std::size_t i = 0; i < tracks.size(); ++i) list.push_back(cast<S>(pose(i)));
        return list;
    }

    ShapeGeometry def_a, def_b;
    Shape<double> a, b;
    std::vector<Posed> tracks;

  private:
    void add_track(bool face_to_face, double gap) {
        const bool on_mesh = std::holds_alternative<MeshDef>(def_a);
        const Vec3d up = some_normal(a, def_a, dice_), down = some_normal(b, def_b, dice_);
        Posed start{on_mesh ? Vec3d{} : up * 3, dice_.rotation()};
        if (face_to_face) {
            const Quatd turn = shortest_turn(down, -up);
            const double w = dice_.uniform(-1, 1), v = dice_.uniform(-1, 1);
            start.q = normalize(Quatd{w, up.x * v, up.y * v, up.z * v}) * turn;
        }
        const Vec3d aside = dice_.vec(on_mesh ? 8 : 0.3);
        start.p += aside - up * dot(up, aside) + (on_mesh ? up * 3 : Vec3d{});
        Vec3d normal;
        for (int i = 0; i < 4; ++i) { // to a gap where the nearest points are still well known
            const Distance<double> d = distance(a, b, start);
            start.p += d.normal * (0.02 - d.distance);
            normal = d.normal;
        }
        start.p += normal * (gap - 0.02);
        const Vec3d way = normalize(cross(normal, dice_.direction())) * 1e-3;
        const Vec3d turn = dice_.direction() * 2e-4;
        for (std::size_t k = 0; k < kSteps; ++k) {
            const double t = static_cast<double>(std::min(k, kSteps - k)); // forth and back
            tracks.push_back({start.p + way * t, small_rotation(turn * t) * start.q});
        }
    }

    Dice dice_;
};

template <class S>
Shape<S> as(const Shape<double>& shape) {
    if constexpr (std::same_as<S, float>) {
        return to_float(shape);
    } else {
        return shape;
    }
}

enum class Start { cold, warm };

/// Times call(number of the call).
template <class Call>
void repeat(benchmark::State& state, Call&& call) {
    for (std::size_t i = 0; i < kPairs * kSteps; ++i) call(i);
    std::size_t i = 0;
    for (auto _ : state) {
        call(i);
        i = i + 1 < kPairs * kSteps ? i + 1 : 0;
    }
}

void report_points(benchmark::State& state, std::size_t points) {
    state.counters["points"] = static_cast<double>(points) / static_cast<double>(kPairs * kSteps);
}

// Ours --------------------------------------------------------------------------------------------

template <class S>
void our_contacts(benchmark::State& state, const Case& c, Start start) {
    const Shape<S> a = as<S>(c.a), b = as<S>(c.b);
    const std::vector<Pose<S>> poses = c.poses<S>();
    const ContactSettings<S> wanted{static_cast<S>(kMargin), static_cast<S>(kTolerance)};
    std::vector<std::vector<PartContact<S>>> memory(kPairs);
    const auto call = [&](std::size_t i) {
        std::vector<PartContact<S>>& contacts = memory[i % kPairs];
        if (start == Start::cold) contacts.clear();
        find_contacts(a, b, poses[i], wanted, contacts);
        benchmark::DoNotOptimize(contacts.data());
    };
    repeat(state, call);
    std::size_t points = 0;
    for (std::size_t i = 0; i < kPairs * kSteps; ++i) {
        call(i);
        for (const PartContact<S>& contact : memory[i % kPairs])
            points += static_cast<std::size_t>(contact.manifold.count);
    }
    report_points(state, points);
}

template <class S>
void our_distance(benchmark::State& state, const Case& c, Start start) {
    const Shape<S> a = as<S>(c.a), b = as<S>(c.b);
    const std::vector<Pose<S>> poses = c.poses<S>();
    std::vector<DistanceCache<S>> memory(kPairs);
    repeat(state, [&](std::size_t i) {
        DistanceCache<S>* cache = start == Start::warm ? &memory[i % kPairs] : nullptr;
        benchmark::DoNotOptimize(distance(a, b, poses[i], cache));
    });
}

// Bullet ------------------------------------------------------------------------------------------

#ifdef RIGOR_HAS_BULLET
btVector3 bullet(const Vec3d& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

btTransform bullet(const Posed& pose) {
    return btTransform(
        btQuaternion(static_cast<btScalar>(pose.q.x), static_cast<btScalar>(pose.q.y),
                     static_cast<btScalar>(pose.q.z), static_cast<btScalar>(pose.q.w)),
        bullet(pose.p));
}

/// Bullet puts a margin around a hull: its vertices are drawn in so that both have about the same
/// surface.
std::unique_ptr<btCollisionShape> bullet_hull(const Hull<double>& hull) {
    auto shape = std::make_unique<btConvexHullShape>();
    shape->setMargin(btScalar(0.01)); // both together as deep as the overlap
    const double scale = 1 - static_cast<double>(shape->getMargin()) / hull.inner_radius;
    for (const Vec3d& v : hull.vertices)
        shape->addPoint(bullet(hull.center + (v - hull.center) * scale), false);
    shape->recalcLocalAabb();
    return shape;
}

class BulletSolid {
  public:
    BulletSolid(const Shape<double>& shape, const ShapeGeometry& def) {
        if (const auto* sphere = std::get_if<SphereDef>(&def)) {
            shape_ = std::make_unique<btSphereShape>(static_cast<btScalar>(sphere->radius));
        } else if (const auto* box = std::get_if<BoxDef>(&def)) {
            shape_ = std::make_unique<btBoxShape>(bullet(0.5 * box->size));
        } else if (const auto* capsule = std::get_if<CapsuleDef>(&def)) {
            shape_ = std::make_unique<btCapsuleShapeZ>(static_cast<btScalar>(capsule->radius),
                                                       static_cast<btScalar>(capsule->length));
        } else if (const auto* mesh = std::get_if<MeshDef>(&def)) {
            for (const auto& t : mesh->soup->triangles) {
                triangles_.addTriangle(bullet(mesh->soup->vertices[t[0]]),
                                       bullet(mesh->soup->vertices[t[1]]),
                                       bullet(mesh->soup->vertices[t[2]]));
            }
            shape_ = std::make_unique<btBvhTriangleMeshShape>(&triangles_, true);
        } else {
            shape_ = bullet_hull(*std::get<std::shared_ptr<const Hull<double>>>(shape.solid));
        }
        object_.setCollisionShape(shape_.get());
    }

    btCollisionObject& object() { return object_; }

  private:
    btTriangleMesh triangles_;
    std::unique_ptr<btCollisionShape> shape_;
    btCollisionObject object_;
};

/// One algorithm for each pair of poses: it owns what Bullet remembers of it.
class BulletContacts {
  public:
    explicit BulletContacts(const Case& c)
        : a_(c.a, c.def_a),
          b_(c.b, c.def_b),
          wrap_a_(nullptr, a_.object().getCollisionShape(), &a_.object(),
                  a_.object().getWorldTransform(), -1, -1),
          wrap_b_(nullptr, b_.object().getCollisionShape(), &b_.object(),
                  b_.object().getWorldTransform(), -1, -1) {
        for (std::size_t i = 0; i < kPairs; ++i) {
            dispatchers_.push_back(std::make_unique<btCollisionDispatcher>(&configuration_));
            algorithms_.push_back(dispatchers_.back()->findAlgorithm(&wrap_a_, &wrap_b_, nullptr,
                                                                     BT_CONTACT_POINT_ALGORITHMS));
        }
        for (std::size_t i = 0; i < kPairs * kSteps; ++i) poses_.push_back(bullet(c.pose(i)));
    }
    ~BulletContacts() {
        for (std::size_t i = 0; i < kPairs; ++i) {
            algorithms_[i]->~btCollisionAlgorithm();
            dispatchers_[i]->freeCollisionAlgorithm(algorithms_[i]);
        }
    }

    void find(std::size_t call, Start start) {
        b_.object().setWorldTransform(poses_[call]);
        btCollisionDispatcher& dispatcher = *dispatchers_[call % kPairs];
        if (start == Start::cold) {
            for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
                dispatcher.getManifoldByIndexInternal(i)->clearManifold();
        }
        btManifoldResult result(&wrap_a_, &wrap_b_);
        algorithms_[call % kPairs]->processCollision(&wrap_a_, &wrap_b_, info_, &result);
    }
    std::size_t points(std::size_t call) {
        int sum = 0;
        btCollisionDispatcher& dispatcher = *dispatchers_[call % kPairs];
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
            sum += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        return static_cast<std::size_t>(sum);
    }

  private:
    btDefaultCollisionConfiguration configuration_;
    BulletSolid a_, b_;
    btCollisionObjectWrapper wrap_a_, wrap_b_;
    std::vector<std::unique_ptr<btCollisionDispatcher>> dispatchers_;
    std::vector<btCollisionAlgorithm*> algorithms_;
    std::vector<btTransform> poses_;
    btDispatcherInfo info_;
};

void bullet_contacts(benchmark::State& state, const Case& c, Start start) {
    BulletContacts contacts(c);
    repeat(state, [&](std::size_t i) { contacts.find(i, start); });
    std::size_t points = 0;
    for (std::size_t i = 0; i < kPairs * kSteps; ++i) {
        contacts.find(i, start);
        points += contacts.points(i);
    }
    report_points(state, points);
}
#endif

// FCL ---------------------------------------------------------------------------------------------

#ifdef RIGOR_HAS_FCL
fcl::Vector3d to_fcl(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

fcl::Transform3d to_fcl(const Posed& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = to_fcl(pose.p);
    return t;
}

std::shared_ptr<fcl::CollisionGeometryd> fcl_hull(const Hull<double>& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3d& v : hull.vertices) vertices->push_back(to_fcl(v));
    auto faces = std::make_shared<std::vector<int>>();
    for (const HullFace<double>& face : hull.faces) {
        faces->push_back(static_cast<int>(face.count));
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h)
            faces->push_back(static_cast<int>(hull.half_edges[h].origin));
    }
    return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces,
                                          false);
}

std::shared_ptr<fcl::CollisionGeometryd> fcl_mesh(const TriangleSoup& soup) {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3d& v : soup.vertices) vertices.push_back(to_fcl(v));
    for (const auto& t : soup.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

std::shared_ptr<fcl::CollisionGeometryd> to_fcl(const Shape<double>& shape,
                                                const ShapeGeometry& def) {
    if (const auto* sphere = std::get_if<SphereDef>(&def))
        return std::make_shared<fcl::Sphered>(sphere->radius);
    if (const auto* box = std::get_if<BoxDef>(&def))
        return std::make_shared<fcl::Boxd>(to_fcl(box->size));
    if (const auto* capsule = std::get_if<CapsuleDef>(&def))
        return std::make_shared<fcl::Capsuled>(capsule->radius, capsule->length);
    if (const auto* mesh = std::get_if<MeshDef>(&def)) return fcl_mesh(*mesh->soup);
    return fcl_hull(*std::get<std::shared_ptr<const Hull<double>>>(shape.solid));
}

struct FclPair {
    explicit FclPair(const Case& c) : a(to_fcl(c.a, c.def_a)), b(to_fcl(c.b, c.def_b)) {
        for (std::size_t i = 0; i < kPairs * kSteps; ++i) poses.push_back(to_fcl(c.pose(i)));
        // On a mesh all points are asked for, as ours gives.
        if (std::holds_alternative<MeshDef>(c.def_a)) most_points = 1000;
    }

    std::shared_ptr<fcl::CollisionGeometryd> a, b;
    fcl::Transform3d at_a = fcl::Transform3d::Identity();
    std::vector<fcl::Transform3d> poses;
    std::size_t most_points = 4;
};

void fcl_contacts(benchmark::State& state, const Case& c, Start) {
    const FclPair pair(c);
    fcl::CollisionRequestd request(pair.most_points, true);
    request.gjk_solver_type = fcl::GST_INDEP; // libccd's stops the program on some overlaps
    fcl::CollisionResultd result;
    const auto call = [&](std::size_t i) {
        result.clear();
        fcl::collide(pair.a.get(), pair.at_a, pair.b.get(), pair.poses[i], request, result);
    };
    repeat(state, call);
    std::size_t points = 0;
    for (std::size_t i = 0; i < kPairs * kSteps; ++i) {
        call(i);
        points += result.numContacts();
    }
    report_points(state, points);
}

void fcl_distance(benchmark::State& state, const Case& c, fcl::GJKSolverType solver) {
    const FclPair pair(c);
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = solver;
    fcl::DistanceResultd result;
    repeat(state, [&](std::size_t i) {
        result.clear();
        fcl::distance(pair.a.get(), pair.at_a, pair.b.get(), pair.poses[i], request, result);
    });
}
#endif

// Cases -------------------------------------------------------------------------------------------

using Make = std::function<Case()>;
using Measure = std::function<void(benchmark::State&, const Case&)>;

void add(const std::string& name, const Make& make, const Measure& measure) {
    benchmark::RegisterBenchmark(("collide/" + name).c_str(), [=](benchmark::State& state) {
        const Case c = make();
        measure(state, c);
    });
}

void add_contacts(const std::string& pair, const Make& make) {
    for (const Start start : {Start::cold, Start::warm}) {
        const std::string name = pair + (start == Start::cold ? "/cold" : "/warm");
        add(name + "/float", make, [=](auto& s, auto& c) { our_contacts<float>(s, c, start); });
        add(name + "/double", make, [=](auto& s, auto& c) { our_contacts<double>(s, c, start); });
#ifdef RIGOR_HAS_BULLET
        add(name + "/bullet", make, [=](auto& s, auto& c) { bullet_contacts(s, c, start); });
#endif
#ifdef RIGOR_HAS_FCL
        if (start == Start::cold)
            add(name + "/fcl", make, [=](auto& s, auto& c) { fcl_contacts(s, c, start); });
#endif
    }
}

void add_distance(const std::string& pair, const Make& make) {
    for (const Start start : {Start::cold, Start::warm}) {
        const std::string name = pair + (start == Start::cold ? "/cold" : "/warm");
        add(name + "/float", make, [=](auto& s, auto& c) { our_distance<float>(s, c, start); });
        add(name + "/double", make, [=](auto& s, auto& c) { our_distance<double>(s, c, start); });
    }
#ifdef RIGOR_HAS_FCL
    add(pair + "/cold/fcl", make, [](auto& s, auto& c) { fcl_distance(s, c, fcl::GST_INDEP); });
    add(pair + "/cold/fcl_libccd", make,
        [](auto& s, auto& c) { fcl_distance(s, c, fcl::GST_LIBCCD); });
#endif
}

[[maybe_unused]] const bool registered = [] {
    Dice dice;
    const SphereDef sphere{0.5};
    const BoxDef box{{1, 0.8, 1.2}};
    const CapsuleDef capsule{0.3, 0.8};
    const HullDef hull_16 = hull_of(16, dice), hull_64 = hull_of(64, dice);
    struct Pair {
        const char* name;
        ShapeGeometry a, b;
    };
    const std::vector<Pair> pairs{
        {"sphere_sphere", sphere, sphere},   {"box_box", box, box},
        {"capsule_box", capsule, box},       {"hull16_hull16", hull_16, hull_16},
        {"hull64_hull64", hull_64, hull_64}, {"mesh_box", hills(), box}};
    for (const Pair& p : pairs) {
        const std::string name = p.name;
        add_contacts(name + "/overlap", [=] { return Case(p.a, p.b, -0.01); });
        add_contacts(name + "/apart", [=] { return Case(p.a, p.b, 0.005); });
        if (!std::holds_alternative<MeshDef>(p.a))
            add_distance(name + "/distance", [=] { return Case(p.a, p.b, 0.1); });
    }
    return true;
}();

} // namespace
} // namespace rigor
