#include "fast/demanding_islands.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "fast/step_data.h"

namespace rigor::fast {
namespace {

constexpr std::uint16_t kMaxBodies = 48;     // of an island
constexpr std::size_t kMaxBodiesInAll = 256; // so that the cost is bounded
constexpr std::size_t kMaxMoving = 4;        // bodies of an island that moves: it converges slowly
constexpr std::size_t kMaxWork = 1500;       // of a factorization, in products of blocks
constexpr float kHeavy = 5;                  // times the mass of what carries it
constexpr int kStories = 3;
constexpr float kSlippery = 0.05f; // friction
constexpr float kFast = 3;         // m/s, rad/s: too fast to be solved like this
constexpr float kSlow = 0.5f;      // m/s, rad/s
constexpr float kUpright = 0.98f;  // cosine of normal and vertical
constexpr float kCentered = 0.1f;  // of the radius of the manifold
constexpr float kCarries = 0.1f;   // cosine of normal and vertical, at least
constexpr float kClearly = 0.5f;   // cosine: what hangs is so far below its contact

enum Trait : std::uint16_t {
    excluded = 1,      // what Newton's method does not know: joints, locks, rolling resistance
    heavy_above = 2,   // a body carries one of more than twice its mass
    slippery = 4,      // two bodies touch without friction
    off_center = 8,    // a body is not right above what carries it
    is_moving = 16,    // faster than kSlow, relative to a neighbor
    has_supports = 32, // touches something immovable
    too_heavy = 64,    // a body carries one of kHeavy times its mass
    parts = 128,       // bodies were placed in each other
    hangs = 256        // a body is below what carries it
};

class IslandFinder {
  public:
    explicit IslandFinder(StepData& step)
        : step_(step), scratch_(step.scratch), found_(step.scratch.demanding) {
        const Vec3f gravity = cast<float>(step.state.gravity);
        const float size = length(gravity);
        up_ = size > 0 ? gravity * (-1 / size) : Vec3f{};
    }

    void run() {
        found_.count = 0;
        found_.of_contact.clear();
        if (scratch_.contacts.empty() || up_ == Vec3f{}) return;
        unite();
        for (const ContactConstraint& contact : scratch_.contacts) note_traits(contact);
        if (!list_candidates()) return;
        keep_demanding();
        if (found_.count > 0) number_contacts();
    }

  private:
    const SolverMass& mass(std::uint32_t body) const { return scratch_.bodies.mass[body]; }
    std::uint32_t root_of(const ContactConstraint& contact) {
        return found_.sets.find(contact.body_a.responds_to_impulses() ? contact.body_a.index()
                                                                      : contact.body_b.index());
    }
    static bool is_between_two(const ContactConstraint& contact) {
        return contact.body_a.responds_to_impulses() && contact.body_b.responds_to_impulses();
    }

    void unite() {
        const std::size_t bodies = scratch_.bodies.size();
        found_.sets.reset(bodies);
        for (const ContactConstraint& contact : scratch_.contacts)
            if (is_between_two(contact))
                found_.sets.unite(contact.body_a.index(), contact.body_b.index());
        found_.sizes.assign(bodies, 0);
        found_.traits.assign(bodies, 0);
        for (std::uint32_t i = 1; i < bodies; ++i) {
            std::uint16_t& size = found_.sizes[found_.sets.find(i)];
            if (size <= kMaxBodies) ++size;
        }
    }

    // ---- traits

    void note_traits(const ContactConstraint& contact) {
        const std::uint32_t root = root_of(contact);
        if (found_.sizes[root] > kMaxBodies) return;
        std::uint16_t traits = 0;
        if (!is_between_two(contact)) {
            traits |= has_supports;
        } else {
            if (contact.friction < kSlippery) traits |= slippery;
            const auto [below, above, normal] = ordered(contact);
            const float ratio = mass(below).inv_mass / mass(above).inv_mass;
            if (ratio > 2 && normal > 0.1f) traits |= heavy_above;
            if (ratio >= kHeavy && normal > 0.1f) traits |= too_heavy;
            if (normal < kUpright || !is_centered(contact, above)) traits |= off_center;
            if (normal > kCarries && is_below(contact, above)) traits |= hangs;
        }
        if (contact.tangent_scale != 1 || contact.manifold->surface.rolling != 0 ||
            contact.manifold->surface.torsion != 0)
            traits |= excluded;
        if (moves(contact, kSlow)) traits |= is_moving;
        if (moves(contact, kFast)) traits |= excluded;
        if (contact.pair->parting) traits |= parts;
        for (const SolverBodyIndex body : {contact.body_a, contact.body_b})
            if (body.responds_to_impulses()) traits |= traits_of(body.index());
        found_.traits[root] |= traits;
    }

