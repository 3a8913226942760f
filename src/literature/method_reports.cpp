#include "literature/method_reports.h"

#include <algorithm>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_reports.h"

namespace rigor::literature {
namespace {

/// Distance within which a pair touches. Bodies that are separated hover: at the distance of
/// separation, and above it as high as the resting speed throws them.
double touch_distance(const WorldState& state, const MethodParts& method) {
    constexpr double kRounding = 1e-9;
    const double touch = std::max(method.contact_distance, kRounding);
    if (method.resting != RestingRule::separation) return touch;
    const double g = std::max(length(state.gravity), 1.0);
    return std::max(
        touch, method.separation_distance + method.resting_speed * method.resting_speed / (2 * g));
}

/// Impulses of pairs that touch at the end are those of its contacts; the others ended.
void assign_impulses(std::span<const ContactImpulse> impulses, Island& island) {
    for (const ContactImpulse& given : impulses) {
        Contact* best = nullptr;
        for (Contact& c : island.contacts)
            if (c.shapes == given.shapes && (!best || c.features == given.features)) best = &c;
        const double size = length(given.impulse);
        if (best)
            best->impulse += given.impulse;
        else if (size > 0)
            add_past_contact(
                {given.shapes, given.impulse, given.point * size, given.normal * size, size},
                island.past_contacts);
    }
}

/// Springs push over many intervals: of a pair, one hit with all their impulses.
std::vector<ImpactHit> merged_by_pair(const std::vector<ImpactHit>& hits) {
    std::vector<ImpactHit> merged;
    for (const ImpactHit& hit : hits) {
        if (merged.empty() || merged.back().shapes != hit.shapes) {
            merged.push_back(hit);
            continue;
        }
        ImpactHit& all = merged.back();
        const double impulse = all.impulse + hit.impulse;
        if (hit.speed > all.speed) all = hit;
        all.impulse = impulse;
    }
    return merged;
}

} // namespace

void report_step(const WorldState& state, const MethodParts& method, double hit_speed,
                 MethodState& step) {
    Island& island = step.island;
    island.contacts.clear();
    for (const ShapePair& pair : island.pairs)
        find_contacts(state, island, pair, touch_distance(state, method), island.contacts);
    island.past_contacts.clear();
    assign_impulses(step.impulses, island);
    report_contacts(state, island, step.outcome.touching);
    report_past_contacts(state, island.past_contacts, step.outcome.ended);

    StepStatistics& statistics = step.outcome.statistics;
    std::stable_sort(statistics.hits.begin(), statistics.hits.end(),
                     [](const ImpactHit& a, const ImpactHit& b) { return a.shapes < b.shapes; });
    if (method.resting == RestingRule::penalty) statistics.hits = merged_by_pair(statistics.hits);
    step.outcome.hits = report_hits(state, statistics, hit_speed);
}

} // namespace rigor::literature
