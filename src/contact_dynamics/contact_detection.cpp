#include "contact_dynamics/contact_detection.h"

#include <algorithm>
#include <utility>

#include "collide/contact_region.h"
#include "collide/distance.h"
#include "contact_dynamics/redundant_points.h"

namespace rigor::contact_dynamics {
namespace {

/// The pose of a shape, seen from a place.
Posed pose_of(const WorldState& state, std::uint32_t shape, const BodyMotion& motion,
              const Vec3d& origin) {
    return Posed{motion.x - origin, motion.q} * in_body(state, shape);
}

/// A pair of shapes: where each is in its body, and the second seen from the first. World
/// coordinates do not enter: far from their origin they are rounded.
struct PairPoses {
    Posed a_in_body, b_in_body, b_in_a;
};

/// Moves the origin of a half-space along its surface to the foot of the perpendicular from a
/// point, in the world (`pose`) and in its body (`in_body`), which describes the same surface. A
/// body may be kilometers from where a plane has its origin, and what is computed in the frame of
/// the plane, the corners of the body among it, would be rounded accordingly.
void move_to_foot(const Shape<double>& shape, const Quatd& body, const Vec3d& from, Posed& pose,
                  Posed& in_body) {
    const auto* plane = std::get_if<Plane<double>>(&shape.solid);
    if (!plane) return;
    const Vec3d normal = rotate(pose.q, plane->normal);
    const Vec3d foot = from + normal * dot(normal, pose.p - from);
    in_body.p += inverse_rotate(body, foot - pose.p);
    pose.p = foot;
}

PairPoses poses_of(const WorldState& state, const ShapePair& pair, const BodyMotion& a,
                   const BodyMotion& b) {
    PairPoses poses{in_body(state, pair.a), in_body(state, pair.b), {}};
    Posed pose_a = pose_of(state, pair.a, a, a.x);
    Posed pose_b = pose_of(state, pair.b, b, a.x - image_of(state, pair));
    move_to_foot(state.shapes[pair.a].geometry, a.q, pose_b.p, pose_a, poses.a_in_body);
    move_to_foot(state.shapes[pair.b].geometry, b.q, pose_a.p, pose_b, poses.b_in_body);
    poses.b_in_a = relative_pose<double>(pose_a, pose_b);
    return poses;
}

// Depths that differ by less than this are the same: all corners of a box count that lands flat.
constexpr double kSameDepth = 1e-12;

ContactSettings<double> settings_for(double margin) {
    return {margin, kSameDepth};
}

void find_manifolds(const WorldState& state, const ShapePair& pair, const Posed& b_in_a,
                    double margin, std::vector<PartContact<double>>& manifolds) {
    manifolds.clear();
    rigor::find_contacts(state.shapes[pair.a].geometry, state.shapes[pair.b].geometry, b_in_a,
                         settings_for(margin), manifolds);
}

/// Whether a shape is a mesh that collides triangle by triangle.
bool is_concave_mesh(const Shape<double>& shape) {
    const auto* mesh = std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&shape.solid);
    return mesh && !(*mesh)->hull;
}

/// The points of all contact regions of a pair. Those of concave meshes that move touch with many
/// triangles at once, and only the corners count.
std::vector<RegionPoint> region_points(const WorldState& state, const ShapePair& pair,
                                       const Posed& b_in_a, double margin) {
    const ShapeRecord &a = state.shapes[pair.a], &b = state.shapes[pair.b];
    std::vector<PartContact<double>> manifolds;
    find_manifolds(state, pair, b_in_a, margin, manifolds);
    std::vector<RegionPoint> points;
    for (const PartContact<double>& part : manifolds) {
        // All vertices of the contact region: four of them cannot carry every pressure on it.
        const ContactRegion<double> region =
            region_of(part.manifold, a.geometry, b.geometry, b_in_a, settings_for(margin));
        for (const ContactPoint<double>& point : region.points)
            points.push_back({region.normal, point, region.part_a, region.part_b});
    }
    const auto moves = [&](const ShapeRecord& shape) {
        return is_concave_mesh(shape.geometry) && is_dynamic(state.bodies, shape.body.index);
    };
    if (points.size() > 1 && (moves(a) || moves(b))) {
        const double size =
            std::min(bounding_radius(a.geometry, Vec3d{}), bounding_radius(b.geometry, Vec3d{}));
        drop_redundant_points(points, size);
    }
    return points;
}

/// The fastest that a surface point of a body may go relative to its island.
double speed_bound(const WorldState& state, const Island& island, const ShapePair& pair) {
    double speed = 0;
    for (const std::uint32_t shape : {pair.a, pair.b}) {
        const std::uint32_t body = body_of(state, shape);
        if (state.bodies.traits[body].type == BodyType::static_body) continue;
        const auto place = std::find(island.bodies.begin(), island.bodies.end(), body);
        const auto i = static_cast<std::size_t>(place - island.bodies.begin());
        const BodyKinematics now = kinematics_of(state.bodies, body, island.motion[i]);
        const double radius = bounding_radius(state.shapes[shape].geometry,
                                              inverse_transform(in_body(state, shape), Vec3d{}));
        speed += length(now.v) + length(now.w) * radius;
    }
    return speed;
}

/// How different a contact is from that of the same pair in a list which is most like it, and which
/// that is: meters between their points and radians between their normals alike.
template <class List>
double smallest_difference(const Contact& c, const Island& island, List& list,
                           Contact** which = nullptr) {
    double least = std::numeric_limits<double>::infinity();
    const ClosestPoints<double> here = closest_points_of(c, island);
    for (auto& other : list) {
        if (other.shapes != c.shapes) continue;
        const ClosestPoints<double> there = closest_points_of(other, island);
        const double d = length(there.point - here.point) + length(there.normal - here.normal);
        if (!(d < least)) continue;
        least = d;
        if (which) *which = &other;
    }
    return least;
}

/// How far the points of a contact are from the surfaces that they should be on.
double distance_off_surfaces(const WorldState& state, const Island& island, const Contact& c) {
    const ClosestPoints<double> now = closest_points_of(c, island);
    const auto off = [&](std::uint32_t shape, const BodyMotion& motion, const Vec3d& middle,
                         const Vec3d& offset) {
        const Vec3d local = inverse_transform(pose_of(state, shape, motion, middle), offset);
        return std::abs(closest_point(state.shapes[shape].geometry, local).distance);
    };
    const Vec3d half = now.normal * (0.5 * now.gap);
    return std::max(off(c.shapes.a, island.motion[c.a], now.point, -half),
                    off(c.shapes.b, island.motion[c.b], now.point - c.image, half));
}

/// Whether a contact that is not among those found is one all the same: its points are still on
/// both surfaces. Of an edge on a face only one crossing may be found, that which is deeper by
/// a last digit.
bool is_still_touching(const WorldState& state, double touch, const Island& island,
                       const Contact& c) {
    const double gap = closest_points_of(c, island).gap;
    return gap <= touch && distance_off_surfaces(state, island, c) <= touch + std::abs(gap);
}

/// The rate of the gap.
double gap_rate(const ContactFrame& frame, const BodyKinematics& a, const BodyKinematics& b) {
    return dot(relative_velocity(frame, a, b), frame.normal);
}

} // namespace