    /// Relative to each other: a house of cards may go by train.
    bool moves(const ContactConstraint& contact, float speed) const {
        const SolverBody &a = scratch_.bodies[contact.body_a], &b = scratch_.bodies[contact.body_b];
        const ManifoldPoint& point = contact.manifold->points[0];
        const Vec3f slip =
            velocity_at(b, contact.manifold->anchor_b(point)) - velocity_at(a, point.anchor_a);
        return length_squared(slip) > speed * speed ||
               length_squared(angular_velocity(b) - angular_velocity(a)) > speed * speed;
    }

    std::uint16_t traits_of(std::uint32_t body) const {
        const SolverBodies& bodies = scratch_.bodies;
        std::uint16_t traits = 0;
        const Sym3f& inv_inertia = bodies.mass[body].inv_inertia;
        const bool may_turn = std::min({inv_inertia.xx, inv_inertia.yy, inv_inertia.zz}) > 0;
        if (bodies.has_joints[body] != 0 || bodies.mass[body].turns || !may_turn ||
            step_.state.bodies.traits[bodies.body_slot[body]].lock != 0)
            traits |= excluded;
        return traits;
    }

    /// Two bodies, and how much the normal from the lower to the upper one points up.
    struct Ordered {
        std::uint32_t below, above;
        float normal;
    };
    Ordered ordered(const ContactConstraint& contact) const {
        const float up = dot(contact.manifold->normal, up_);
        const std::uint32_t a = contact.body_a.index(), b = contact.body_b.index();
        return up >= 0 ? Ordered{a, b, up} : Ordered{b, a, -up};
    }

    /// Whether the middle of a manifold is right below the center of mass of the upper body.
    bool is_centered(const ContactConstraint& contact, std::uint32_t above) const {
        const ContactManifold& manifold = *contact.manifold;
        const float part = 1 / static_cast<float>(manifold.count);
        Vec3f middle;
        for (const ManifoldPoint& point : manifold.used()) middle += point.anchor_a * part;
        float squared_radius = 0;
        for (const ManifoldPoint& point : manifold.used())
            squared_radius += length_squared(point.anchor_a - middle) * part;
        const Vec3f from =
            contact.body_a.index() == above ? middle : middle + manifold.center_offset;
        const Vec3f off = from - up_ * dot(from, up_);
        return length_squared(off) <= kCentered * kCentered * squared_radius;
    }

    /// Whether the center of mass of the upper body is clearly below all points of a manifold.
    bool is_below(const ContactConstraint& contact, std::uint32_t above) const {
        const ContactManifold& manifold = *contact.manifold;
        return std::all_of(manifold.used().begin(), manifold.used().end(), [&](const auto& point) {
            const Vec3f from =
                contact.body_a.index() == above ? point.anchor_a : manifold.anchor_b(point);
            return dot(from, up_) > kClearly * length(from);
        });
    }

    // ---- candidates

    bool may_demand(std::uint32_t root) const {
        const std::uint16_t traits = found_.traits[root];
        const std::uint16_t size = found_.sizes[root];
        if ((traits & excluded) != 0 || (traits & has_supports) == 0 || size > kMaxBodies)
            return false;
        if ((traits & (heavy_above | hangs)) != 0) return true;
        if ((traits & (is_moving | parts)) != 0) return false;
        return size == 1 || (traits & slippery) != 0 ||
               (size >= kStories && (traits & off_center) != 0);
    }

    /// False when there are none.
    bool list_candidates() {
        found_.of_root.assign(scratch_.bodies.size(), DemandingIslands::kNone);
        for (std::uint32_t i = 0; i < scratch_.contacts.size(); ++i) {
            const std::uint32_t root = root_of(scratch_.contacts[i]);
            if (!may_demand(root)) continue;
            std::uint32_t& number = found_.of_root[root];
            if (number == DemandingIslands::kNone) {
                number = static_cast<std::uint32_t>(found_.count++);
                if (found_.count > found_.islands.size()) found_.islands.emplace_back();
                found_.islands[number].contacts.clear();
            }
            found_.islands[number].contacts.push_back(i);
        }
        return found_.count > 0;
    }

    void keep_demanding() {
        std::size_t kept = 0, bodies = 0;
        found_.number_of.resize(scratch_.bodies.size());
        for (std::size_t i = 0; i < found_.count; ++i) {
            DemandingIsland& island = found_.islands[i];
            if (!order_if_demanding(island) || bodies + island.bodies.size() > kMaxBodiesInAll)
                continue;
            bodies += island.bodies.size();
            std::swap(found_.islands[kept++], island);
        }
        found_.count = kept;
    }

    // ---- the graph of an island

    using Neighbors = std::uint64_t; // a bit for each body
    static_assert(kMaxBodies <= 64);

    struct Graph {
        std::array<Neighbors, kMaxBodies> of{};
        Neighbors supported = 0;
    };

    std::uint32_t add_body(DemandingIsland& island, SolverBodyIndex body) {
        std::uint32_t& number = found_.number_of[body.index()];
        if (number >= island.bodies.size() || island.bodies[number] != body.index()) {
            number = static_cast<std::uint32_t>(island.bodies.size());
            island.bodies.push_back(body.index());
        }
        return number;
    }

