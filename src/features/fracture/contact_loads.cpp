// Fracture: what contacts did to the watched bodies in a step, and which of them break.

#include <algorithm>
#include <cmath>

#include "rigor/fracture.h"

namespace rigor {
namespace {

using ContactLoad = Fracture::ContactLoad;

bool comes_before(const ContactLoad& a, const ContactLoad& b) {
    return std::pair(a.body, a.other) < std::pair(b.body, b.other);
}

/// Sums impulses by pair of bodies; the point is their mean, weighted by the impulses.
class LoadSum {
  public:
    void add(const ContactLoad& load) {
        ContactLoad& sum = at(load);
        sum.impulse += load.impulse;
        sum.point += load.point * load.impulse;
        sum.is_hit = sum.is_hit || load.is_hit;
    }

    std::vector<ContactLoad> finish() {
        std::sort(sums_.begin(), sums_.end(), comes_before);
        std::vector<ContactLoad> merged;
        for (const ContactLoad& load : sums_) {
            if (merged.empty() || comes_before(merged.back(), load)) {
                merged.push_back(load);
                continue;
            }
            merged.back().impulse += load.impulse;
            merged.back().point += load.point;
            merged.back().is_hit = merged.back().is_hit || load.is_hit;
        }
        std::erase_if(merged, [](const ContactLoad& load) { return !(load.impulse > 0); });
        for (ContactLoad& load : merged) load.point = load.point / load.impulse;
        return merged;
    }

  private:
    // Manifolds of a pair often follow each other.
    ContactLoad& at(const ContactLoad& load) {
        if (sums_.empty() || sums_.back().body != load.body || sums_.back().other != load.other)
            sums_.push_back({load.body, load.other, 0, {}});
        return sums_.back();
    }

    std::vector<ContactLoad> sums_;
};

const ContactLoad* find_load(const std::vector<ContactLoad>& loads, const ContactLoad& load) {
    const auto at = std::lower_bound(loads.begin(), loads.end(), load, comes_before);
    return at != loads.end() && at->body == load.body && at->other == load.other ? &*at : nullptr;
}

// By how much a load passes the threshold: 1 and more breaks.
double share_of_threshold(const Fracture::Watched& watched, const ContactLoad& load,
                          const ContactLoad* last, double dt) {
    const FractureDef& f = watched.fracture;
    if (f.impulse) {
        // An impact may begin near the end of one step and go on in the next.
        const double begun = last != nullptr && last->is_new ? last->impulse : 0;
        return (load.impulse + begun) / *f.impulse;
    }
    if (f.force) return load.impulse / dt / *f.force;
    const bool is_hit = load.is_hit || load.is_new;
    return is_hit && f.momentum ? watched.momentum / *f.momentum : 0;
}

} // namespace

std::vector<ContactLoad> Fracture::loads_of_step(const World& world) const {
    std::vector<bool> watches(
        watched_.empty() ? 0 : std::size_t{watched_.back().id.index} + 1); // by slot
    for (const Watched& w : watched_) watches[w.id.index] = true;
    const auto add = [&](LoadSum& sum, const ContactSide& a, const ContactSide& b,
                         const Vec3d& point, double impulse, bool is_hit) {
        const auto is_watched_slot = [&](BodyId id) {
            return id.index < watches.size() && watches[id.index];
        };
        if (is_watched_slot(a.body)) sum.add({a.body, b.body, impulse, point, false, is_hit});
        if (is_watched_slot(b.body)) sum.add({b.body, a.body, impulse, point, false, is_hit});
    };
    LoadSum contacts, hits;
    for (const ContactView& contact : world.contacts())
        for (int i = 0; i < contact.count; ++i) {
            const ContactPointView& p = contact.points[static_cast<std::size_t>(i)];
            add(contacts, contact.a, contact.b, p.point, p.impulse, false);
        }
    for (const ContactHit& hit : world.events().hits)
        add(hits, hit.a, hit.b, hit.point, hit.impulse, true);
    // A method may report an impact as a hit, as a contact, or as both.
    std::vector<ContactLoad> loads = contacts.finish();
    const std::size_t of_contacts = loads.size();
    for (const ContactLoad& hit : hits.finish()) {
        const auto end = loads.begin() + static_cast<std::ptrdiff_t>(of_contacts);
        const auto at = std::lower_bound(loads.begin(), end, hit, comes_before);
        if (at == end || comes_before(hit, *at)) {
            loads.push_back(hit);
        } else if (hit.impulse > at->impulse) {
            *at = hit;
        } else {
            at->is_hit = true;
        }
    }
    std::sort(loads.begin(), loads.end(), comes_before);
    return loads;
}

std::vector<ContactLoad> Fracture::breaking_loads(const World& world, double dt) {
    std::vector<ContactLoad> loads = loads_of_step(world), breaking;
    double most = 0;
    for (ContactLoad& load : loads) {
        const ContactLoad* last = find_load(loads_, load);
        load.is_new = last == nullptr;
        const Watched* watched = find(load.body);
        if (watched == nullptr || world.is_quarantined(load.body)) continue;
        const double share = share_of_threshold(*watched, load, last, dt);
        if (!(share >= 1)) continue;
        // One load a body: that which passes the threshold farthest.
        if (breaking.empty() || breaking.back().body != load.body) {
            breaking.push_back(load);
            most = share;
        } else if (share > most || (share == most && load.impulse > breaking.back().impulse)) {
            breaking.back() = load;
            most = share;
        }
    }
    loads_ = std::move(loads);
    return breaking;
}

} // namespace rigor
