#include "world/event_order.h"

#include <algorithm>

namespace rigor {
namespace {

template <class Event>
void sort_by_id(std::vector<Event>& events) {
    if (!std::is_sorted(events.begin(), events.end())) std::sort(events.begin(), events.end());
}

void sort_hits(std::vector<ContactHit>& hits) {
    const auto less = [](const ContactHit& x, const ContactHit& y) {
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    };
    if (!std::is_sorted(hits.begin(), hits.end(), less))
        std::stable_sort(hits.begin(), hits.end(), less);
}

} // namespace

void sort_events(Events& events) {
    sort_by_id(events.begun);
    sort_by_id(events.ended);
    sort_hits(events.hits);
    sort_by_id(events.entered);
    sort_by_id(events.left);
    sort_by_id(events.broken);
    sort_by_id(events.slept);
    sort_by_id(events.woken);
    sort_by_id(events.moved);
}

} // namespace rigor
