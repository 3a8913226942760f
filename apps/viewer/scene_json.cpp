#include "viewer/scene_json.h"

namespace rigor::viewer {
namespace {

ordered vecs(const std::vector<Vec3d>& points) {
    ordered all = ordered::array();
    for (const Vec3d& p : points) all.push_back(vec(p));
    return all;
}

struct GeometryWriter {
    ordered& o;

    void operator()(const SphereDef& d) { o["type"] = "sphere", o["radius"] = d.radius; }
    void operator()(const BoxDef& d) { o["type"] = "box", o["size"] = vec(d.size); }
    void operator()(const CapsuleDef& d) {
        o["type"] = "capsule", o["radius"] = d.radius, o["length"] = d.length;
    }
    void operator()(const CylinderDef& d) {
        o["type"] = "cylinder", o["radius"] = d.radius, o["height"] = d.height;
    }
    void operator()(const ConeDef& d) {
        o["type"] = "cone", o["radius"] = d.radius, o["height"] = d.height;
    }
    void operator()(const HullDef& d) { o["type"] = "hull", o["points"] = vecs(d.points); }
    void operator()(const MeshDef& d) {
        o["type"] = "mesh", o["vertices"] = vecs(d.soup->vertices);
        o["triangles"] = d.soup->triangles;
        if (d.one_sided) o["one_sided"] = true;
    }
    void operator()(const HeightFieldDef& d) {
        ordered samples = ordered::array();
        for (int row = 0; row < d.rows; ++row) {
            const auto begin = d.heights.begin() + static_cast<std::ptrdiff_t>(row) * d.columns;
            samples.push_back(std::vector<double>(begin, begin + d.columns));
        }
        o["type"] = "height_field", o["size"] = {d.size_x, d.size_y}, o["samples"] = samples;
    }
    void operator()(const PlaneDef& d) {
        o["type"] = "plane", o["normal"] = vec(d.normal), o["offset"] = d.offset;
    }
    void operator()(const CompoundDef&) {}
};

} // namespace

ordered vec(const Vec3d& v) {
    return ordered::array({v.x, v.y, v.z});
}
ordered quat(const Quatd& q) {
    return ordered::array({q.w, q.x, q.y, q.z});
}

void put_if(ordered& object, const char* key, double value, double default_value) {
    if (value != default_value) object[key] = value;
}

void put_material(ordered& object, const Material& m) {
    const Material defaults;
    if (m.static_friction == m.kinetic_friction) {
        put_if(object, "friction", m.static_friction, defaults.static_friction);
    } else {
        object["static_friction"] = m.static_friction;
        object["kinetic_friction"] = m.kinetic_friction;
    }
    put_if(object, "restitution", m.restitution, defaults.restitution);
    put_if(object, "density", m.density, defaults.density);
    put_if(object, "rolling_resistance", m.rolling_resistance, 0);
    put_if(object, "torsional_friction", m.torsional_friction, 0);
    put_if(object, "patch_radius", m.patch_radius, 0);
    if (m.surface_velocity != Vec3d{}) object["surface_velocity"] = vec(m.surface_velocity);
    if (m.anisotropy_axis != Vec3d{})
        object["anisotropy"] = {{"axis", vec(m.anisotropy_axis)}, {"ratio", m.anisotropy_ratio}};
}

void put_geometry(ordered& object, const ShapeGeometry& geometry) {
    std::visit(GeometryWriter{object}, geometry);
}

void add_leaves(const ShapeDef& shape, const Posed& parent, bool in_sensor,
                std::vector<ShapeDef>& leaves) {
    const Posed pose = parent * Posed{shape.position, shape.orientation};
    const bool sensor = in_sensor || shape.sensor;
    if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry)) {
        for (const ShapeDef& child : compound->shapes) add_leaves(child, pose, sensor, leaves);
        return;
    }
    leaves.push_back(shape);
    leaves.back().position = pose.p;
    leaves.back().orientation = pose.q;
    leaves.back().sensor = sensor;
}

} // namespace rigor::viewer
