// World: bodies, joints, steps, queries, snapshots.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rigor/body.h"
#include "rigor/events.h"
#include "rigor/export.h"
#include "rigor/ids.h"
#include "rigor/joint.h"
#include "rigor/motion_record.h"
#include "rigor/query.h"
#include "rigor/recording.h"
#include "rigor/report.h"
#include "rigor/result.h"
#include "rigor/settings.h"
#include "rigor/tasks.h"

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

/// A value: it can be moved, and copied by snapshot() and restore(). A world that was moved from
/// may only be assigned to or destroyed: all else throws UsageError. Ids name bodies; using a stale
/// one, or handing in a number that is not finite, throws UsageError.
///
/// Threads: any number may read a world, or one may change it. A change during step(), from a
/// contact hook or from another thread, throws UsageError and changes nothing.
class RIGOR_API World {
  public:
    /// Throws UsageError when a setting is out of range.
    explicit World(const WorldSettings& settings = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    const WorldSettings& settings() const;
    /// Takes effect at the next step. Throws UsageError when a setting is out of range.
    void set_settings(const WorldSettings& settings);

    /// From now on work is done by the caller's threads, and `settings().threads` does not matter;
    /// an empty one gives it back to the world's own.
    void set_task_system(TaskSystem tasks);

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

    /// From now on these two materials meet like this, in either order; what is not given stays the
    /// usual combination. Pairs that touch already are not asked again. Throws UsageError when a
    /// friction is negative, a restitution not in [0, 1], or a number not finite.
    void set_material_pair(const MaterialPair& pair);

    /// Joins two bodies, or one and the world, as they stand now.
    ///
    /// Fails, leaving the world unchanged, when a number or an axis is not what JointDef asks for,
    /// or a gear couples anything but two hinges or sliders. Removing a body removes its joints,
    /// removing a joint the gears on it. Under `free` joints are stored, and do not act.
    Result<JointId> add_joint(const JointDef& def);
    void remove_joint(JointId id);
    bool is_valid(JointId id) const;
    std::size_t joint_count() const;
    /// All joints, or those of one body, in the order of their slots.
    std::vector<JointId> joints() const;
    std::vector<JointId> joints(BodyId id) const;
    std::string_view name(JointId id) const;
    JointState joint_state(JointId id) const;
    /// The curve of a track where it is now: `count` points, at least two, evenly spaced by arc
    /// length from its first to its last; of a closed one back to the first.
    std::vector<Vec3d> track_points(JointId id, std::size_t count) const;

    // Changes of a joint while it works. What JointDef does not allow throws UsageError.
    void set_motor(JointId id, const std::optional<MotorDef>& motor);
    void set_spring(JointId id, const std::optional<SpringDef>& spring);
    /// Of a hinge, slider, wheel (its travel) or distance.
    void set_limits(JointId id, const Range& limits);
    /// Of a wheel, in radians about its steering axis.
    void set_steer(JointId id, double angle);

    bool is_valid(BodyId id) const;
    std::size_t body_count() const;
    /// All bodies, in the order of their slots.
    std::vector<BodyId> bodies() const;

    std::string_view name(BodyId id) const;
    BodyType type(BodyId id) const;
    /// Bodies sleep together with all that they touch or are joined to, and cost nothing then. They
    /// wake when something moving touches them, when what they lie on is moved or removed, and when
    /// any function here changes them.
    bool is_awake(BodyId id) const;
    void wake(BodyId id);
    /// Bodies that are not static and not asleep.
    std::size_t awake_count() const;
    /// True when the body went non-finite, and was stopped and frozen; also while it is frozen
    /// by the caller.
    bool is_quarantined(BodyId id) const;
    /// In the order of the definition, with the leaves of a compound in its place.
    std::vector<ShapeId> shapes(BodyId id) const;
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

    /// Of a dynamic body: its inertia grows with its mass, its velocities stay.
    void set_mass(BodyId id, double mass);
    /// A frozen body stands still, whatever pushes it, until it is thawed. A quarantined one comes
    /// back to life when it is.
    void set_frozen(BodyId id, bool frozen);
    Material material(ShapeId id) const;
    /// All but the density, which has done its work: see set_mass(). Throws UsageError when a
    /// friction is negative, the restitution not in [0, 1], or a number not finite.
    void set_material(ShapeId id, const Material& material);

    /// Deforms a mesh: moves the vertices of a mesh shape of a static or kinematic body, in the
    /// frame of the shape and in the order of TriangleSoup::vertices; the triangles stay. The next
    /// step finds contacts with the new surface. The deformation is no motion: its velocity acts on
    /// nothing, and a body that it moved into is pushed out like any that overlaps.
    ///
    /// Throws UsageError, leaving the world unchanged, when the shape is no mesh or was split into
    /// convex pieces, the body is dynamic, the count is another, a coordinate is not finite,
    /// vertices at one place are torn apart, or a closed mesh is turned inside out. Linear in the
    /// size of the mesh.
    void set_mesh_vertices(ShapeId id, std::span<const Vec3d> vertices);
    /// The vertices of a mesh as they are now, in the same frame and order; those that no triangle
    /// uses are zero. Empty when the shape is no mesh, or one that was split into convex pieces.
    std::vector<Vec3d> mesh_vertices(ShapeId id) const;
    /// Whether set_mesh_vertices() has moved its vertices.
    bool is_deformed(ShapeId id) const;
    /// Where a shape is in the frame of its body.
    Posed local_pose(ShapeId id) const;

    /// Acts during the whole of the next step, then is forgotten. Forces add up; on bodies
    /// that are not dynamic they have no effect.
    void apply_force(BodyId id, const Vec3d& force);
    void apply_force_at(BodyId id, const Vec3d& force, const Vec3d& point);
    void apply_torque(BodyId id, const Vec3d& torque);
    /// Acts at once.
    void apply_impulse_at(BodyId id, const Vec3d& impulse, const Vec3d& point);

    /// Moves the world on by dt, which must be positive and finite (else UsageError).
    /// Never hangs and never fails half-way: what went wrong is in the report.
    /// The report is good until the next step.
    const StepReport& step(double dt);

    /// From now on `faithful` keeps a record of what it did within a step, with every force and
    /// impulse (docs/certificates.md), and `fast` one with the impulses of joints; other methods,
    /// and worlds with periodic boundaries, keep none. Changes nothing about how the world goes on;
    /// not part of snapshots. It costs a few evaluations of all forces for each step of the
    /// integrator.
    void keep_motion_records(bool wanted);
    /// Of the last step, in no particular order.
    const std::vector<MotionRecord>& motion_records() const;

    /// Of the last step; changes made between steps count to the next one.
    const Events& events() const;
    /// Every manifold of the last step, in the order of the shapes' ids; or those of one body.
    /// Bodies asleep keep theirs.
    std::vector<ContactView> contacts() const;
    std::vector<ContactView> contacts(BodyId id) const;
    /// Who is asked about contacts during steps of `fast`. Not part of snapshots. Throws UsageError
    /// under another method, and when the world is recorded, as functions cannot be.
    void set_contact_hooks(ContactHooks hooks);

    // Queries, of the world as it is now.
    //
    // Any number of threads may ask at the same time, as long as none changes the world. The
    // first query after a change brings the search tree up to date, which takes time for every
    // body that moved; a world that is only stepped never does it. What is not finite, or
    // negative where it must not be, throws UsageError.

    /// What the ray meets first, if anything.
    std::optional<RayCastHit> cast_ray(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// Whether it meets anything: faster, for lines of sight.
    bool cast_ray_any(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// Every shape it meets, where it first does, by distance and then by id.
    std::vector<RayCastHit> cast_ray_all(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// cast_ray for each of them, with all threads of the world: hits[i] is what rays[i] meets.
    void cast_rays(std::span<const RayQuery> rays, std::span<std::optional<RayCastHit>> hits,
                   const QueryFilter& filter = {}) const;

    /// What a shape that moves from `pose` by `displacement`, without turning, meets first. The
    /// definition's own position and orientation count, its material does not. Fails when the
    /// shape is no solid (see ShapeDef); building it is part of the cost.
    Result<std::optional<ShapeCastHit>> cast_shape(const ShapeDef& shape, const Posed& pose,
                                                   const Vec3d& displacement,
                                                   const QueryFilter& filter = {}) const;
    /// All that it touches where it is, by id. Fails likewise.
    Result<std::vector<ShapeHit>> overlap_shape(const ShapeDef& shape, const Posed& pose,
                                                const QueryFilter& filter = {}) const;
    /// The shapes whose own bounding boxes touch the given one, by id: quick, and a superset of
    /// what a shape inside the box could touch. Corners may be infinite.
    std::vector<ShapeHit> overlap_box(const Vec3d& lo, const Vec3d& hi,
                                      const QueryFilter& filter = {}) const;
    /// The shapes that hold a point, by id.
    std::vector<ShapeHit> overlap_point(const Vec3d& point, const QueryFilter& filter = {}) const;
    /// The nearest surface point not farther than `max_distance`. Inside several shapes: that of
    /// the one which the point is deepest in.
    std::optional<ClosestPointHit> closest_point(const Vec3d& point, double max_distance,
                                                 const QueryFilter& filter = {}) const;

    /// The signed distance of two bodies: the least over all pairs of their shapes, sensors left
    /// out, whether or not they collide with each other. Infinite when a body has no solid shape;
    /// minus infinity for two half-spaces that overlap without bound. Throws UsageError when both
    /// are the same body.
    BodyDistance distance(BodyId a, BodyId b) const;
    /// All contact points of two bodies, not reduced to four: the vertices of the contact regions
    /// of their shapes with a separation up to `max_separation`, sensors left out. By shapes, then
    /// region by region. Each region has one normal, and its vertices are in their order around it;
    /// equal points of neighboring triangles of a mesh are given once. Empty when the bodies are
    /// farther apart. Throws UsageError when both are the same body.
    std::vector<ContactRegionPoint> contact_points(BodyId a, BodyId b,
                                                   double max_separation = 1e-3) const;

    /// The fraction of the way, in [0, 1], after which two bodies first touch that move from the
    /// given poses to their present ones at constant velocity and angular velocity, or none. They
    /// touch at a gap of 1e-6 m. Sensors count; bodies kept apart by groups and masks never touch.
    /// Throws UsageError when both are the same body, or a pose is not finite or not a unit.
    std::optional<double> time_of_impact(BodyId a, const Posed& from_a, BodyId b,
                                         const Posed& from_b) const;

    /// The smallest box that holds all shapes of a body; without shapes, its center of mass. Planes
    /// have no end.
    Bounds bounds(BodyId id) const;
    /// The boxes by which queries search, from the roots down, as they are after the last change:
    /// to be looked at.
    std::vector<TreeBox> search_boxes() const;

    /// The depths of all pairs of shapes that overlap, sensors and pairs that do not meet left out,
    /// ascending, in meters: how good the contacts are. Slow: it measures every pair.
    std::vector<double> penetrations() const;
    /// The same pairs with their bodies and shapes, the deepest first.
    std::vector<ShapePenetration> penetrating_shapes() const;

    double time() const;
    std::uint64_t step_count() const;
    Energy energy() const;
    Momentum momentum() const;
    Ledger ledger() const;
    /// From now on a ledger is kept for every island as well: it tells where energy that no force
    /// accounts for came from. Islands only grow. Changes nothing about how the world goes on, and
    /// is part of snapshots.
    void keep_island_ledgers(bool wanted);
    /// By the first body; none unless they are kept.
    std::vector<IslandLedger> island_ledgers() const;
    /// That of the island a body is in; none of what is not dynamic, or unless they are kept.
    std::optional<IslandLedger> island_ledger(BodyId id) const;

    /// A copy of the state. O(state).
    Snapshot snapshot() const;
    /// Makes the world go on exactly as it did from there. Ids valid then are valid again. Throws
    /// UsageError when the world is recorded: a snapshot is not.
    void restore(const Snapshot& snapshot);
    /// 64 bits over all state: one flipped bit changes it. Names do not count.
    std::uint64_t state_hash() const;

    /// From now on every call that changes the world is noted, and after every step what came of
    /// it: this costs a state_hash a step. Throws UsageError unless the world is as new.
    void start_recording();
    /// What was recorded so far. Throws UsageError when nothing is.
    Recording recording() const;

    /// Bytes held by all that a snapshot holds: the state, contacts with what is remembered of
    /// them, and boxes of shapes. Scratch and the geometry of hulls and meshes are not counted,
    /// unless a mesh was deformed, as its geometry is then its own.
    std::size_t memory_bytes() const;

  private:
    friend class Replayer;
    struct Impl;

    /// Owns the implementation. Functions of World that are const read it, all others change it.
    class Owner {
      public:
        explicit Owner(std::unique_ptr<Impl> impl);
        ~Owner();
        Owner(Owner&&) noexcept;
        Owner& operator=(Owner&&) noexcept;

        Impl* operator->() const; ///< throws UsageError when the world was moved from
        Impl* operator->();       ///< likewise, and while the world is in a step

      private:
        std::unique_ptr<Impl> impl_;
    };
    Owner impl_;
};

} // namespace rigor