    Graph graph_of(DemandingIsland& island) {
        Graph graph;
        island.bodies.clear();
        for (const std::uint32_t i : island.contacts) {
            const ContactConstraint& contact = scratch_.contacts[i];
            if (is_between_two(contact)) {
                const std::uint32_t a = add_body(island, contact.body_a),
                                    b = add_body(island, contact.body_b);
                graph.of[a] |= Neighbors(1) << b;
                graph.of[b] |= Neighbors(1) << a;
            } else {
                graph.supported |= Neighbors(1)
                                   << add_body(island, contact.body_a.responds_to_impulses()
                                                           ? contact.body_a
                                                           : contact.body_b);
            }
        }
        return graph;
    }

    /// Visits the bodies story by story, from those with a support on.
    template <class Visit>
    static int for_stories(const Graph& graph, const Visit& visit) {
        Neighbors seen = 0, story = graph.supported;
        int stories = 0;
        for (; story != 0; ++stories) {
            Neighbors next = 0;
            for (Neighbors rest = story; rest != 0; rest &= rest - 1) {
                const int body = std::countr_zero(rest);
                visit(stories, static_cast<std::uint32_t>(body));
                next |= graph.of[static_cast<std::size_t>(body)];
            }
            seen |= story;
            story = next & ~seen;
        }
        return stories;
    }

    /// Whether it is demanding; then its bodies are in the order of their stories, in which
    /// neighbors are near each other.
    bool order_if_demanding(DemandingIsland& island) {
        const Graph graph = graph_of(island);
        const std::uint16_t traits = found_.traits[found_.sets.find(island.bodies[0])];
        std::array<std::uint32_t, kMaxBodies> order{}, places{};
        std::size_t count = 0;
        float largest = 0, below = 0; // inverse masses of the stories so far, and of those below
        int last = 0;
        bool is_heavy = (traits & too_heavy) != 0;
        const int stories = for_stories(graph, [&](int story, std::uint32_t body) {
            const float inv_mass = mass(island.bodies[body]).inv_mass;
            if (story != last) below = largest;
            last = story;
            largest = std::max(largest, inv_mass);
            if (story > 0 && inv_mass * kHeavy <= below) is_heavy = true;
            places[body] = static_cast<std::uint32_t>(count);
            order[count++] = island.bodies[body];
        });
        const bool is_slow = (traits & is_moving) == 0;
        const bool is_chain = (traits & hangs) != 0 && stories >= kStories;
        const bool demands =
            is_heavy || is_chain ||
            (is_slow &&
             ((traits & slippery) != 0 || (stories >= kStories && (traits & off_center) != 0) ||
              (island.bodies.size() == 1 && has_many_supports(island))));
        if (!demands || (!is_slow && !is_chain && count > kMaxMoving)) return false;
        if (work_of(graph, places, count) > kMaxWork) return false; // a heap, tangled
        island.bodies.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
        for (std::uint32_t i = 0; i < count; ++i) found_.number_of[island.bodies[i]] = i;
        return true;
    }

    /// Of a factorization within the envelope: the squared widths of its rows.
    static std::size_t work_of(const Graph& graph,
                               const std::array<std::uint32_t, kMaxBodies>& places,
                               std::size_t count) {
        std::size_t work = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t first = places[i];
            for (Neighbors rest = graph.of[i]; rest != 0; rest &= rest - 1)
                first = std::min(first, places[static_cast<std::size_t>(std::countr_zero(rest))]);
            const std::size_t width = places[i] - first + 1;
            work += width * width;
        }
        return work;
    }

    /// Of a single body: whether three or more immovable bodies carry it.
    bool has_many_supports(const DemandingIsland& island) const {
        std::array<std::uint32_t, 2> seen{};
        std::size_t count = 0;
        for (const std::uint32_t i : island.contacts) {
            const ContactConstraint& contact = scratch_.contacts[i];
            const std::uint32_t support =
                contact.body_a.responds_to_impulses() ? contact.pair->body_b : contact.pair->body_a;
            if (std::find(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count),
                          support) != seen.begin() + static_cast<std::ptrdiff_t>(count))
                continue;
            if (count == seen.size()) return true;
            seen[count++] = support;
        }
        return false;
    }

    void number_contacts() {
        found_.of_contact.assign(scratch_.contacts.size(), DemandingIslands::kNone);
        for (std::uint32_t k = 0; k < found_.count; ++k)
            for (const std::uint32_t i : found_.islands[k].contacts) found_.of_contact[i] = k;
    }

    StepData& step_;
    Scratch& scratch_;
    DemandingIslands& found_;
    Vec3f up_;
};

} // namespace

void find_demanding_islands(StepData& step) {
    IslandFinder(step).run();
}

} // namespace rigor::fast
