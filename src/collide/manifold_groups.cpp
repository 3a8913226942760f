#include "collide/manifold_groups.h"

#include <algorithm>
#include <cmath>

#include "collide/face_clip.h"

namespace rigor {
namespace {

/// A number of the direction, the same for directions that hardly differ.
template <class S>
std::uint32_t direction_code(const Vec3<S>& n) {
    const auto digit = [](S x) { return static_cast<std::uint32_t>(std::lround(x * S(8)) + 8); };
    return (digit(n.x) * 17 + digit(n.y)) * 17 + digit(n.z);
}

template <class S>
class Grouping {
    using Contacts = std::vector<FeatureContact<S>>;

  public:
    Grouping(const GroupSettings<S>& settings, std::vector<Manifold<S>>& out)
        : settings_(settings), out_(out), first_(out.size()) {}

    void run(Contacts& contacts) {
        std::sort(contacts.begin(), contacts.end(), [](const auto& x, const auto& y) {
            const auto key = [](const FeatureContact<S>& c) {
                return std::pair(c.feature_a.value(), c.feature_b.value());
            };
            return x.separation != y.separation ? x.separation < y.separation : key(x) < key(y);
        });
        std::vector<Contacts> groups;
        for (const FeatureContact<S>& c : contacts) {
            const auto found = std::find_if(groups.begin(), groups.end(), [&](const Contacts& g) {
                return dot(g.front().normal, c.normal) >= settings_.one_normal;
            });
            if (found == groups.end())
                groups.push_back({c});
            else if (!is_repeated(*found, c))
                found->push_back(c);
        }
        for (Contacts& group : groups) {
            if (!settings_.all) keep_four_of(group);
            for (std::size_t i = 0; i < group.size(); i += 4)
                add_manifold(group, i, std::min(i + 4, group.size()));
        }
    }

  private:
    bool is_repeated(const Contacts& group, const FeatureContact<S>& c) const {
        const S near = settings_.same_place;
        return std::any_of(group.begin(), group.end(), [&](const FeatureContact<S>& other) {
            return length_squared(other.point_a - c.point_a) < near * near;
        });
    }

    void keep_four_of(Contacts& group) const {
        const Vec3<S> n = group.front().normal, u = perpendicular(n), v = cross(n, u);
        ClipPoints<S> points;
        for (std::uint32_t i = 0; i < group.size(); ++i)
            points.push_back({dot(u, group[i].point_a), dot(v, group[i].point_a),
                              group[i].separation, Feature(FeatureKind::vertex, i), Feature()});
        reduce_to_four(points, settings_.tolerance, [](const ClipPoint<S>&) { return false; });
        Contacts kept;
        for (const ClipPoint<S>& p : points) kept.push_back(group[p.reference.index()]);
        group = std::move(kept);
    }

    void add_manifold(const Contacts& group, std::size_t begin, std::size_t end) {
        Manifold<S> m;
        m.normal = group.front().normal;
        for (std::size_t i = begin; i < end; ++i)
            m.points[static_cast<std::size_t>(m.count++)] = {
                group[i].point_a, group[i].separation, group[i].feature_a, group[i].feature_b};
        m.part_a.triangle = m.part_b.triangle = kManyTriangles | direction_code(m.normal) << 12;
        for (std::size_t i = first_; i < out_.size(); ++i)
            if ((out_[i].part_a.triangle | 0xfffu) == (m.part_a.triangle | 0xfffu))
                ++m.part_b.triangle;
        m.part_a = m.part_b;
        out_.push_back(m);
    }

    const GroupSettings<S>& settings_;
    std::vector<Manifold<S>>& out_;
    std::size_t first_;
};

} // namespace

template <class S>
void group_by_normal(std::vector<FeatureContact<S>>& contacts, const GroupSettings<S>& settings,
                     std::vector<Manifold<S>>& out) {
    Grouping<S>(settings, out).run(contacts);
}

template void group_by_normal(std::vector<FeatureContact<float>>&, const GroupSettings<float>&,
                              std::vector<Manifold<float>>&);
template void group_by_normal(std::vector<FeatureContact<double>>&, const GroupSettings<double>&,
                              std::vector<Manifold<double>>&);

} // namespace rigor
