#include "fast/contact_constraints.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "collide/core_faces.h"
#include "fast/collision_shape_cache.h"
#include "fast/empty_block.h"
#include "fast/lane_columns.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

/// Both bodies of a contact.
struct ContactBodies {
    const SolverMass &mass_a, &mass_b;
    const SolverBody &a, &b;
};

ContactBodies bodies_of(const ContactConstraint& contact, const SolverBodies& bodies) {
    return {bodies.mass_of(contact.body_a), bodies.mass_of(contact.body_b), bodies[contact.body_a],
            bodies[contact.body_b]};
}

/// The anchors of a point, from both centers of mass.
struct Anchors {
    Vec3f a, b;
};

/// The points of both bodies that a contact point moves with: vertices that touch, or the centers
/// of the balls around them. Its velocity is
///
///     (1 - share) v_a + w_a x a + share v_b + w_b x b .
///
/// Unknown for crossing edges and for rims.
struct ContactCarriers {
    Vec3f a, b;      ///< from the centers of mass, scaled by their shares
    float share = 0; ///< of B
};

constexpr float kLeastSquaredSine = 0.25f; // of axis and normal: below it a cap touches

bool is_mantle_end(Feature feature) {
    return feature.kind() == FeatureKind::vertex && feature.index() / 2 == kMantle;
}

/// Predicts where the contact points of two bodies will be.
///
/// Anchors are constant during a step. Those of its beginning would lag behind: a ball on a
/// turntable spirals out, a falling rod falls late. So they are predicted for the mean time of the
/// substeps.
class AnchorPrediction {
  public:
    AnchorPrediction(const ContactManifold& manifold, const ContactBodies& bodies, float time)
        : manifold_(manifold), is_slow_(bodies.mass_a.is_slow && bodies.mass_b.is_slow) {
        if (is_slow_) return;
        constexpr float kTumbling = 0.5f; // rad/s
        tumbles_ = length_squared(angular_velocity(bodies.b) - angular_velocity(bodies.a)) >
                   kTumbling * kTumbling;
        a_ = motion_of(bodies.a, time);
        b_ = motion_of(bodies.b, time);
        if (manifold.convex_radius_a == kCurved)
            roll_a_ = rotation_of_mantle_line(manifold.rotation_a, bodies.a, time);
        if (manifold.convex_radius_b == kCurved)
            roll_b_ = rotation_of_mantle_line(manifold.rotation_b, bodies.b, time);
    }

    Anchors anchors(const ManifoldPoint& point) const {
        const Anchors now{point.anchor_a, manifold_.anchor_b(point)};
        if (is_slow_) return now;
        const std::optional<Vec3f> contact = contact_motion(point, now);
        return contact ? Anchors{moved(a_, now.a, *contact), moved(b_, now.b, *contact)} : now;
    }

    /// Where bodies tumble over each other. Elsewhere points share the load, and friction that
    /// moved with every change of it would let a stack creep.
    bool friction_follows_load() const { return manifold_.count > 1 && tumbles_; }

    /// Of the mean of all points, if it is known for all.
    std::optional<ContactCarriers> carriers() const {
        ContactCarriers mean;
        const float part = 1 / static_cast<float>(manifold_.count);
        for (const ManifoldPoint& point : manifold_.used()) {
            const auto c = carriers(point, {point.anchor_a, manifold_.anchor_b(point)});
            if (!c) return std::nullopt;
            mean.a += c->a * part;
            mean.b += c->b * part;
            mean.share += c->share * part;
        }
        return mean;
    }

  private:
    struct PredictedMotion {
        Vec3f translation, rotation;
        Vec3f at(const Vec3f& anchor) const { return translation + cross(rotation, anchor); }
    };

    static PredictedMotion motion_of(const SolverBody& body, float time) {
        constexpr float kMaxAngle = 0.25f; // rad: the limit of the linear extrapolation
        const Vec3f turn = angular_velocity(body) * time;
        const float squared = length_squared(turn);
        const bool far = squared > kMaxAngle * kMaxAngle;
        return {linear_velocity(body) * time, far ? turn * (kMaxAngle / std::sqrt(squared)) : turn};
    }

