#include "replay_movie.h"

#include <algorithm>
#include <cmath>

#include "rigor/convex.h"
#include "rigor/rotation.h"

namespace rigor::app {
namespace {

constexpr double kPlaneSize = 200; // m, of what is drawn of a plane

using Triangles = std::vector<float>;

void add_triangle(Triangles& out, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    for (const Vec3d& p : {a, b, c})
        for (const double x : {p.x, p.y, p.z}) out.push_back(static_cast<float>(x));
}

Vec3d perpendicular_to(const Vec3d& n) {
    return normalize(cross(n, std::abs(n.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
}

/// A face: the points on a plane, in their order around its middle.
void add_face(Triangles& out, const ConvexPart& part, const PlaneDef& plane) {
    std::vector<Vec3d> corners;
    Vec3d middle;
    double reach = 0;
    for (const Vec3d& p : part.points) reach = std::max(reach, length(p));
    for (const Vec3d& p : part.points)
        if (std::abs(dot(p, plane.normal) - plane.offset) < 1e-7 * (1 + reach))
            corners.push_back(p);
    if (corners.size() < 3) return;
    for (const Vec3d& p : corners) middle += p / static_cast<double>(corners.size());
    const Vec3d x = perpendicular_to(plane.normal), y = cross(plane.normal, x);
    const auto angle = [&](const Vec3d& p) {
        return std::atan2(dot(p - middle, y), dot(p - middle, x));
    };
    std::sort(corners.begin(), corners.end(),
              [&](const Vec3d& p, const Vec3d& q) { return angle(p) < angle(q); });
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        add_triangle(out, corners[0], corners[i], corners[i + 1]);
}

void add_plane(Triangles& out, const PlaneDef& plane) {
    const Vec3d n = normalize(plane.normal), x = perpendicular_to(n) * (kPlaneSize / 2),
                y = cross(n, x), at = n * plane.offset;
    add_triangle(out, at - x - y, at + x - y, at + x + y);
    add_triangle(out, at - x - y, at + x + y, at - x + y);
}

void add_height_field(Triangles& out, const HeightFieldDef& field) {
    const auto at = [&](int column, int row) {
        const double x = field.size_x * (column / (field.columns - 1.0) - 0.5),
                     y = field.size_y * (row / (field.rows - 1.0) - 0.5);
        const auto i = static_cast<std::size_t>(row) * static_cast<std::size_t>(field.columns) +
                       static_cast<std::size_t>(column);
        return Vec3d{x, y, field.heights[i]};
    };
    for (int row = 0; row + 1 < field.rows; ++row) {
        for (int column = 0; column + 1 < field.columns; ++column) {
            add_triangle(out, at(column, row), at(column + 1, row), at(column + 1, row + 1));
            add_triangle(out, at(column, row), at(column + 1, row + 1), at(column, row + 1));
        }
    }
}

/// In the frame of the shape itself.
Triangles triangles_of(const ShapeDef& shape) {
    Triangles out;
    if (const auto* plane = std::get_if<PlaneDef>(&shape.geometry)) {
        add_plane(out, *plane);
    } else if (const auto* field = std::get_if<HeightFieldDef>(&shape.geometry)) {
        add_height_field(out, *field);
    } else if (const auto* mesh = std::get_if<MeshDef>(&shape.geometry)) {
        for (const auto& t : mesh->soup->triangles)
            add_triangle(out, mesh->soup->vertices[t[0]], mesh->soup->vertices[t[1]],
                         mesh->soup->vertices[t[2]]);
    } else if (const auto parts = convex_parts(shape)) {
        for (const ConvexPart& part : *parts)
            for (const PlaneDef& face : part.planes) add_face(out, part, face);
    }
    return out;
}

void add_numbers(std::string& key, std::initializer_list<double> numbers) {
    for (const double x : numbers) key += std::to_string(x) + " ";
}

/// Shapes with the same one look alike; empty: it is not worth comparing.
std::string key_of(const ShapeDef& shape) {
    std::string key = std::to_string(shape.geometry.index()) + ": ";
    add_numbers(key, {shape.rounding});
    if (const auto* s = std::get_if<SphereDef>(&shape.geometry))
        add_numbers(key, {s->radius});
    else if (const auto* b = std::get_if<BoxDef>(&shape.geometry))
        add_numbers(key, {b->size.x, b->size.y, b->size.z});
    else if (const auto* c = std::get_if<CapsuleDef>(&shape.geometry))
        add_numbers(key, {c->radius, c->length});
    else if (const auto* y = std::get_if<CylinderDef>(&shape.geometry))
        add_numbers(key, {y->radius, y->height});
    else if (const auto* k = std::get_if<ConeDef>(&shape.geometry))
        add_numbers(key, {k->radius, k->height});
    else if (const auto* h = std::get_if<HullDef>(&shape.geometry))
        for (const Vec3d& p : h->points) add_numbers(key, {p.x, p.y, p.z});
    else
        return "";
    return key;
}

} // namespace

std::size_t ReplayMovie::geometry_of(const ShapeDef& leaf) {
    ShapeDef alone = leaf;
    alone.position = {};
    alone.orientation = {};
    const std::string key = key_of(alone);
    const auto known = key.empty() ? known_.end() : known_.find(key);
    if (known != known_.end()) return known->second;
    geometries_.push_back(triangles_of(alone));
    if (!key.empty()) known_[key] = geometries_.size() - 1;
    return geometries_.size() - 1;
}

void ReplayMovie::add(BodyId id, const BodyDef& def) {
    Body body{def.name, def.type == BodyType::static_body, {}};
    std::size_t index = 0;
    for (const ShapeDef& shape : def.shapes) {
        for (const ShapeDef& leaf : leaf_shapes(shape)) {
            const std::size_t at = index++;
            // A sensor is drawn only when it has a color.
            if (leaf.sensor && leaf.material.color == 0) continue;
            Part part{geometry_of(leaf),
                      {leaf.position, leaf.orientation},
                      leaf.material.color,
                      at,
                      nullptr};
            const auto* mesh = std::get_if<MeshDef>(&leaf.geometry);
            if (mesh && def.type != BodyType::dynamic_body) part.soup = mesh->soup;
            body.parts.push_back(std::move(part));
        }
    }
    index_of_[id] = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back(std::move(body));
}

void ReplayMovie::add_deformed(const World& world, BodyId id, std::uint32_t body, Frame& frame) {
    const std::vector<Part>& parts = bodies_[body].parts;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].soup) continue;
        const ShapeId shape = world.shapes(id)[parts[i].shape];
        if (!world.is_deformed(shape)) continue;
        std::vector<float> vertices;
        for (const Vec3d& v : world.mesh_vertices(shape))
            for (const double x : {v.x, v.y, v.z}) vertices.push_back(static_cast<float>(x));
        auto& last = last_deformed_[{body, i}];
        if (!last || *last != vertices)
            last = std::make_shared<const std::vector<float>>(std::move(vertices));
        frame.deformed.push_back({body, i, last});
    }
}

std::size_t ReplayMovie::size_of(const Frame& frame) {
    std::size_t numbers = 0;
    for (const Deformed& mesh : frame.deformed) numbers += mesh.vertices->size();
    return frame.placed.size() + numbers / std::tuple_size_v<decltype(Placed::pose)>;
}

void ReplayMovie::add_frame(const World& world) {
    if (world.step_count() % every_ != 0) return;
    Frame& frame = frames_.emplace_back();
    frame.time = world.time();
    for (const BodyId id : world.bodies()) {
        const Posed pose = world.pose(id);
        const auto f = [](double x) { return static_cast<float>(x); };
        frame.placed.push_back({index_of_.at(id),
                                {f(pose.p.x), f(pose.p.y), f(pose.p.z), f(pose.q.w), f(pose.q.x),
                                 f(pose.q.y), f(pose.q.z)}});
        add_deformed(world, id, index_of_.at(id), frame);
    }
    poses_ += size_of(frame);
    if (poses_ <= kMaxMoviePoses || frames_.size() < 3) return;
    std::vector<Frame> kept;
    poses_ = 0;
    for (std::size_t i = 0; i < frames_.size(); i += 2) {
        poses_ += size_of(frames_[i]);
        kept.push_back(std::move(frames_[i]));
    }
    frames_ = std::move(kept);
    every_ *= 2;
}

} // namespace rigor::app
