#include "fast/fresh_contacts.h"

#include <algorithm>
#include <array>

#include "fast/contact_kernels.h"
#include "fast/narrowphase.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr double kMinTurn = 0.1; // rad in a step
constexpr float kMargin = 0.02f; // of the smaller shape
constexpr float kFar = 1e3f;     // m: the separation of a point that is not there

/// Balls around vertices are followed without a new search (friction_anchors.h).
bool is_round(const ContactManifold& manifold) {
    return manifold.convex_radius_a > 0 || manifold.convex_radius_b > 0;
}

bool is_fresh(const ContactConstraint& contact, const SolverBodies& bodies, double dt,
              const std::vector<std::uint8_t>& counts) {
    const ContactPair& pair = *contact.pair;
    if (pair.composite || pair.periodic || pair.has_directions || is_round(*contact.manifold))
        return false;
    if (contact.body_a.responds_to_impulses() == contact.body_b.responds_to_impulses())
        return false;
    const SolverBodyIndex mover =
        contact.body_a.responds_to_impulses() ? contact.body_a : contact.body_b;
    const double turn = static_cast<double>(length(angular_velocity(bodies[mover]))) * dt;
    return counts[mover.index()] == 1 && bodies.has_joints[mover.index()] == 0 && turn > kMinTurn;
}

/// A shape where its body is at a time after the last substep ended.
CollisionShape moved(const CollisionShape& shape, const SolverBody& body, float time) {
    const Quatf turned{body.displacement[6], body.displacement[3], body.displacement[4],
                       body.displacement[5]};
    const Quatf turn = normalize(from_rotation_vector(angular_velocity(body) * time) * turned);
    const Vec3f moved = translation(body) + linear_velocity(body) * time;
    CollisionShape now = shape;
    now.center = rotate(turn, shape.center);
    now.rotation = turn * shape.rotation;
    now.origin += cast<double>(moved + shape.center - now.center);
    return now;
}

/// One contact in one substep.
template <int W>
class FreshUpdate {
  public:
    FreshUpdate(const FreshContacts::Contact& fresh, ContactConstraint& contact,
                const SolverBodies& bodies, float h, ContactBlock<W>& block, PointBlock<W>* points)
        : lane_(fresh.lane),
          capacity_(fresh.capacity),
          contact_(contact),
          a_(bodies[contact.body_a]),
          b_(bodies[contact.body_b]),
          h_(h),
          block_(block),
          points_(points + block.first_point) {}

    void run(const CollisionShapeCache& shapes) {
        const ContactPair& pair = *contact_.pair;
        const CollisionShape a = moved(shapes[pair.shape_a], a_, 0.5f * h_),
                             b = moved(shapes[pair.shape_b], b_, 0.5f * h_);
        const PairPlacement placement = placement_of(a, b);
        const float size = std::min(a.size, b.size);
        const float margin =
            kMargin * size + h_ * (length(angular_velocity(a_)) * a.radius +
                                   length(angular_velocity(b_)) * b.radius + closing_speed());
        ContactPair search = pair; // its own memory of the search stays
        Manifold<float> local;
        find_manifold(search,
                      {shapes.shapes[pair.shape_a],
                       shapes.shapes[pair.shape_b],
                       placement,
                       {margin, kDepthTolerance * size, kFlatCosine, true}},
                      local);
        keep_deepest(local);
        if (local.count == 0) return remove_points(0);
        ContactManifold now = *contact_.manifold;
        build_manifold(local, placement, now);
        replace_impulses(margin, now);
        *contact_.manifold = now;
        const std::array<MetPoint, 4> met = met_points();
        write_points(now);
        carry_met_points(met, now);
        remove_points(now.count);
        write_friction(now);
        update_masses<W>(&block_, 1, points_ - block_.first_point);
    }

  private:
    bool turns_far() const {
        return std::max(length(angular_velocity(a_)), length(angular_velocity(b_))) * h_ >
               kMaxKnownTurn;
    }
    float closing_speed() const {
        const Vec3f n = vector_at<W>(block_.normal, lane_);
        return std::max(0.0f, dot(n, linear_velocity(a_) - linear_velocity(b_)));
    }
    PointBlock<W>& point(int k) const { return points_[k]; }