    /// The line along which the mantle of a cylinder or cone touches a face lies in the plane of
    /// axis u and normal n: it turns with the body, but not about u. Of the angular velocity
    ///
    ///     w = s u + y n + k (u x n)
    ///
    /// the last two remain. Else a wheel that spins in a curve would have its line of the beginning
    /// of the step: its ends would be in front of and behind the axle, and rise and fall as it
    /// spins.
    Vec3f rotation_of_mantle_line(const Quatf& shape, const SolverBody& body, float time) const {
        const Vec3f u = rotate(shape, Vec3f{0, 0, 1}), n = manifold_.normal;
        const Vec3f w = angular_velocity(body) * time;
        const float c = dot(u, n), square = 1 - c * c;
        if (!(square > kLeastSquaredSine)) return {};
        return w - u * ((dot(w, u) - c * dot(w, n)) / square);
    }

    /// Of an end of such a line over a face.
    std::optional<Vec3f> mantle_motion(const ManifoldPoint& point, const Anchors& now) const {
        if (manifold_.convex_radius_b == kCurved && is_mantle_end(point.feature_b) &&
            point.feature_a.kind() == FeatureKind::face)
            return b_.translation + cross(roll_b_, now.b);
        if (manifold_.convex_radius_a == kCurved && is_mantle_end(point.feature_a) &&
            point.feature_b.kind() == FeatureKind::face)
            return a_.translation + cross(roll_a_, now.a);
        return std::nullopt;
    }

    std::optional<Vec3f> contact_motion(const ManifoldPoint& point, const Anchors& now) const {
        if (const auto motion = mantle_motion(point, now)) return motion;
        const std::optional<ContactCarriers> c = carriers(point, now);
        if (!c) return std::nullopt;
        return a_.translation * (1 - c->share) + cross(a_.rotation, c->a) +
               b_.translation * c->share + cross(b_.rotation, c->b);
    }

    std::optional<ContactCarriers> carriers(const ManifoldPoint& point, const Anchors& now) const {
        const std::optional<float> share = share_of_b(manifold_, point);
        if (!share) return std::nullopt;
        // The point is half-way between the surfaces, the carriers are behind these.
        const Vec3f n = manifold_.normal;
        const float half = 0.5f * point.separation;
        return ContactCarriers{(now.a - n * (manifold_.convex_radius_a + half)) * (1 - *share),
                               (now.b + n * (manifold_.convex_radius_b + half)) * *share, *share};
    }

    /// With its body, and along its surface to where the contact point will be.
    Vec3f moved(const PredictedMotion& motion, const Vec3f& anchor, const Vec3f& contact) const {
        const Vec3f apart = contact - motion.at(anchor);
        return anchor + cross(motion.rotation, anchor) +
               (apart - manifold_.normal * dot(apart, manifold_.normal));
    }

    const ContactManifold& manifold_;
    bool is_slow_; // then nothing is predicted: a pile at rest keeps its constraints
    bool tumbles_ = false;
    PredictedMotion a_, b_;
    Vec3f roll_a_, roll_b_; // rotation_of_mantle_line
};

template <int W>
void fill_point(PointBlock<W>& point, std::size_t lane, const ManifoldPoint& from,
                const Anchors& anchors) {
    set<W>(point.anchor_a, lane, anchors.a);
    set<W>(point.anchor_b, lane, anchors.b);
    point.separation[lane] = from.separation;
    point.mass[lane] = 1;
    point.impulse[lane] = from.impulse;
}

/// Whether a carrier of a contact at `anchor` moves along a straight line, nearly, for a time. That
/// of a ball is its center and does not move, however fast the ball spins.
bool turns_little(const SolverBody& body, const Vec3f& carrier, const Vec3f& anchor, float time) {
    constexpr float kMaxAngle = 0.25f; // rad
    return length_squared(cross(angular_velocity(body), carrier)) * time * time <=
           kMaxAngle * kMaxAngle * length_squared(anchor);
}

