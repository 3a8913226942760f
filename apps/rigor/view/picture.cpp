#include "view/picture.h"

#include <algorithm>

namespace rigor::view {
namespace {

constexpr double kFarthest = 1000; // m
constexpr double kFinest = 1e-6;   // m: a count is never smaller
constexpr int kLookAround = 60;    // pictures between two looks at all bodies

struct Extent {
    Vec3d middle;
    double reach = 0;
};

Extent extent_of(const Stage& stage, double farthest) {
    Vec3d lo{1e300, 1e300, 1e300}, hi = -lo;
    for (const Member& member : *stage.state().members) {
        if (member.id.is_null()) continue;
        const Vec3d p = stage.world().pose(member.id).p;
        lo = min(lo, p), hi = max(hi, p);
    }
    if (!(lo.x <= hi.x)) return {};
    // The middle follows the crowd only as far as the rim does.
    const Vec3d rim{farthest, farthest, farthest};
    lo = max(lo, -rim), hi = min(hi, rim);
    lo = min(lo, hi), hi = max(lo, hi);
    return {(lo + hi) * 0.5, max_component(hi - lo) * 0.5};
}

} // namespace

Painter::Painter(const Stage& stage) {
    const Extent extent = extent_of(stage, 1e12);
    farthest_ = std::max(kFarthest, 4 * (extent.reach + max_component(abs(extent.middle))));
    poses_.grid.unit = 0;
}

/// With room for the bodies to spread by half before it must be chosen again.
void Painter::choose_grid(const Stage& stage, std::uint32_t sequence) {
    const Extent extent = extent_of(stage, farthest_);
    const double wanted = std::max(1.5 * extent.reach / Grid::kMost, kFinest);
    const double unit = static_cast<double>(poses_.grid.unit);
    const double off = max_component(abs(extent.middle - poses_.grid.middle));
    const bool fits_now = extent.reach + off <= unit * Grid::kMost;
    if (unit > 0 && fits_now && wanted > unit / 8) return;
    poses_.grid = {extent.middle, static_cast<float>(wanted)};
    poses_.grid_since = sequence;
    repaint_ = true;
}

void Painter::paint_poses(const Stage& stage, std::uint32_t sequence) {
    const World& world = stage.world();
    const std::vector<Member>& members = *stage.state().members;
    poses_.step = stage.now();
    poses_.time = world.time();
    poses_.packed.resize(members.size());
    poses_.changed.resize(members.size());
    if (repaint_ || painted_++ % kLookAround == 0) choose_grid(stage, sequence);
    bool outside = false;
    for (std::size_t slot = 0; slot < members.size(); ++slot) {
        const BodyId id = members[slot].id;
        if (id.is_null()) {
            poses_.changed[slot] = 0;
            continue;
        }
        const bool is_static = members[slot].made_from->def.type == BodyType::static_body;
        const bool asleep = !is_static && !world.is_awake(id);
        const bool was_still = is_static || (poses_.packed[slot].position & kAsleep) != 0;
        if (!repaint_ && poses_.changed[slot] != 0 && was_still && (is_static || asleep)) continue;
        const Posed pose = world.pose(id);
        outside = outside || !fits(pose.p, poses_.grid);
        const PackedPose packed = pack(pose, asleep, poses_.grid);
        if (packed == poses_.packed[slot] && poses_.changed[slot] != 0) continue;
        poses_.packed[slot] = packed;
        poses_.changed[slot] = sequence;
    }
    repaint_ = false;
    if (!outside) return;
    choose_grid(stage, sequence);
    if (repaint_) paint_poses(stage, sequence); // once: now all but what is beyond the rim fits
}

void Painter::paint_values(const Stage& stage, std::uint32_t sequence, const ColorSet& colors) {
    std::erase_if(values_, [&](const auto& entry) { return !colors.has(entry.first); });
    std::erase_if(scales_, [&](const auto& entry) { return !colors.has(entry.first); });
    for (const Color color : kColors) {
        if (!colors.has(color)) continue;
        const std::vector<std::uint8_t> now = color_values(stage, color, scales_[color]);
        ValueTrack& track = values_[color];
        track.values.resize(now.size());
        track.changed.resize(now.size(), sequence);
        for (std::size_t slot = 0; slot < now.size(); ++slot) {
            if (track.values[slot] == now[slot]) continue;
            track.values[slot] = now[slot];
            track.changed[slot] = sequence;
        }
    }
}

WorldPicture Painter::paint(const Stage& stage, std::uint8_t world, std::uint32_t sequence,
                            const Wishes& wishes) {
    paint_poses(stage, sequence);
    paint_values(stage, sequence, wishes.colors);
    WorldPicture picture{poses_, values_, {}};
    for (const Overlay overlay : kOverlays) {
        if (!wishes.overlays.has(overlay)) continue;
        picture.overlays[overlay] = std::make_shared<const std::string>(
            encode_overlay(overlay, stage, world, poses_.grid.middle));
    }
    return picture;
}

} // namespace rigor::view
