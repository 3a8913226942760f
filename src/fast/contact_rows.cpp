#include "fast/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fast/columns.h"
#include "fast/near_shape.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

/// Both bodies of a contact, as the solver sees them.
struct Ends {
    const BodyMass &a, &b;
    const BodyRow &row_a, &row_b;
};

Ends ends_of(const ContactRow& contact, const BodyRows& bodies) {
    const std::uint32_t a = contact.row_a & ~kReadOnly, b = contact.row_b & ~kReadOnly;
    return {bodies.mass[a], bodies.mass[b], bodies.rows[a], bodies.rows[b]};
}

/// The arms of a point, from both centers of mass.
struct Arms {
    Vec3f a, b;
};

/// Where the contacts of two bodies will be.
///
/// Arms are frozen for all of a step. Those of its beginning would lag behind: a ball on a
/// turntable spirals out, a falling rod falls late. So they are those of the moment that the sweeps
/// of the substeps have on average.
class Foresight {
  public:
    Foresight(const Touch& touch, const Ends& ends, float time)
        : touch_(touch), is_still_(ends.a.is_still && ends.b.is_still) {
        if (is_still_) return;
        a_ = motion_of(ends.row_a, time);
        b_ = motion_of(ends.row_b, time);
    }

    Arms arms(const TouchPoint& point) const {
        const Arms now{point.arm, touch_.arm_b(point)};
        if (is_still_) return now;
        const std::optional<Vec3f> place = way_of_place(point, now);
        return place ? Arms{moved(a_, now.a, *place), moved(b_, now.b, *place)} : now;
    }

  private:
    struct Way {
        Vec3f shift, turn;
        Vec3f at(const Vec3f& arm) const { return shift + cross(turn, arm); }
    };

    static Way motion_of(const BodyRow& row, float time) {
        constexpr float kMost = 0.25f; // rad: farther a straight line does not lead
        const Vec3f turn = turning_of(row) * time;
        const float squared = length_squared(turn);
        const bool far = squared > kMost * kMost;
        return {velocity_of(row) * time, far ? turn * (kMost / std::sqrt(squared)) : turn};
    }

    /// How far the place of a contact goes: with the corner that touches, or with the middle of the
    /// ball around it. Nothing is known of crossing edges and of rims.
    std::optional<Vec3f> way_of_place(const TouchPoint& point, const Arms& now) const {
        const bool by_a = carries(point.feature_a, touch_.round_a),
                   by_b = carries(point.feature_b, touch_.round_b);
        if (!by_a && !by_b) return std::nullopt;
        const Vec3f with_a = a_.at(now.a - touch_.normal * touch_.round_a);
        const Vec3f with_b = b_.at(now.b + touch_.normal * touch_.round_b);
        if (!by_b) return with_a;
        if (!by_a) return with_b;
        const float sum = touch_.round_a + touch_.round_b;
        const float share = sum > 0 ? touch_.round_a / sum : 0.5f;
        return with_a * (1 - share) + with_b * share;
    }
    static bool carries(Feature feature, float round) {
        return feature.kind() == FeatureKind::vertex && round != kCurved;
    }

    /// With its body, and along its surface to where the place will be.
    Vec3f moved(const Way& way, const Vec3f& arm, const Vec3f& place) const {
        const Vec3f apart = place - way.at(arm);
        return arm + cross(way.turn, arm) + (apart - touch_.normal * dot(apart, touch_.normal));
    }

    const Touch& touch_;
    bool is_still_; // what lies at rest is solved in the same rows step after step
    Way a_, b_;
};

template <int W>
void fill_point(PointBlock<W>& point, std::size_t lane, const TouchPoint& from, const Arms& arms) {
    set<W>(point.arm_a, lane, arms.a);
    set<W>(point.arm_b, lane, arms.b);
    point.separation[lane] = from.separation;
    point.mass[lane] = 1;
    point.impulse[lane] = from.impulse;
}

template <int W>
void fill_rolling(ContactBlock<W>& block, std::size_t lane, const ContactRow& contact,
                  const Vec3f& t, const Vec3f& s) {
    const float resistance = contact.touch->surface.rolling;
    if (resistance == 0) return;
    block.rolls = true;
    block.rolling[lane] = resistance;
    block.rolling_1[lane] = dot(contact.touch->rolling, t);
    block.rolling_2[lane] = dot(contact.touch->rolling, s);
}

} // namespace