/// Friction acts where the contact is in the middle of each substep; the substeps move it there
/// from `now`. If it stayed in the `middle` of the step, all the friction of a step would be needed
/// in its first substep, which may be more than the cone of that allows: a ball on a turntable
/// would skid. Where this changes the slip by next to nothing it stays.
template <int W>
void fill_friction_anchors(ContactBlock<W>& block, std::size_t lane, const ContactBodies& bodies,
                           const AnchorPrediction& prediction, const Anchors& now,
                           const Anchors& middle, float time) {
    constexpr float kMinAcceleration = 0.1f; // of the slip, m/s²
    const Vec3f change = cross(angular_velocity(bodies.b), middle.b - now.b) -
                         cross(angular_velocity(bodies.a), middle.a - now.a);
    const float least = kMinAcceleration * time;
    const bool moves = length_squared(change) > least * least;
    std::optional<ContactCarriers> carriers = moves ? prediction.carriers() : std::nullopt;
    if (carriers && !(turns_little(bodies.a, carriers->a, now.a, time) &&
                      turns_little(bodies.b, carriers->b, now.b, time)))
        carriers.reset();
    block.carrier_share[lane] = carriers ? carriers->share : -1;
    const Anchors& anchors = carriers ? now : middle;
    set<W>(block.friction_anchor_a, lane, anchors.a);
    set<W>(block.friction_anchor_b, lane, anchors.b);
    if (!carriers) return;
    set<W>(block.carrier_a, lane, carriers->a);
    set<W>(block.carrier_b, lane, carriers->b);
    block.moves = true;
}

/// From the mean of the points to the center of the load that they had in the last substep.
template <int W>
Vec3f offset_of_load(const ContactBlock<W>& block, const PointBlock<W>* points, std::size_t lane,
                     const Vec3f& mean) {
    Vec3f sum;
    float load = 0;
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[block.first_point + static_cast<std::size_t>(k)];
        const std::array<Column<W>, 3>& anchor = point.anchor_a;
        sum += Vec3f{anchor[0][lane], anchor[1][lane], anchor[2][lane]} * point.impulse[lane];
        load += point.impulse[lane];
    }
    return load > 0 ? sum * (1 / load) - mean : Vec3f{};
}

/// Of bodies that tumble friction acts at the center of the load, and begins with that of the last
/// substep: its twist is about there.
template <int W>
void follow_load(ContactBlock<W>& block, std::size_t lane, const Vec3f& offset) {
    const auto move = [&](std::array<Column<W>, 3>& column) {
        const Vec3f anchor{column[0][lane], column[1][lane], column[2][lane]};
        set<W>(column, lane, anchor + offset);
    };
    move(block.friction_anchor_a);
    move(block.friction_anchor_b);
    set<W>(block.load_center, lane, offset);
    block.friction_follows_load[lane] = 1;
    block.follows_load = true;
}

template <int W>
void fill_rolling(ContactBlock<W>& block, std::size_t lane, const ContactConstraint& contact,
                  const Vec3f& t, const Vec3f& s) {
    const float resistance = contact.manifold->surface.rolling;
    if (resistance == 0) return;
    block.rolls = true;
    block.surface->rolling[lane] = resistance;
    block.surface->rolling_1[lane] = dot(contact.manifold->rolling, t);
    block.surface->rolling_2[lane] = dot(contact.manifold->rolling, s);
}

template <int W>
void fill_two_frictions(ContactBlock<W>& block, std::size_t lane,
                        const ContactConstraint& contact) {
    if (block.surface == nullptr) return;
    block.surface->kinetic_friction[lane] = contact.kinetic_friction;
    block.surface->slides[lane] = contact.manifold->slides ? 1 : 0;
    if (contact.kinetic_friction != contact.friction) block.sticks_and_slides = true;
}

