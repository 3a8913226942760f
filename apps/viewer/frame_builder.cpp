#include "viewer/frame_builder.h"

#include <algorithm>

namespace rigor::viewer {
namespace {

constexpr double kUsualMaxDistance = 1000; // m
constexpr double kMinUnit = 1e-6;          // m
constexpr int kGridCheckInterval = 60;     // frames

/// A cube around the positions of all bodies.
struct Extent {
    Vec3d center;
    double half_width = 0;
};

Extent bounds_of_positions(const Session& session, double max_distance) {
    Vec3d lo{1e300, 1e300, 1e300}, hi = -lo;
    for (const SessionBody& body : *session.state().bodies) {
        if (body.id.is_null()) continue;
        const Vec3d p = session.world().pose(body.id).p;
        lo = min(lo, p), hi = max(hi, p);
    }
    if (!(lo.x <= hi.x)) return {};
    // Bodies beyond the maximum distance do not move the center.
    const Vec3d edge{max_distance, max_distance, max_distance};
    lo = max(lo, -edge), hi = min(hi, edge);
    lo = min(lo, hi), hi = max(lo, hi);
    return {(lo + hi) * 0.5, max_component(hi - lo) * 0.5};
}

} // namespace

FrameBuilder::FrameBuilder(const Session& session) {
    const Extent extent = bounds_of_positions(session, 1e12);
    max_distance_ =
        std::max(kUsualMaxDistance, 4 * (extent.half_width + max_component(abs(extent.center))));
    poses_.grid.unit = 0;
}

// The grid is half as wide again as the bodies need, so it does not change with every frame.
void FrameBuilder::choose_grid(const Session& session, std::uint32_t sequence) {
    const Extent extent = bounds_of_positions(session, max_distance_);
    const double wanted = std::max(1.5 * extent.half_width / Grid::kMaxCount, kMinUnit);
    const double unit = static_cast<double>(poses_.grid.unit);
    const double off = max_component(abs(extent.center - poses_.grid.center));
    const bool fits_now = extent.half_width + off <= unit * Grid::kMaxCount;
    if (unit > 0 && fits_now && wanted > unit / 8) return;
    poses_.grid = {extent.center, static_cast<float>(wanted)};
    poses_.grid_since = sequence;
    invalid_ = true;
}

void FrameBuilder::update_poses(const Session& session, std::uint32_t sequence) {
    const World& world = session.world();
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    poses_.step = session.current_step();
    poses_.time = world.time();
    poses_.packed.resize(bodies.size());
    poses_.changed.resize(bodies.size());
    if (invalid_ || frames_built_++ % kGridCheckInterval == 0) choose_grid(session, sequence);
    bool outside = false;
    for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
        const BodyId id = bodies[slot].id;
        if (id.is_null()) {
            poses_.changed[slot] = 0;
            continue;
        }
        const bool is_static = bodies[slot].definition->def.type == BodyType::static_body;
        const bool asleep = !is_static && !world.is_awake(id);
        const bool was_still = is_static || (poses_.packed[slot].position & kAsleep) != 0;
        if (!invalid_ && poses_.changed[slot] != 0 && was_still && (is_static || asleep)) continue;
        const Posed pose = world.pose(id);
        outside = outside || !fits(pose.p, poses_.grid);
        const PackedPose packed = pack(pose, asleep, poses_.grid);
        if (packed == poses_.packed[slot] && poses_.changed[slot] != 0) continue;
        poses_.packed[slot] = packed;
        poses_.changed[slot] = sequence;
    }
    invalid_ = false;
    if (!outside) return;
    choose_grid(session, sequence);
    if (invalid_) update_poses(session, sequence); // once: now all but what is beyond the edge fits
}

void FrameBuilder::update_colors(const Session& session, std::uint32_t sequence,
                                 const ColorSet& colors) {
    std::erase_if(colors_, [&](const auto& entry) { return !colors.has(entry.first); });
    std::erase_if(scales_, [&](const auto& entry) { return !colors.has(entry.first); });
    for (const ColorMode color : kColorModes) {
        if (!colors.has(color)) continue;
        const std::vector<std::uint8_t> values = color_values(session, color, scales_[color]);
        ColorValues& known = colors_[color];
        known.values.resize(values.size());
        known.changed.resize(values.size(), sequence);
        for (std::size_t slot = 0; slot < values.size(); ++slot) {
            if (known.values[slot] == values[slot]) continue;
            known.values[slot] = values[slot];
            known.changed[slot] = sequence;
        }
    }
}

WorldFrame FrameBuilder::build(const Session& session, std::uint8_t world, std::uint32_t sequence,
                               const Subscriptions& subscriptions) {
    update_poses(session, sequence);
    update_colors(session, sequence, subscriptions.colors);
    WorldFrame frame{poses_, colors_, {}, meshes_.update(session, world, sequence)};
    for (const Overlay overlay : kOverlays) {
        if (!subscriptions.overlays.has(overlay)) continue;
        frame.overlays[overlay] = std::make_shared<const std::string>(
            encode_overlay(overlay, session, world, poses_.grid.center));
    }
    return frame;
}

} // namespace rigor::viewer