    void keep_deepest(Manifold<float>& local) const {
        if (local.count <= capacity_) return;
        std::stable_sort(local.points.begin(), local.points.begin() + local.count,
                         [](const auto& p, const auto& q) { return p.separation < q.separation; });
        local.count = capacity_;
    }

    /// Impulses of points that are the same, or near; that of others goes to the deepest.
    void replace_impulses(float max_distance, ContactManifold& now) const {
        ContactManifold& before = *contact_.manifold;
        float load = 0;
        for (int k = 0; k < before.count; ++k) {
            before.points[static_cast<std::size_t>(k)].impulse = point(k).impulse[lane_];
            load += point(k).impulse[lane_];
        }
        match_impulses(before, max_distance, now);
        ManifoldPoint* deepest = &now.points[0];
        for (ManifoldPoint& p : now.used()) {
            load -= p.impulse;
            if (p.separation < deepest->separation) deepest = &p;
        }
        deepest->impulse += std::max(load, 0.0f);
    }

    /// From the middle of the substep back to its beginning, and as the kernels count it.
    float separation_of(const Vec3f& n, const Vec3f& anchor_a, const Vec3f& anchor_b,
                        float separation, float speed) const {
        const Vec3f turned =
            cross(rotation_vector_part(b_), anchor_b) - cross(rotation_vector_part(a_), anchor_a);
        return separation - 0.5f * h_ * speed -
               dot(n, translation(b_) - translation(a_) + turned * 2.0f);
    }

    void write_points(const ContactManifold& now) const {
        for (int k = 0; k < now.count; ++k) {
            const ManifoldPoint& from = now.points[static_cast<std::size_t>(k)];
            const Vec3f anchor_a = from.anchor_a, anchor_b = now.anchor_b(from);
            const float speed =
                dot(now.normal, velocity_at(b_, anchor_b) - velocity_at(a_, anchor_a));
            PointBlock<W>& to = point(k);
            set<W>(to.anchor_a, lane_, anchor_a);
            set<W>(to.anchor_b, lane_, anchor_b);
            to.separation[lane_] =
                separation_of(now.normal, anchor_a, anchor_b, from.separation, speed);
            to.mass[lane_] = 1; // there; computed below
            to.impulse[lane_] = from.impulse;
            to.normal_velocity[lane_] = speed;
            if (turns_far()) continue;
            to.impact_velocity[lane_] = speed;
            to.max_impulse[lane_] = 0;
        }
    }

    /// A point that has met the other surface, for restitution at the end of the step.
    struct MetPoint {
        Vec3f anchor;
        float impact_velocity = 0, max_impulse = 0;
    };
    std::array<MetPoint, 4> met_points() const {
        std::array<MetPoint, 4> met;
        for (int k = 0; k < capacity_; ++k)
            met[static_cast<std::size_t>(k)] = {vector_at<W>(point(k).anchor_a, lane_),
                                                point(k).impact_velocity[lane_],
                                                point(k).max_impulse[lane_]};
        return met;
    }
    /// Each is now the nearest of the new points.
    void carry_met_points(const std::array<MetPoint, 4>& met, const ContactManifold& now) const {
        if (turns_far()) return;
        for (const MetPoint& old : met) {
            if (!(old.max_impulse > 0)) continue;
            int nearest = 0;
            for (int k = 1; k < now.count; ++k)
                if (squared_distance(old, now, k) < squared_distance(old, now, nearest))
                    nearest = k;
            PointBlock<W>& to = point(nearest);
            to.max_impulse[lane_] = std::max(to.max_impulse[lane_], old.max_impulse);
            to.impact_velocity[lane_] = std::min(to.impact_velocity[lane_], old.impact_velocity);
        }
    }
    static float squared_distance(const MetPoint& old, const ContactManifold& now, int k) {
        return length_squared(now.points[static_cast<std::size_t>(k)].anchor_a - old.anchor);
    }

    void remove_points(int first) const {
        for (int k = first; k < capacity_; ++k) {
            point(k).separation[lane_] = kFar;
            point(k).impulse[lane_] = 0;
            if (first == 0) continue;
            point(k).mass[lane_] = 0;
            point(0).total_impulse[lane_] += point(k).total_impulse[lane_];
            point(k).total_impulse[lane_] = 0;
        }
    }