/// Tangents of friction along unit axes t and s: with a grain, the first is scaled.
template <int W>
void fill_tangents(ContactBlock<W>& block, std::size_t lane, const ContactConstraint& contact,
                   const Vec3f& t, const Vec3f& s) {
    const float scale = contact.tangent_scale;
    const Vec3f tangent = scale == 1 ? t : t * scale;
    if (scale != 1) {
        block.is_anisotropic = true;
        block.surface->inv_tangent_scale[lane] = 1 / scale;
    }
    set<W>(block.tangent, lane, tangent);
    block.surface_velocity_1[lane] = dot(contact.surface_velocity, tangent);
    block.surface_velocity_2[lane] = dot(contact.surface_velocity, s);
    const float along = dot(contact.manifold->friction, t);
    block.friction_1[lane] = scale == 1 ? along : along / scale;
    block.friction_2[lane] = dot(contact.manifold->friction, s);
}

/// All impulses of a lane.
template <int W>
void scale_impulses(ContactBlock<W>& block, PointBlock<W>* points, std::size_t lane, float scale) {
    for (int k = 0; k < block.point_count; ++k)
        points[block.first_point + static_cast<std::size_t>(k)].impulse[lane] *= scale;
    for (Column<W>* column : {&block.friction_1, &block.friction_2, &block.twist})
        (*column)[lane] *= scale;
    if (!block.rolls) return;
    block.surface->rolling_1[lane] *= scale;
    block.surface->rolling_2[lane] *= scale;
}

} // namespace

template <int W>
void reset_block(ContactBlock<W>& block, PointBlock<W>* points, std::uint32_t first_point,
                 int point_count, SurfaceBlock<W>* surface) {
    block = empty_block<ContactBlock<W>>();
    block.surface = surface;
    if (surface) {
        *surface = {};
        surface->inv_tangent_scale.fill(1);
    }
    block.first_point = first_point;
    block.point_count = point_count;
    std::fill_n(points + first_point, point_count, PointBlock<W>{});
}

template <int W>
void fill_lane(ContactBlock<W>& block, PointBlock<W>* points, std::size_t lane,
               const ContactConstraint& contact, const SolverBodies& bodies,
               const ContactSoftness& softness) {
    const ContactBodies both = bodies_of(contact, bodies);
    const ContactManifold& manifold = *contact.manifold;
    const Vec3f n = manifold.normal,
                t = contact.tangent_scale == 1 ? perpendicular(n) : contact.tangent,
                s = cross(n, t);
    const AnchorPrediction prediction(manifold, both, softness.predict_ahead);
    Vec3f now, anchor_a, anchor_b; // the mean of the points, where friction acts
    for (std::size_t k = 0; k < manifold.used().size(); ++k) {
        const Anchors anchors = prediction.anchors(manifold.points[k]);
        fill_point<W>(points[block.first_point + k], lane, manifold.points[k], anchors);
        now += manifold.points[k].anchor_a;
        anchor_a += anchors.a;
        anchor_b += anchors.b;
    }
    const float share = 1 / static_cast<float>(manifold.count);
    anchor_a = anchor_a * share;
    anchor_b = anchor_b * share;
    const Vec3f on_a = now * share;
    fill_friction_anchors<W>(block, lane, both, prediction, {on_a, on_a + manifold.center_offset},
                             {anchor_a, anchor_b}, softness.predict_ahead);
    if (prediction.friction_follows_load())
        follow_load<W>(block, lane, offset_of_load<W>(block, points, lane, anchor_a));

    set<W>(block.normal, lane, n);
    fill_tangents<W>(block, lane, contact, t, s);
    block.inv_mass_a[lane] = both.mass_a.inv_mass;
    block.inv_mass_b[lane] = both.mass_b.inv_mass;
    set<W>(block.inv_inertia_a, lane, both.mass_a.inv_inertia);
    set<W>(block.inv_inertia_b, lane, both.mass_b.inv_inertia);
    block.turns = block.turns || both.mass_a.turns || both.mass_b.turns;

    block.relative_gravity[lane] =
        dot(n, both.mass_b.gravity_acceleration - both.mass_a.gravity_acceleration);
    block.friction[lane] = contact.friction;
    block.restitution[lane] = contact.restitution;
    block.torsion[lane] = manifold.surface.torsion;
    fill_rolling<W>(block, lane, contact, t, s);
    fill_two_frictions<W>(block, lane, contact);

    block.is_driven =
        block.is_driven || is_kinematic(contact.body_a) || is_kinematic(contact.body_b);
    const bool is_dynamic =
        contact.body_a.responds_to_impulses() && contact.body_b.responds_to_impulses();
    static constexpr Softness kRigid; // of bodies that displacements move apart
    const bool parts = contact.pair != nullptr && contact.pair->parting;
    const Softness& soft = parts ? kRigid : (is_dynamic ? softness.dynamic : softness.immovable);
    block.bias_rate[lane] = soft.bias_rate;
    block.mass_scale[lane] = soft.mass_scale;
    block.impulse_scale[lane] = soft.impulse_scale;

    block.twist[lane] = manifold.twist;
    block.body_a[lane] = contact.body_a;
    block.body_b[lane] = contact.body_b;
    if (softness.divisions > 1) scale_impulses<W>(block, points, lane, 1 / softness.divisions);
}

