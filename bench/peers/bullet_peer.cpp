// Bullet 3 (zlib license): btDiscreteDynamicsWorld as a new user sets it up.

#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "bench/peers/scene_support.h"

namespace rigor::bench {
namespace {

btScalar scalar(double x) {
    return static_cast<btScalar>(x);
}
btVector3 vector(const Vec3d& v) {
    return {scalar(v.x), scalar(v.y), scalar(v.z)};
}
Vec3d vector(const btVector3& v) {
    return {double(v.x()), double(v.y()), double(v.z())};
}
btTransform transform(const BodyDef& def) {
    const Quatd& q = def.orientation;
    return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)),
                       vector(def.position));
}

class BulletPeer : public Peer {
  public:
    explicit BulletPeer(const Scene& scene)
        : dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        world_.setGravity(vector(scene.gravity));
    }
    // The world refers to the bodies and constraints until they are taken out.
    ~BulletPeer() override {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    Result<void> add(const BodyDef& def, const MassProperties& mass);
    void add(const Scene& scene, const SceneJoint& joint);

    // No substeps of its own and no interpolation: one step of dt.
    void step(double dt) override { world_.stepSimulation(scalar(dt), 0); }

    Motion motion(std::size_t i) const override {
        const btRigidBody& body = *bodies_[i];
        const btQuaternion q = body.getWorldTransform().getRotation();
        return {{vector(body.getWorldTransform().getOrigin()),
                 normalize(Quatd{double(q.w()), double(q.x()), double(q.y()), double(q.z())})},
                vector(body.getLinearVelocity()),
                vector(body.getAngularVelocity())};
    }

    std::vector<std::string> notes() const override {
        if (!has_margin_) return {};
        return {"hulls and meshes are 40 mm thicker than drawn, Bullet's default margin"};
    }

  private:
    std::unique_ptr<btCollisionShape> make_shape(const ShapeGeometry& geometry);
    std::unique_ptr<btCollisionShape> make_mesh(const TriangleSoup& soup);

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
    btDiscreteDynamicsWorld world_;
    bool has_margin_ = false;
};

std::unique_ptr<btCollisionShape> BulletPeer::make_mesh(const TriangleSoup& soup) {
    auto mesh = std::make_unique<btTriangleMesh>();
    for (const auto& t : soup.triangles) {
        mesh->addTriangle(vector(soup.vertices[t[0]]), vector(soup.vertices[t[1]]),
                          vector(soup.vertices[t[2]]));
    }
    meshes_.push_back(std::move(mesh));
    has_margin_ = true;
    return std::make_unique<btBvhTriangleMeshShape>(meshes_.back().get(), true);
}

// Null for what Bullet has no shape for.
std::unique_ptr<btCollisionShape> BulletPeer::make_shape(const ShapeGeometry& geometry) {
    if (const auto* sphere = std::get_if<SphereDef>(&geometry)) {
        return std::make_unique<btSphereShape>(scalar(sphere->radius));
    }
    if (const auto* box = std::get_if<BoxDef>(&geometry)) {
        return std::make_unique<btBoxShape>(vector(box->size / 2));
    }
    if (const auto* capsule = std::get_if<CapsuleDef>(&geometry)) {
        return std::make_unique<btCapsuleShapeZ>(scalar(capsule->radius), scalar(capsule->length));
    }
    if (const auto* hull = std::get_if<HullDef>(&geometry)) {
        auto shape = std::make_unique<btConvexHullShape>();
        for (const Vec3d& p : hull->points) shape->addPoint(vector(p), false);
        shape->recalcLocalAabb();
        has_margin_ = true;
        return shape;
    }
    if (const auto* mesh = std::get_if<MeshDef>(&geometry)) return make_mesh(*mesh->soup);
    return nullptr;
}

Result<void> BulletPeer::add(const BodyDef& def, const MassProperties& mass) {
    auto shape = make_shape(def.shapes[0].geometry);
    if (!shape) return unsupported_shape(def.shapes[0].geometry);
    btRigidBody::btRigidBodyConstructionInfo info(
        scalar(mass.mass), nullptr, shape.get(),
        vector(Vec3d{mass.inertia.xx, mass.inertia.yy, mass.inertia.zz}));
    info.m_startWorldTransform = transform(def);
    // Bullet multiplies the frictions of a pair, Rigor takes the root of their product.
    const Material& material = def.shapes[0].material;
    info.m_friction = scalar(std::sqrt(material.kinetic_friction));
    info.m_restitution = scalar(material.restitution);
    auto body = std::make_unique<btRigidBody>(info);
    body->setLinearVelocity(vector(def.velocity));
    body->setAngularVelocity(vector(def.angular_velocity));
    if (!def.can_sleep) body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::move(body));
    return {};
}

void BulletPeer::add(const Scene& scene, const SceneJoint& joint) {
    const auto body = [&](std::int32_t i) -> btRigidBody& {
        return i == SceneJoint::kWorld ? btTypedConstraint::getFixedBody()
                                       : *bodies_[static_cast<std::size_t>(i)];
    };
    joints_.push_back(std::make_unique<btPoint2PointConstraint>(
        body(joint.a), body(joint.b), vector(local_anchor(scene, joint.a, joint.def.anchor)),
        vector(local_anchor(scene, joint.b, joint.def.anchor))));
    world_.addConstraint(joints_.back().get(), !joint.def.collide);
}

Result<std::unique_ptr<Peer>> make(const PeerSetup& setup) {
    if (const auto checked = check_supported(setup); !checked) return checked.error();
    auto peer = std::make_unique<BulletPeer>(setup.scene);
    for (std::size_t i = 0; i < setup.scene.bodies.size(); ++i) {
        const auto added = peer->add(setup.scene.bodies[i].def, setup.masses[i]);
        if (!added) return added.error();
    }
    for (const SceneJoint& joint : setup.scene.joints) peer->add(setup.scene, joint);
    return std::unique_ptr<Peer>(std::move(peer));
}

} // namespace

// What the headers say of the library; Debian's has no task scheduler, hence one thread.
Engine bullet_engine() {
    const int version = btGetVersion();
    std::string flags = sizeof(btScalar) == sizeof(float) ? "float" : "double";
#ifdef BT_USE_SSE
    flags += ", SSE";
#else
    flags += ", no SIMD";
#endif
    flags += ", " + std::to_string(btContactSolverInfo().m_numIterations) + " iterations";
    return {.name = "bullet",
            .package = "libbullet-dev",
            .version = std::to_string(version / 100) + "." + std::to_string(version % 100),
            .flags = flags,
            .max_threads = 1,
            .make = make};
}

} // namespace rigor::bench