    void write_friction(const ContactManifold& now) const {
        Vec3f middle;
        for (const ManifoldPoint& p : now.used())
            middle += p.anchor_a * (1 / static_cast<float>(now.count));
        for (int k = 0; k < now.count; ++k)
            point(k).lever_arm[lane_] =
                length(now.points[static_cast<std::size_t>(k)].anchor_a - middle);
        const Vec3f old_n = vector_at<W>(block_.normal, lane_),
                    old_t = vector_at<W>(block_.tangent, lane_);
        const auto along_old = [&](const Column<W>& first, const Column<W>& second) {
            return old_t * first[lane_] + cross(old_n, old_t) * second[lane_];
        };
        const Vec3f friction = along_old(block_.friction_1, block_.friction_2),
                    total = along_old(block_.total_friction_1, block_.total_friction_2);
        const Vec3f n = now.normal, t = perpendicular(n), s = cross(n, t);
        const Vec3f middle_b = middle + now.center_offset;
        set<W>(block_.normal, lane_, n);
        set<W>(block_.tangent, lane_, t);
        set<W>(block_.friction_anchor_a, lane_, middle);
        set<W>(block_.friction_anchor_b, lane_, middle_b);
        set<W>(block_.load_center, lane_, Vec3f{});
        block_.carrier_share[lane_] = -1;
        block_.friction_1[lane_] = dot(friction, t);
        block_.friction_2[lane_] = dot(friction, s);
        block_.total_friction_1[lane_] = dot(total, t);
        block_.total_friction_2[lane_] = dot(total, s);
        const Vec3f slip = counted_velocity(middle, middle_b);
        block_.slip_1[lane_] = dot(slip, t);
        block_.slip_2[lane_] = dot(slip, s);
        block_.slip_twist[lane_] = dot(n, angular_velocity(counted(contact_.body_b, b_)) -
                                              angular_velocity(counted(contact_.body_a, a_)));
        block_.moves = true; // so that masses are renewed
    }

    /// A body as the ledger sees it: one with infinite mass is at rest (contact_lanes.h).
    static SolverBody counted(SolverBodyIndex index, const SolverBody& body) {
        return index.responds_to_impulses() ? body : SolverBody{};
    }
    Vec3f counted_velocity(const Vec3f& anchor_a, const Vec3f& anchor_b) const {
        return velocity_at(counted(contact_.body_b, b_), anchor_b) -
               velocity_at(counted(contact_.body_a, a_), anchor_a);
    }

    std::size_t lane_;
    int capacity_;
    ContactConstraint& contact_;
    const SolverBody &a_, &b_;
    float h_;
    ContactBlock<W>& block_;
    PointBlock<W>* points_;
};

} // namespace

void find_fresh_contacts(std::span<const ContactConstraint> contacts, const SolverBodies& bodies,
                         const BlockPlan& plan, double dt, FreshContacts& fresh) {
    fresh.contacts.clear();
    fresh.counts.assign(bodies.size(), 0);
    for (const ContactConstraint& contact : contacts)
        for (const SolverBodyIndex body : {contact.body_a, contact.body_b})
            if (fresh.counts[body.index()] < 2) ++fresh.counts[body.index()];
    for (std::uint32_t i = 0; i < plan.blocks.size(); ++i) {
        const BlockPlan::Block& block = plan.blocks[i];
        for (std::uint32_t lane = 0; lane < block.count; ++lane) {
            const std::uint32_t at = plan.order[block.first + lane];
            if (is_fresh(contacts[at], bodies, dt, fresh.counts))
                fresh.contacts.push_back({at, i, lane, contacts[at].count});
        }
    }
}

template <int W>
void update_fresh_contacts(const FreshContacts& fresh, const CollisionShapeCache& shapes,
                           std::span<ContactConstraint> contacts, const SolverBodies& bodies,
                           float h, ContactBlock<W>* blocks, PointBlock<W>* points) {
    for (const FreshContacts::Contact& contact : fresh.contacts)
        FreshUpdate<W>(contact, contacts[contact.contact], bodies, h, blocks[contact.block], points)
            .run(shapes);
}

#define RIGOR_INSTANTIATE(W)                                                                      \
    template void update_fresh_contacts(const FreshContacts&, const CollisionShapeCache&,         \
                                        std::span<ContactConstraint>, const SolverBodies&, float, \
                                        ContactBlock<W>*, PointBlock<W>*);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
