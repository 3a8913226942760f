// ODE (BSD or LGPL): dWorldQuickStep as its manual recommends it for many bodies.

#include <ode/ode.h>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "bench/peers/scene_support.h"
#include "geometry/hull_builder.h"

namespace rigor::bench {
namespace {

// An assertion in ODE would end the program; so it ends the run.
[[noreturn]] void fail(int, const char* format, va_list arguments) {
    char text[300];
    std::vsnprintf(text, sizeof text, format, arguments);
    throw std::runtime_error(text);
}

// The library is set up once, and cleaned up when the program ends.
struct Library {
    Library() {
        dInitODE2(0);
        dSetDebugHandler(fail);
        dSetErrorHandler(fail);
    }
    ~Library() { dCloseODE(); }
};

Vec3d vector(const dReal* v) {
    return {double(v[0]), double(v[1]), double(v[2])};
}
Quatd quaternion(const dReal* q) {
    return normalize(Quatd{double(q[0]), double(q[1]), double(q[2]), double(q[3])});
}

// Arrays that a geom refers to as long as it lives.
struct HullArrays {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons; // of each face, the number of its corners and these
};
struct MeshArrays {
    std::vector<double> vertices;
    std::vector<dTriIndex> indices;
    dTriMeshDataID data = nullptr;
};

struct Geom {
    dGeomID id = nullptr;
    double friction = 0;
    bool is_joined_to_static = false; ///< a joint leads from it to a body that does not move
};

class OdePeer : public Peer {
  public:
    explicit OdePeer(const Scene& scene);
    ~OdePeer() override;

    Result<void> add(const BodyDef& def, const MassProperties& mass);
    void add(const SceneJoint& joint);
    void finish();

    void step(double dt) override;
    Motion motion(std::size_t i) const override {
        const dBodyID body = bodies_[i];
        if (!body) return {};
        return {{vector(dBodyGetPosition(body)), quaternion(dBodyGetQuaternion(body))},
                vector(dBodyGetLinearVel(body)),
                vector(dBodyGetAngularVel(body))};
    }
    std::vector<std::string> notes() const override {
        if (hulls_.empty()) return {};
        return {"pairs with a hull touch in one point only"};
    }

  private:
    dGeomID make_geom(const ShapeGeometry& geometry);
    dGeomID make_hull(const std::vector<Vec3d>& points);
    dGeomID make_mesh(const TriangleSoup& soup);
    void collide(dGeomID a, dGeomID b);
    bool is_joined(dGeomID a, dGeomID b) const;
    dBodyID body(std::int32_t i) const {
        return i == SceneJoint::kWorld ? nullptr : bodies_[static_cast<std::size_t>(i)];
    }

    dWorldID world_;
    dSpaceID space_;
    dJointGroupID contacts_;
    std::vector<dBodyID> bodies_; ///< null for those that do not move
    std::vector<Geom> geoms_;
    std::vector<std::unique_ptr<HullArrays>> hulls_;
    std::vector<std::unique_ptr<MeshArrays>> meshes_;
};

OdePeer::OdePeer(const Scene& scene)
    : world_(dWorldCreate()), space_(dHashSpaceCreate(nullptr)), contacts_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, scene.gravity.x, scene.gravity.y, scene.gravity.z);
}

OdePeer::~OdePeer() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    for (const auto& mesh : meshes_) dGeomTriMeshDataDestroy(mesh->data);
}

dGeomID OdePeer::make_hull(const std::vector<Vec3d>& points) {
    const Result<Hull<double>> hull = rigor::make_hull(points);
    if (!hull) return nullptr;
    auto arrays = std::make_unique<HullArrays>();
    for (const Vec3d& v : hull->vertices) {
        arrays->points.insert(arrays->points.end(), {v.x, v.y, v.z});
    }
    for (const HullFace<double>& face : hull->faces) {
        const Vec3d& n = face.plane.normal;
        arrays->planes.insert(arrays->planes.end(), {n.x, n.y, n.z, face.plane.offset});
        arrays->polygons.push_back(face.count);
        for (std::uint32_t k = 0; k < face.count; ++k) {
            arrays->polygons.push_back(hull->half_edges[face.first + k].origin);
        }
    }
    hulls_.push_back(std::move(arrays));
    HullArrays& a = *hulls_.back();
    return dCreateConvex(space_, a.planes.data(), static_cast<unsigned>(hull->faces.size()),
                         a.points.data(), static_cast<unsigned>(hull->vertices.size()),
                         a.polygons.data());
}

dGeomID OdePeer::make_mesh(const TriangleSoup& soup) {
    auto arrays = std::make_unique<MeshArrays>();
    for (const Vec3d& v : soup.vertices) {
        arrays->vertices.insert(arrays->vertices.end(), {v.x, v.y, v.z});
    }
    for (const auto& t : soup.triangles) {
        arrays->indices.insert(arrays->indices.end(), {t[0], t[1], t[2]});
    }
    arrays->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(arrays->data, arrays->vertices.data(), 3 * sizeof(double),
                                static_cast<int>(soup.vertices.size()), arrays->indices.data(),
                                static_cast<int>(arrays->indices.size()), 3 * sizeof(dTriIndex));
    meshes_.push_back(std::move(arrays));
    return dCreateTriMesh(space_, meshes_.back()->data, nullptr, nullptr, nullptr);
}

