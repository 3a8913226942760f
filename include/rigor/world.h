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

/// A copy of the complete state of a world, solver memory included. Cheap to copy and to keep.
class Snapshot {
  public:
    struct Content;
    explicit Snapshot(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    const Content& content() const { return *content_; }

  private:
    std::shared_ptr<const Content> content_;
};

/// A value: it can be moved, and copied by snapshot() and restore(). A world that was moved from
/// may only be assigned to or destroyed: all else throws UsageError. Bodies are identified by ids.
/// A stale id, or a number that is not finite, throws UsageError.
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

    /// Runs the parallel loops of all later steps on the caller's threads, and ignores
    /// `settings().threads`. An empty TaskSystem returns to the threads of the world.
    void set_task_system(TaskSystem tasks);

    /// Adds a body and returns its id.
    ///
    /// Its mass comes from the densities of its shapes, unless `def.mass` rescales it or
    /// `def.mass_properties` replaces it. Sensors have no mass.
    ///
    /// Fails, leaving the world unchanged, when
    ///   - a number is not finite, or the orientation is not a unit quaternion within 1e-3;
    ///   - a shape is invalid (see ShapeDef), or not allowed for a moving body;
    ///   - a dynamic body has no mass, or its inertia is not that of a solid: its principal moments
    ///     must be positive, and none may exceed the sum of the other two.
    ///
    /// Amortized constant time, apart from building the shapes.
    Result<BodyId> add_body(const BodyDef& def);
    void remove_body(BodyId id);
    /// Reserves memory for this many bodies in total, so that adding them does not reallocate.
    void reserve_bodies(std::size_t count);

    /// Sets friction and restitution for two materials, in either order; a value that is not given
    /// is combined as usual. Pairs already in contact keep their values. Throws UsageError when a
    /// friction is negative, a restitution not in [0, 1], or a number not finite.
    void set_material_pair(const MaterialPair& pair);

    /// Connects two bodies, or a body and the world, at their current poses.
    ///
    /// Fails, leaving the world unchanged, when a number or an axis violates the rules of JointDef,
    /// or a gear couples anything but two hinges or sliders. Removing a body removes its joints;
    /// removing a joint removes the gears on it. Under `free` joints are stored but have no effect.
    Result<JointId> add_joint(const JointDef& def);
    void remove_joint(JointId id);
    bool is_valid(JointId id) const;
    std::size_t joint_count() const;
    /// All joints, or those of one body, in the order of their slots.
    std::vector<JointId> joints() const;
    std::vector<JointId> joints(BodyId id) const;
    std::string_view name(JointId id) const;
    JointState joint_state(JointId id) const;
    /// The curve of a track at its current pose: `count` points, at least two, evenly spaced by arc
    /// length from the first point to the last; on a closed curve back to the first.
    std::vector<Vec3d> track_points(JointId id, std::size_t count) const;

    // Changes of an existing joint. A value that JointDef does not allow throws UsageError.
    void set_motor(JointId id, const std::optional<MotorDef>& motor);
    void set_spring(JointId id, const std::optional<SpringDef>& spring);
    /// Limits of a hinge, slider, wheel (suspension travel), track or distance joint.
    void set_limits(JointId id, const Range& limits);
    /// Steering angle of a wheel joint, in radians about its steering axis.
    void set_steer(JointId id, double angle);

    bool is_valid(BodyId id) const;
    std::size_t body_count() const;
    /// All bodies, in the order of their slots.
    std::vector<BodyId> bodies() const;

    std::string_view name(BodyId id) const;
    BodyType type(BodyId id) const;
    /// False while the body sleeps. An island of touching or joined bodies sleeps as a whole, and
    /// then costs nothing. It wakes when a moving body touches it, when a body that supports it is
    /// moved or removed, and when any function of World changes one of its bodies.
    bool is_awake(BodyId id) const;
    void wake(BodyId id);
    /// Number of bodies that are neither static nor asleep.
    std::size_t awake_count() const;
    /// True when the state of the body became non-finite and it was stopped and disabled; also
    /// while the caller has frozen it (set_frozen).
    bool is_quarantined(BodyId id) const;
    /// The shapes of a body in the order of the definition; a compound is replaced by its leaves.
    std::vector<ShapeId> shapes(BodyId id) const;
    MassProperties mass_properties(BodyId id) const;
    BodyState state(BodyId id) const;
    /// The pose of the body's own frame, which need not be at its center of mass.
    Posed pose(BodyId id) const;
    /// The velocity of the body's point that is now at `point`.
    Vec3d velocity_at(BodyId id, const Vec3d& point) const;

    /// Teleports the body: sets the pose of its frame, and keeps its velocity. The orientation must
    /// be a unit quaternion within 1e-3.
    void set_pose(BodyId id, const Posed& pose);
    /// Sets the velocity of the center of mass. Locked components, and static bodies, stay at zero.
    void set_velocity(BodyId id, const Vec3d& velocity);
    void set_angular_velocity(BodyId id, const Vec3d& angular_velocity);