std::uint32_t body_of(const WorldState& state, std::uint32_t shape) {
    return state.shapes[shape].body.index;
}

Posed in_body(const WorldState& state, std::uint32_t shape) {
    const ShapeRecord& record = state.shapes[shape];
    const BodyTraits& traits = state.bodies.traits[record.body.index];
    const Quatd back = conjugate(traits.principal);
    return {rotate(back, record.local.p - traits.center), back * record.local.q};
}

Separation separation(const WorldState& state, const ShapePair& pair, const BodyMotion& a,
                      const BodyMotion& b, DistanceCache<double>* cache) {
    constexpr double kManifoldMargin = 1e-3;
    constexpr double kTouching = 1e-9; // m, of two meshes
    const Posed b_in_a = poses_of(state, pair, a, b).b_in_a;
    const Shape<double>&shape_a = state.shapes[pair.a].geometry,
          &shape_b = state.shapes[pair.b].geometry;
    const auto in_world = [&](const Vec3d& n) { return rotate(a.q * in_body(state, pair.a).q, n); };
    // Of two meshes the distance costs less than their contacts, and it is exact until they touch.
    if (is_concave_mesh(shape_a) && is_concave_mesh(shape_b)) {
        const Distance<double> d = distance(shape_a, shape_b, b_in_a, cache);
        if (d.distance >= kTouching) return {d.distance, in_world(d.normal)};
    }
    std::vector<PartContact<double>> manifolds;
    find_manifolds(state, pair, b_in_a, kManifoldMargin, manifolds);
    Separation least{kManifoldMargin, {}};
    for (const PartContact<double>& part : manifolds)
        for (int i = 0; i < part.manifold.count; ++i) {
            const double gap = part.manifold.points[static_cast<std::size_t>(i)].separation;
            if (gap < least.gap) least = {gap, part.manifold.normal};
        }
    if (!(least.gap < kManifoldMargin)) {
        const Distance<double> d = distance(shape_a, shape_b, b_in_a);
        least = {d.distance, d.normal};
    }
    least.normal = in_world(least.normal);
    return least;
}