// Null for what ODE has no geom for.
dGeomID OdePeer::make_geom(const ShapeGeometry& geometry) {
    if (const auto* sphere = std::get_if<SphereDef>(&geometry)) {
        return dCreateSphere(space_, sphere->radius);
    }
    if (const auto* box = std::get_if<BoxDef>(&geometry)) {
        return dCreateBox(space_, box->size.x, box->size.y, box->size.z);
    }
    if (const auto* capsule = std::get_if<CapsuleDef>(&geometry)) {
        return dCreateCapsule(space_, capsule->radius, capsule->length);
    }
    if (const auto* hull = std::get_if<HullDef>(&geometry)) return make_hull(hull->points);
    if (const auto* mesh = std::get_if<MeshDef>(&geometry)) return make_mesh(*mesh->soup);
    return nullptr;
}

Result<void> OdePeer::add(const BodyDef& def, const MassProperties& mass) {
    const dGeomID geom = make_geom(def.shapes[0].geometry);
    if (!geom) return unsupported_shape(def.shapes[0].geometry);
    const dQuaternion q{def.orientation.w, def.orientation.x, def.orientation.y, def.orientation.z};
    dBodyID body = nullptr;
    if (def.type == BodyType::dynamic_body) {
        body = dBodyCreate(world_);
        dMass m;
        const Sym3d& I = mass.inertia;
        dMassSetParameters(&m, mass.mass, 0, 0, 0, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
        dBodySetMass(body, &m);
        dGeomSetBody(geom, body);
        dBodySetLinearVel(body, def.velocity.x, def.velocity.y, def.velocity.z);
        dBodySetAngularVel(body, def.angular_velocity.x, def.angular_velocity.y,
                           def.angular_velocity.z);
    }
    dGeomSetPosition(geom, def.position.x, def.position.y, def.position.z);
    dGeomSetQuaternion(geom, q);
    bodies_.push_back(body);
    geoms_.push_back({geom, def.shapes[0].material.kinetic_friction});
    return {};
}

void OdePeer::add(const SceneJoint& joint) {
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, body(joint.a), body(joint.b));
    const Vec3d& p = joint.def.anchor;
    dJointSetBallAnchor(ball, p.x, p.y, p.z);
    if (joint.def.collide || (body(joint.a) && body(joint.b))) return;
    const std::int32_t moving = body(joint.a) ? joint.a : joint.b;
    geoms_[static_cast<std::size_t>(moving)].is_joined_to_static = true;
}

// Geoms are named by address only when no more are added.
void OdePeer::finish() {
    for (Geom& geom : geoms_) dGeomSetData(geom.id, &geom);
}

bool OdePeer::is_joined(dGeomID a, dGeomID b) const {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a && body_b) return dAreConnectedExcluding(body_a, body_b, dJointTypeContact) != 0;
    const dGeomID moving = body_a ? a : b;
    return static_cast<const Geom*>(dGeomGetData(moving))->is_joined_to_static;
}

// Coulomb's pyramid with the normal force of the step before (dContactApprox1); everything else
// as dContact has it from the world.
void OdePeer::collide(dGeomID a, dGeomID b) {
    constexpr int kMaxPoints = 8;
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if ((!body_a && !body_b) || is_joined(a, b)) return;
    std::array<dContact, kMaxPoints> points;
    const int count = dCollide(a, b, kMaxPoints, &points[0].geom, sizeof(dContact));
    const auto friction = [](dGeomID g) { return static_cast<Geom*>(dGeomGetData(g))->friction; };
    for (int i = 0; i < count; ++i) {
        dContact& point = points[static_cast<std::size_t>(i)];
        point.surface = {};
        point.surface.mode = dContactApprox1;
        point.surface.mu = std::sqrt(friction(a) * friction(b));
        dJointAttach(dJointCreateContact(world_, contacts_, &point), body_a, body_b);
    }
}

void OdePeer::step(double dt) {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
        static_cast<OdePeer*>(self)->collide(a, b);
    });
    dWorldQuickStep(world_, dt);
    dJointGroupEmpty(contacts_);
}

Result<std::unique_ptr<Peer>> make(const PeerSetup& setup) {
    static const Library library;
    dRandSetSeed(0); // its solver shuffles rows; what ran before must not count
    if (const auto checked = check_supported(setup); !checked) return checked.error();
    auto peer = std::make_unique<OdePeer>(setup.scene);
    for (std::size_t i = 0; i < setup.scene.bodies.size(); ++i) {
        const auto added = peer->add(setup.scene.bodies[i].def, setup.masses[i]);
        if (!added) return added.error();
    }
    for (const SceneJoint& joint : setup.scene.joints) peer->add(joint);
    peer->finish();
    return std::unique_ptr<Peer>(std::move(peer));
}

// Of "ODE ODE_double_precision ODE_EXT_trimesh ...", what is not the name.
std::string configuration() {
    const std::string text = dGetConfiguration();
    return text.starts_with("ODE ") ? text.substr(4) : text;
}

} // namespace

Engine ode_engine() {
    return {.name = "ode",
            .package = "libode-dev",
            .version = RIGOR_ODE_VERSION,
            .flags = configuration() + ", quick step, 20 iterations",
            .max_threads = 1,
            .make = make};
}

} // namespace rigor::bench