    /// Mass of a dynamic body. The inertia is scaled by the same factor; velocities are kept.
    void set_mass(BodyId id, double mass);
    /// A frozen body does not move until it is unfrozen. Unfreezing a quarantined body enables it
    /// again.
    void set_frozen(BodyId id, bool frozen);
    Material material(ShapeId id) const;
    /// Replaces the material, except for its density, which acts at creation only: see set_mass().
    /// Throws UsageError when a friction is negative, the restitution not in [0, 1], or a number
    /// not finite.
    void set_material(ShapeId id, const Material& material);

    /// Deforms a mesh: moves the vertices of a mesh shape of a static or kinematic body, in the
    /// frame of the shape and in the order of TriangleSoup::vertices; the triangles stay. The next
    /// step finds contacts with the new surface. The deformation has no velocity in contacts, and a
    /// body that the surface moved into is pushed out like any overlapping body.
    ///
    /// Throws UsageError, leaving the world unchanged, when the shape is not a mesh or was
    /// decomposed into convex pieces, the body is dynamic, the number of vertices differs, a
    /// coordinate is not finite, coincident vertices are separated, or a closed mesh is turned
    /// inside out. Linear in the size of the mesh.
    void set_mesh_vertices(ShapeId id, std::span<const Vec3d> vertices);
    /// The current vertices of a mesh, in the same frame and order; vertices that no triangle uses
    /// are zero. Empty when the shape is not a mesh, or was decomposed into convex pieces.
    std::vector<Vec3d> mesh_vertices(ShapeId id) const;
    /// Whether set_mesh_vertices() has moved its vertices.
    bool is_deformed(ShapeId id) const;
    /// Pose of a shape in the frame of its body.
    Posed local_pose(ShapeId id) const;

    /// Applies a force during the whole next step, and only then. Forces add up; they have no
    /// effect on static and kinematic bodies.
    void apply_force(BodyId id, const Vec3d& force);
    void apply_force_at(BodyId id, const Vec3d& force, const Vec3d& point);
    void apply_torque(BodyId id, const Vec3d& torque);
    /// Changes the velocities at once.
    void apply_impulse_at(BodyId id, const Vec3d& impulse, const Vec3d& point);

    /// Advances the world by dt, which must be positive and finite (else UsageError). Every step
    /// ends, and never fails half-way: problems are in the report, which is valid until the next
    /// step.
    const StepReport& step(double dt);

    /// Switches motion records on or off. `faithful` records the motion within a step, with every
    /// force and impulse (docs/certificates.md), `fast` the impulses of joints; other methods, and
    /// worlds with periodic boundaries, record nothing. Has no effect on the simulation; not part
    /// of snapshots. It costs a few evaluations of all forces for each step of the integrator.
    void keep_motion_records(bool wanted);
    /// Motion records of the last step, in no particular order.
    const std::vector<MotionRecord>& motion_records() const;

    /// Events of the last step. Changes made between steps cause events in the next one.
    const Events& events() const;
    /// All contact manifolds of the last step, in the order of the shapes' ids; or those of one
    /// body. Sleeping bodies keep theirs.
    std::vector<ContactView> contacts() const;
    std::vector<ContactView> contacts(BodyId id) const;
    /// Sets the callbacks that filter and modify contacts during steps of `fast`. Not part of
    /// snapshots. Throws UsageError under another method, and when the world is recorded, since
    /// functions cannot be recorded.
    void set_contact_hooks(ContactHooks hooks);

    // Queries on the current state.
    //
    // Any number of threads may query at the same time, as long as none changes the world. The
    // first query after a change updates the query broadphase, at a cost for every body that moved;
    // a world that is only stepped never updates it. Arguments that are not finite, or negative
    // where they must not be, throw UsageError.

