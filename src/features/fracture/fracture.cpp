// When bodies break: the loads of a step against thresholds, and the breaks themselves.
#include "rigor/fracture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "features/fracture/cells.h"
#include "features/fracture/fracture_checks.h"
#include "features/fracture/fracture_energy.h"
#include "features/fracture/random.h"
#include "features/fracture/split.h"

namespace rigor {
namespace {

// Without a smallest size pieces would break to dust under loads that never end.
constexpr double kSmallestShare = 0.1;

double longest_edge(const std::vector<ConvexPart>& parts) {
    Vec3d lo = parts[0].points[0], hi = lo;
    for (const ConvexPart& part : parts)
        for (const Vec3d& p : part.points) lo = min(lo, p), hi = max(hi, p);
    return max_component(hi - lo);
}

bool comes_before(const Fracture::Watched& watched, BodyId id) {
    return watched.id < id;
}

double momentum_of(const World& world, BodyId id) {
    return world.mass_properties(id).mass * length(world.state(id).velocity);
}

// Made ahead when the pieces are even; else for the point of impact.
Result<FractureCells> cells_for(const Fracture::Watched& watched, const Vec3d& local_impact) {
    const FractureDef& f = watched.fracture;
    std::shared_ptr<const Fracture::Solid> solid = watched.solid;
    if (!solid) {
        Result<Fracture::Solid> made = make_solid(*watched.def);
        if (!made) return made.error();
        solid = std::make_shared<const Fracture::Solid>(std::move(*made));
    }
    if (!f.at_impact && solid->even) return *solid->even;
    return make_cells(*solid, f.pieces, f.seed,
                      f.at_impact ? std::optional(local_impact) : std::nullopt);
}

} // namespace

Result<void> Fracture::watch(const World& world, BodyId id, const BodyDef& def,
                             const FractureDef& fracture) {
    if (auto checked = check_fracture(def, fracture); !checked) return checked;
    if (fracture.bonds)
        return Error{ErrorCode::invalid_value, "bonds",
                     "a body with bonds is added by add_bonded_body, not watched"};
    Result<Solid> solid = make_solid(def);
    if (!solid) return solid.error();
    if (!fracture.at_impact) {
        Result<FractureCells> cells =
            make_cells(*solid, fracture.pieces, fracture.seed, std::nullopt);
        if (!cells) return cells.error();
        solid->even = std::move(*cells);
    }
    FractureDef how = fracture;
    if (how.min_size == 0) how.min_size = kSmallestShare * longest_edge(solid->parts);
    Watched watched{id,
                    std::make_shared<const BodyDef>(def),
                    how,
                    0,
                    static_cast<std::uint32_t>(families_.size()),
                    momentum_of(world, id),
                    std::make_shared<const Solid>(std::move(*solid))};
    families_.push_back({.name = std::string(world.name(id))});
    ++bodies_;
    const auto at = std::lower_bound(watched_.begin(), watched_.end(), id, comes_before);
    if (at != watched_.end() && at->id == id) {
        --bodies_; // it is one body still
        *at = std::move(watched);
    } else {
        watched_.insert(at, std::move(watched));
    }
    return {};
}

Fracture::Watched* Fracture::find(BodyId id) {
    const auto at = std::lower_bound(watched_.begin(), watched_.end(), id, comes_before);
    return at != watched_.end() && at->id == id ? &*at : nullptr;
}

bool Fracture::is_watched(BodyId id) const {
    const auto at = std::lower_bound(watched_.begin(), watched_.end(), id, comes_before);
    return at != watched_.end() && at->id == id;
}

void Fracture::before_step(const World& world) {
    for (Watched& watched : watched_)
        if (watched.fracture.momentum && world.is_valid(watched.id))
            watched.momentum = momentum_of(world, watched.id);
}

void Fracture::after_step(World& world, double dt) {
    events_.clear();
    std::erase_if(watched_, [&](const Watched& w) { return !world.is_valid(w.id); });
    if (watched_.empty()) {
        loads_.clear();
        return;
    }
    std::vector<Watched> born; // apart, so that watched_ stays in order
    for (const ContactLoad& load : breaking_loads(world, dt)) {
        const Watched watched = *find(load.body);
        std::erase_if(watched_, [&](const Watched& w) { return w.id == load.body; });
        break_body(world, watched, load, born);
    }
    watched_.insert(watched_.end(), born.begin(), born.end());
    std::sort(watched_.begin(), watched_.end(),
              [](const Watched& a, const Watched& b) { return a.id < b.id; });
}

bool Fracture::allows(const Watched& watched, std::size_t pieces, FractureEvent event) {
    Family& family = families_[watched.family];
    const int more = static_cast<int>(pieces) - 1;
    const int most = watched.fracture.max_pieces;
    bool* is_told = nullptr;
    if (family.bodies + more > most && watched.generation > 0) {
        is_told = &family.is_full;
        event.failure = "\"" + family.name + "\" has become " + std::to_string(family.bodies) +
                        " bodies, and another break would exceed its max_pieces, " +
                        std::to_string(most) + ": what is left of it stays whole";
    } else if (bodies_ + more > kMaxBodies) {
        is_told = &is_full_;
        event.failure = "the bodies that break have become " + std::to_string(bodies_) +
                        ", and another break would exceed the " + std::to_string(kMaxBodies) +
                        " that all of them may become: what is left of them stays whole";
    }
    if (is_told && !std::exchange(*is_told, true)) events_.push_back(std::move(event));
    return is_told == nullptr;
}

void Fracture::break_body(World& world, const Watched& watched, const ContactLoad& load,
                          std::vector<Watched>& born) {
    FractureEvent event{.broken = watched.id, .pieces = {}, .point = load.point};
    event.impulse = load.impulse;
    event.name = world.name(watched.id);
    const Vec3d local_impact = inverse_transform(world.pose(watched.id), load.point);
    const Result<FractureCells> cells = cells_for(watched, local_impact);
    if (!cells) {
        event.failure = to_string(cells.error());
        events_.push_back(std::move(event));
        return;
    }
    if (!allows(watched, cells->size(), event)) return;
    event.energy = take_energy(world, watched.id, load.other, load.point, watched.fracture.energy);
    event.missing_energy = watched.fracture.energy - event.energy;
    event.definitions = split(*watched.def, whole_body(world, watched.id), *cells);
    Result<std::vector<BodyId>> pieces = add_pieces(world, event.definitions);
    if (!pieces) {
        event.definitions.clear();
        event.failure = to_string(pieces.error());
        events_.push_back(std::move(event));
        return;
    }
    event.pieces = std::move(*pieces);
    event.joints = world.joints(watched.id);
    const int more = static_cast<int>(event.pieces.size()) - 1;
    families_[watched.family].bodies += more;
    bodies_ += more;
    world.remove_body(watched.id);
    for (std::size_t i = 0; i < event.pieces.size(); ++i) {
        const FractureCell& cell = (*cells)[i];
        if (cell.size < watched.fracture.min_size || watched.generation + 1 >= kMaxGenerations)
            continue;
        Watched piece = watched;
        piece.id = event.pieces[i];
        piece.def = std::make_shared<const BodyDef>(event.definitions[i]);
        piece.fracture.seed = seed_of_piece(watched.fracture.seed, i);
        ++piece.generation;
        piece.momentum = momentum_of(world, piece.id);
        piece.solid.reset();
        born.push_back(std::move(piece));
    }
    events_.push_back(std::move(event));
}

std::uint64_t Fracture::state_hash() const {
    Hasher hasher;
    const auto add_id = [&](BodyId id) {
        hasher.add(std::uint64_t{id.index} << 32 | id.generation);
    };
    for (const Watched& w : watched_) {
        add_id(w.id);
        hasher.add(w.fracture.seed);
        hasher.add(static_cast<std::uint64_t>(w.generation));
        hasher.add(w.family);
        hasher.add_value(w.momentum);
    }
    for (const Family& family : families_)
        hasher.add(static_cast<std::uint64_t>(family.bodies) * 2 + family.is_full);
    hasher.add(std::uint64_t{is_full_});
    for (const ContactLoad& load : loads_) {
        add_id(load.body), add_id(load.other);
        for (const double x : {load.impulse, load.point.x, load.point.y, load.point.z})
            hasher.add_value(x);
        hasher.add(std::uint64_t{load.is_new} * 2 + std::uint64_t{load.is_hit});
    }
    return hasher.value();
}

} // namespace rigor