void find_contacts(const WorldState& state, Island& island, const ShapePair& pair, double margin,
                   std::vector<Contact>& out) {
    const ShapeRecord& record_a = state.shapes[pair.a];
    const ShapeRecord& record_b = state.shapes[pair.b];
    const std::uint32_t a = island.find_or_add_body(record_a.body.index, state);
    const std::uint32_t b = island.find_or_add_body(record_b.body.index, state);
    const PairPoses poses = poses_of(state, pair, island.motion[a], island.motion[b]);
    const Posed& b_in_a = poses.b_in_a;
    const ContactShape place_a{&record_a.geometry, poses.a_in_body};
    const ContactShape place_b{&record_b.geometry, poses.b_in_body};
    const Vec3d image = image_of(state, pair);
    const ContactMaterial material = combine(state, record_a.material, record_b.material);
    const bool directed = has_directions(record_a.material) || has_directions(record_b.material);
    for (const RegionPoint& found : region_points(state, pair, b_in_a, margin)) {
        const ContactPoint<double>& point = found.point;
        const Manifold<double> one{found.normal, 1, {point}, found.part_a, found.part_b};
        Contact& c = out.emplace_back();
        c.shapes = pair;
        c.features = std::uint64_t{point.feature_a.value()} << 32 | point.feature_b.value();
        c.a = a;
        c.b = b;
        c.image = image;
        c.geometry = make_geometry(place_a, place_b, b_in_a, one, 0);
        c.material = material;
        if (!directed) continue;
        c.has_directions = true;
        c.surface_a = surface_directions(state, pair.a);
        c.surface_b = surface_directions(state, pair.b);
    }
}

constexpr double kSameContact = 1e-6; // m, rad: contacts that differ by less are the same
// m, rad: one that is found so near to a known one takes its place. It has other features, as where
// the side of a cylinder passes into its rim, and the two together would hold what one leaves free.
constexpr double kSuccessor = 1e-5;

double update_contacts(const WorldState& state, const Laws& laws, double horizon, double begin,
                       Island& island) {
    std::vector<Contact> found, touching, near_contacts;
    for (const ShapePair& pair : island.pairs) {
        const double travel = horizon > 0 ? 2 * horizon * speed_bound(state, island, pair) : 0;
        find_contacts(state, island, pair, laws.tolerances.touch_distance + travel, found);
    }
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    double change = 0;
    for (Contact& c : found) {
        const ContactFrame frame = frame_of(c, bodies);
        const bool touches = frame.gap <= laws.tolerances.touch_distance;
        Contact* previous = nullptr;
        const double distance_to_known =
            touches ? smallest_difference(c, island, island.contacts, &previous) : 0;
        if (touches && distance_to_known < kSameContact) {
            c.mode = previous->mode;
            c.slip = previous->slip;
            c.slip_is_new = previous->slip_is_new;
            c.slip_rotation = previous->slip_rotation;
            c.force = previous->force;
            c.impulse = std::exchange(previous->impulse, {}); // two may be like one of before
            c.rolling = previous->rolling;
            c.torsion = previous->torsion;
        }
        const bool is_separating =
            gap_rate(frame, bodies[c.a], bodies[c.b]) > laws.tolerances.slip_speed;
        const bool is_new = touches && distance_to_known >= kSameContact;
        if (!touches || (is_new && (is_separating || frame.gap > begin))) {
            near_contacts.push_back(c);
            continue;
        }
        change = std::max(change, distance_to_known);
        touching.push_back(c);
    }
    for (Contact& c : island.contacts) {
        const double distance_to_known = smallest_difference(c, island, touching);
        if (distance_to_known > kSuccessor &&
            is_still_touching(state, laws.tolerances.touch_distance, island, c)) {
            touching.push_back(c);
            continue;
        }
        change = std::max(change, distance_to_known);
        end_contact(c, island);
    }
    island.contacts = std::move(touching);
    island.near_contacts = std::move(near_contacts);
    return change;
}

} // namespace rigor::contact_dynamics