    /// The closest hit of the ray, if any.
    std::optional<RayCastHit> cast_ray(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// Whether the ray hits anything: faster, for lines of sight.
    bool cast_ray_any(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// All shapes that the ray hits, each with its first hit, sorted by distance and then by id.
    std::vector<RayCastHit> cast_ray_all(const RayQuery& ray, const QueryFilter& filter = {}) const;
    /// cast_ray for each ray, on all threads of the world: hits[i] is the closest hit of rays[i].
    void cast_rays(std::span<const RayQuery> rays, std::span<std::optional<RayCastHit>> hits,
                   const QueryFilter& filter = {}) const;

    /// Shape cast: the first hit of a shape that translates from `pose` by `displacement`. The
    /// position and orientation in the definition are applied, its material is ignored. Fails when
    /// the shape is invalid (see ShapeDef); building it is part of the cost.
    Result<std::optional<ShapeCastHit>> cast_shape(const ShapeDef& shape, const Posed& pose,
                                                   const Vec3d& displacement,
                                                   const QueryFilter& filter = {}) const;
    /// All shapes that overlap or touch the given shape at `pose`, by id. Fails likewise.
    Result<std::vector<ShapeHit>> overlap_shape(const ShapeDef& shape, const Posed& pose,
                                                const QueryFilter& filter = {}) const;
    /// The shapes whose bounding boxes overlap the given box, by id: quick, and a superset of the
    /// shapes that overlap it. Corners may be infinite.
    std::vector<ShapeHit> overlap_box(const Vec3d& lo, const Vec3d& hi,
                                      const QueryFilter& filter = {}) const;
    /// The shapes that contain a point, by id.
    std::vector<ShapeHit> overlap_point(const Vec3d& point, const QueryFilter& filter = {}) const;
    /// The closest surface point within `max_distance`. For a point inside several shapes: on the
    /// one in which it is deepest.
    std::optional<ClosestPointHit> closest_point(const Vec3d& point, double max_distance,
                                                 const QueryFilter& filter = {}) const;

    /// The signed distance of two bodies: the minimum over all pairs of their shapes without
    /// sensors, regardless of collision filters. Infinite when a body has no solid shape; minus
    /// infinity for two half-spaces that overlap without bound. Throws UsageError when both are the
    /// same body.
    BodyDistance distance(BodyId a, BodyId b) const;
    /// All contact points of two bodies, not reduced to four: the vertices of the contact regions
    /// of their shapes with a separation up to `max_separation`, without sensors. Sorted by shapes,
    /// then by region. Each region has one normal, and its vertices are in their order around it;
    /// equal points of neighboring triangles of a mesh are given once. Empty when the bodies are
    /// farther apart. Throws UsageError when both are the same body.
    std::vector<ContactRegionPoint> contact_points(BodyId a, BodyId b,
                                                   double max_separation = 1e-3) const;

    /// Time of impact of two bodies that move from the given poses to their current ones at
    /// constant velocity and angular velocity, as a fraction in [0, 1] of the motion; none when
    /// they do not touch. They touch at a gap of 1e-6 m. Sensors are included; bodies that groups
    /// and masks exclude never touch. Throws UsageError when both are the same body, or a pose is
    /// not finite or its quaternion not a unit.
    std::optional<double> time_of_impact(BodyId a, const Posed& from_a, BodyId b,
                                         const Posed& from_b) const;

    /// The axis-aligned bounding box of all shapes of a body; without shapes, its center of mass.
    /// The bounds of planes are infinite.
    Bounds bounds(BodyId id) const;
    /// The nodes of the query broadphase, from the roots down, after the last change: for debug
    /// drawing.
    std::vector<TreeBox> search_boxes() const;

    /// The penetration depths of all overlapping pairs of shapes, ascending, in meters, without
    /// sensors and pairs that the filters exclude: a measure of the quality of contacts. Slow: it
    /// measures every pair, except that of shapes in crowds (StepReport::crowded_count) only the
    /// deepest pairs of each are measured.
    std::vector<double> penetrations() const;
    /// The same pairs with their bodies and shapes, the deepest first.
    std::vector<ShapePenetration> penetrating_shapes() const;

    double time() const;
    std::uint64_t step_count() const;
    Energy energy() const;
    Momentum momentum() const;
    Ledger ledger() const;
    /// Switches island ledgers on or off: one energy ledger per island, to find where a method
    /// gains or loses energy. Islands only merge. Has no effect on the simulation, and is part of
    /// snapshots.
    void keep_island_ledgers(bool wanted);
    /// Sorted by the first body of each island; empty while island ledgers are off.
    std::vector<IslandLedger> island_ledgers() const;
    /// The ledger of the island of a body; none when the body is not dynamic or ledgers are off.
    std::optional<IslandLedger> island_ledger(BodyId id) const;

    /// A copy of the state. O(state).
    Snapshot snapshot() const;
    /// Restores the state of a snapshot: the simulation then continues bit for bit as it did from
    /// there. Ids that were valid then are valid again. Throws UsageError while the world is
    /// recorded, since recordings cannot contain snapshots.
    void restore(const Snapshot& snapshot);
    /// 64-bit hash of all state: one flipped bit changes it. Names are not part of it.
    std::uint64_t state_hash() const;

    /// Starts recording every call that changes the world, and a state hash after every step, which
    /// is its cost. Throws UsageError unless the world is unchanged since its construction.
    void start_recording();
    /// The recording so far. Throws UsageError when the world is not recorded.
    Recording recording() const;

    /// Memory of everything that a snapshot contains, in bytes: the state, contacts with their
    /// warm-start impulses, and bounding boxes. Scratch memory and shared geometry of hulls and
    /// meshes are not counted, except for deformed meshes, whose geometry is not shared.
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
