// The world: bodies, and time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rigor/body.h"
#include "rigor/ids.h"
#include "rigor/report.h"
#include "rigor/result.h"
#include "rigor/settings.h"

namespace rigor {

/// A copy of everything that decides how a world goes on. Cheap to copy and to keep.
class Snapshot {
  public:
    struct Content;
    explicit Snapshot(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    const Content& content() const { return *content_; }

  private:
    std::shared_ptr<const Content> content_;
};

/// A value: it can be moved, and copied by snapshot() and restore(). Ids name bodies; using a
/// stale one, or handing in a number that is not finite, throws UsageError.
class World {
  public:
    /// Throws UsageError when a setting is out of range.
    explicit World(const WorldSettings& settings = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    const WorldSettings& settings() const;
    /// Takes effect at the next step. Throws UsageError when a setting is out of range.
    void set_settings(const WorldSettings& settings);

    /// Adds a body and returns the id that names it from now on.
    ///
    /// Its mass comes from the densities of its shapes, unless `def.mass` rescales it or
    /// `def.mass_properties` replaces it. Sensors weigh nothing.
    ///
    /// Fails, leaving the world unchanged, when
    ///   - a number is not finite, or the orientation is not a unit within 1e-3;
    ///   - a shape is no solid (see ShapeDef), or not one a moving body can have;
    ///   - a dynamic body has no mass, or its inertia belongs to no solid: its principal
    ///     moments must be positive, and none may exceed the sum of the other two.
    ///
    /// Amortized constant time, apart from building the shapes.
    Result<BodyId> add_body(const BodyDef& def);
    void remove_body(BodyId id);
    /// Room for this many bodies in all, so that adding them moves nothing.
    void reserve_bodies(std::size_t count);

    bool is_valid(BodyId id) const;
    std::size_t body_count() const;
    /// All bodies, in the order of their slots.
    std::vector<BodyId> bodies() const;

    std::string_view name(BodyId id) const;
    BodyType type(BodyId id) const;
    /// True when the body went non-finite, and was stopped and disabled.
    bool is_quarantined(BodyId id) const;
    MassProperties mass_properties(BodyId id) const;
    BodyState state(BodyId id) const;
    /// The pose of the body's own frame, which need not be at its center of mass.
    Posed pose(BodyId id) const;
    /// The velocity of the body's point that is now at `point`.
    Vec3d velocity_at(BodyId id, const Vec3d& point) const;

    /// Puts the body's frame somewhere else at once, without changing its velocity. The
    /// orientation must be a unit within 1e-3.
    void set_pose(BodyId id, const Posed& pose);
    /// Of the center of mass. Locked components stay zero; a static body's velocity too.
    void set_velocity(BodyId id, const Vec3d& velocity);
    void set_angular_velocity(BodyId id, const Vec3d& angular_velocity);

    /// Acts during the whole of the next step, then is forgotten. Forces add up; on bodies
    /// that are not dynamic they have no effect.
    void apply_force(BodyId id, const Vec3d& force);
    void apply_force_at(BodyId id, const Vec3d& force, const Vec3d& point);
    void apply_torque(BodyId id, const Vec3d& torque);
    /// Acts at once.
    void apply_impulse_at(BodyId id, const Vec3d& impulse, const Vec3d& point);

    /// Moves the world on by dt, which must be positive and finite (else UsageError).
    /// Never hangs and never fails half-way: what went wrong is in the report.
    StepReport step(double dt);

    double time() const;
    std::uint64_t step_count() const;
    Energy energy() const;
    Momentum momentum() const;
    Ledger ledger() const;

    /// A copy of the state. O(state).
    Snapshot snapshot() const;
    /// Makes the world go on exactly as it did from there. Ids valid then are valid again.
    void restore(const Snapshot& snapshot);
    /// 64 bits over all state: one flipped bit changes it. Names do not count.
    std::uint64_t state_hash() const;

    /// Bytes held by the state, scratch and shapes' geometry not counted.
    std::size_t memory_bytes() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace rigor