template <int W>
void update_inertia(ContactBlock<W>& block, const SolverBodies& bodies) {
    for (std::size_t lane = 0; lane < W; ++lane) {
        set<W>(block.inv_inertia_a, lane, bodies.mass_of(block.body_a[lane]).inv_inertia);
        set<W>(block.inv_inertia_b, lane, bodies.mass_of(block.body_b[lane]).inv_inertia);
    }
}

template <int W>
void store_impulses(const ContactBlock<W>& block, const PointBlock<W>* points, std::size_t lane,
                    ContactConstraint& contact, float divisions) {
    ContactManifold& manifold = *contact.manifold;
    float total = 0, approach = 0;
    std::uint32_t fastest = 0;
    for (std::size_t k = 0; k < manifold.used().size(); ++k) {
        const PointBlock<W>& point = points[block.first_point + k];
        manifold.points[k].impulse = point.impulse[lane] * divisions;
        manifold.points[k].total_impulse = point.total_impulse[lane];
        total += point.total_impulse[lane];
        if (point.total_impulse[lane] > 0 && -point.impact_velocity[lane] > approach) {
            approach = -point.impact_velocity[lane];
            fastest = static_cast<std::uint32_t>(k);
        }
    }
    contact.total_impulse = total;
    contact.approach_speed = approach;
    contact.fastest_point = fastest;
    (block.hit[lane] > 0 ? contact.impact_work : contact.normal_work) = block.normal_work[lane];
    contact.impact_work += block.restitution_work[lane];
    contact.friction_work = block.friction_work[lane];
    const float inv_scale = block.is_anisotropic ? block.surface->inv_tangent_scale[lane] : 1;
    const Vec3f n = vector_at<W>(block.normal, lane), t = vector_at<W>(block.tangent, lane),
                s = inv_scale == 1 ? cross(n, t) : cross(n, t) * inv_scale;
    const Vec3f roll_axis = inv_scale == 1 ? t : t * inv_scale;
    manifold.friction = (t * block.friction_1[lane] + s * block.friction_2[lane]) * divisions;
    manifold.twist = block.twist[lane] * divisions;
    manifold.rolling = (roll_axis * (block.rolls ? block.surface->rolling_1[lane] : 0) +
                        s * (block.rolls ? block.surface->rolling_2[lane] : 0)) *
                       divisions;
    if (block.sticks_and_slides) manifold.slides = block.surface->slides[lane] > 0;
    manifold.total_friction = t * block.total_friction_1[lane] + s * block.total_friction_2[lane];
}

#define RIGOR_INSTANTIATE(W)                                                                \
    template void fill_lane(ContactBlock<W>&, PointBlock<W>*, std::size_t,                  \
                            const ContactConstraint&, const SolverBodies&,                  \
                            const ContactSoftness&);                                        \
    template void reset_block(ContactBlock<W>&, PointBlock<W>*, std::uint32_t, int,         \
                              SurfaceBlock<W>*);                                            \
    template void store_impulses(const ContactBlock<W>&, const PointBlock<W>*, std::size_t, \
                                 ContactConstraint&, float);                                \
    template void update_inertia(ContactBlock<W>&, const SolverBodies&);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