template <int W>
void start_block(ContactBlock<W>& block, PointBlock<W>* points, std::uint32_t first_point,
                 int point_count) {
    block = {};
    block.row_a.fill(kReadOnly);
    block.row_b.fill(kReadOnly);
    block.first_point = first_point;
    block.point_count = point_count;
    std::fill_n(points + first_point, point_count, PointBlock<W>{});
}

template <int W>
void fill_lane(ContactBlock<W>& block, PointBlock<W>* points, std::size_t lane,
               const ContactRow& contact, const BodyRows& bodies, const ContactSoftness& softness) {
    const Ends ends = ends_of(contact, bodies);
    const Touch& touch = *contact.touch;
    const Vec3f n = touch.normal, t = perpendicular(n), s = cross(n, t);
    const Foresight ahead(touch, ends, softness.ahead);
    Vec3f arm_a, arm_b; // of the middle
    for (std::size_t k = 0; k < touch.used().size(); ++k) {
        const Arms arms = ahead.arms(touch.points[k]);
        fill_point<W>(points[block.first_point + k], lane, touch.points[k], arms);
        arm_a += arms.a;
        arm_b += arms.b;
    }
    const float share = 1 / static_cast<float>(touch.count);
    arm_a = arm_a * share;
    arm_b = arm_b * share;

    set<W>(block.normal, lane, n);
    set<W>(block.tangent, lane, t);
    block.inv_mass_a[lane] = ends.a.inv_mass;
    block.inv_mass_b[lane] = ends.b.inv_mass;
    set<W>(block.inv_inertia_a, lane, ends.a.inv_inertia);
    set<W>(block.inv_inertia_b, lane, ends.b.inv_inertia);
    set<W>(block.middle_a, lane, arm_a);
    set<W>(block.middle_b, lane, arm_b);

    block.fall[lane] = dot(n, ends.b.acceleration - ends.a.acceleration);
    block.friction[lane] = contact.friction;
    block.restitution[lane] = contact.restitution;
    block.drag_1[lane] = dot(contact.drag, t);
    block.drag_2[lane] = dot(contact.drag, s);
    block.torsion[lane] = touch.surface.torsion;
    fill_rolling<W>(block, lane, contact, t, s);

    const bool both = ((contact.row_a | contact.row_b) & kReadOnly) == 0;
    const Softness& soft = both ? softness.moving : softness.fixed;
    block.bias_rate[lane] = soft.bias_rate;
    block.mass_scale[lane] = soft.mass_scale;
    block.impulse_scale[lane] = soft.impulse_scale;

    block.friction_1[lane] = dot(touch.friction, t);
    block.friction_2[lane] = dot(touch.friction, s);
    block.twist[lane] = touch.twist;
    block.row_a[lane] = contact.row_a;
    block.row_b[lane] = contact.row_b;
}

template <int W>
ContactResult keep_impulses(const ContactBlock<W>& block, const PointBlock<W>* points,
                            std::size_t lane, const ContactRow& contact) {
    ContactResult result;
    Touch& touch = *contact.touch;
    for (std::size_t k = 0; k < touch.used().size(); ++k) {
        const PointBlock<W>& point = points[block.first_point + k];
        touch.points[k].impulse = point.impulse[lane];
        touch.points[k].total = point.total[lane];
        result.impulse += point.total[lane];
        if (point.total[lane] > 0 && -point.approach[lane] > result.approach) {
            result.approach = -point.approach[lane];
            result.point = static_cast<std::uint32_t>(k);
        }
    }
    const Vec3f n = vector_at<W>(block.normal, lane), t = vector_at<W>(block.tangent, lane),
                s = cross(n, t);
    (block.hit[lane] > 0 ? result.impact_work : result.normal_work) = block.work_normal[lane];
    result.impact_work += block.work_bounce[lane];
    result.friction_work = block.work_friction[lane];
    touch.friction = t * block.friction_1[lane] + s * block.friction_2[lane];
    touch.twist = block.twist[lane];
    touch.rolling = t * block.rolling_1[lane] + s * block.rolling_2[lane];
    touch.total_friction = t * block.total_1[lane] + s * block.total_2[lane];
    return result;
}

#define RIGOR_INSTANTIATE(W)                                                                  \
    template void fill_lane(ContactBlock<W>&, PointBlock<W>*, std::size_t, const ContactRow&, \
                            const BodyRows&, const ContactSoftness&);                         \
    template void start_block(ContactBlock<W>&, PointBlock<W>*, std::uint32_t, int);          \
    template ContactResult keep_impulses(const ContactBlock<W>&, const PointBlock<W>*,        \
                                         std::size_t, const ContactRow&);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
