#include "geometry/shape.h"

#include "geometry/solid_moments.h"
#include "rigor/export.h"

namespace rigor {
namespace {

template <class S>
const char* name_of(const Sphere<S>&) {
    return "sphere";
}
template <class S>
const char* name_of(const Box<S>&) {
    return "box";
}
template <class S>
const char* name_of(const Capsule<S>&) {
    return "capsule";
}
template <class S>
const char* name_of(const Cylinder<S>&) {
    return "cylinder";
}
template <class S>
const char* name_of(const Cone<S>&) {
    return "cone";
}
template <class S>
const char* name_of(const Plane<S>&) {
    return "plane";
}
template <class S>
const char* name_of(const Hull<S>&) {
    return "hull";
}
template <class S>
const char* name_of(const TriangleMesh<S>&) {
    return "mesh";
}
template <class S>
const char* name_of(const HeightField<S>&) {
    return "height_field";
}
template <class S>
const char* name_of(const Compound<S>&) {
    return "compound";
}

float narrow(double x) {
    return static_cast<float>(x);
}

Sphere<float> in_float(const Sphere<double>& s) {
    return {narrow(s.radius)};
}
Box<float> in_float(const Box<double>& b) {
    return {cast<float>(b.half), narrow(b.rounding)};
}
Capsule<float> in_float(const Capsule<double>& c) {
    return {narrow(c.radius), narrow(c.half_length)};
}
Cylinder<float> in_float(const Cylinder<double>& c) {
    return {narrow(c.radius), narrow(c.half_height), narrow(c.rounding)};
}
Cone<float> in_float(const Cone<double>& c) {
    return {narrow(c.radius), narrow(c.base), narrow(c.apex), narrow(c.rounding)};
}
Plane<float> in_float(const Plane<double>& p) {
    return {normalize(cast<float>(p.normal)), narrow(p.offset)};
}
std::shared_ptr<const Hull<float>> in_float(const std::shared_ptr<const Hull<double>>& hull) {
    return std::make_shared<const Hull<float>>(to_float(*hull));
}
std::shared_ptr<const TriangleMesh<float>> in_float(
    const std::shared_ptr<const TriangleMesh<double>>& mesh) {
    return to_float(*mesh);
}
std::shared_ptr<const HeightField<float>> in_float(
    const std::shared_ptr<const HeightField<double>>& field) {
    return std::make_shared<const HeightField<float>>(to_float(*field));
}
std::shared_ptr<const Compound<float>> in_float(
    const std::shared_ptr<const Compound<double>>& compound) {
    auto out = std::make_shared<Compound<float>>();
    for (const CompoundChild<double>& child : compound->children) {
        out->children.push_back(
            {cast<float>(child.pose),
             std::visit([](const auto& s) -> LeafShape<float> { return in_float(s); },
                        child.shape)});
    }
    return out;
}

template <class T>
void add_list(Hasher& hasher, const std::vector<T>& list) {
    hasher.add(list.size());
    hasher.add_bytes(list.data(), list.size() * sizeof(T));
}

void add_content(Hasher& hasher, const Sphere<double>& s) {
    hasher.add_value(s);
}
void add_content(Hasher& hasher, const Box<double>& b) {
    hasher.add_value(b);
}
void add_content(Hasher& hasher, const Capsule<double>& c) {
    hasher.add_value(c);
}
void add_content(Hasher& hasher, const Cylinder<double>& c) {
    hasher.add_value(c);
}
void add_content(Hasher& hasher, const Cone<double>& c) {
    hasher.add_value(c);
}
void add_content(Hasher& hasher, const Plane<double>& p) {
    hasher.add_value(p);
}
void add_content(Hasher& hasher, const Hull<double>& hull) {
    add_list(hasher, hull.vertices);
    add_list(hasher, hull.half_edges);
    hasher.add_value(hull.rounding);
}
void add_content(Hasher& hasher, const TriangleMesh<double>& mesh) {
    add_list(hasher, mesh.vertices);
    add_list(hasher, mesh.triangles);
}
void add_content(Hasher& hasher, const HeightField<double>& field) {
    hasher.add_value(std::array{field.columns, field.rows});
    hasher.add_value(std::array{field.left, field.front, field.step_x, field.step_y});
    add_list(hasher, field.heights);
}
void add_content(Hasher& hasher, const Compound<double>& compound) {
    hasher.add(compound.children.size());
    for (const CompoundChild<double>& child : compound.children) {
        hasher.add_value(child.pose);
        hasher.add(child.shape.index());
        std::visit([&](const auto& s) { add_content(hasher, solid_of(s)); }, child.shape);
    }
}

} // namespace

template <class S>
const char* name(const Shape<S>& shape) {
    return visit_solid(shape, [](const auto& solid) { return name_of(solid); });
}

template <class S>
bool is_convex(const Shape<S>& shape) {
    return visit_solid(shape, []<class T>([[maybe_unused]] const T& solid) {
        if constexpr (std::same_as<T, TriangleMesh<S>>) {
            return solid.hull != nullptr;
        } else {
            return RoundedConvex<T, S> || std::same_as<T, Plane<S>>;
        }
    });
}

template <class S>
Vec3<S> support(const Shape<S>& shape, const Vec3<S>& direction) {
    return visit_solid(shape, [&](const auto& solid) { return support(solid, direction); });
}

template <class S>
Aabb<S> bounds(const Shape<S>& shape, const Pose<S>& pose) {
    return visit_solid(shape, [&](const auto& solid) { return bounds(solid, pose); });
}

template <class S>
S bounding_radius(const Shape<S>& shape, const Vec3<S>& center) {
    return visit_solid(shape, [&](const auto& solid) { return bounding_radius(solid, center); });
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Shape<S>& shape, const Ray<S>& ray) {
    return visit_solid(shape, [&](const auto& solid) { return cast_ray(solid, ray); });
}

template <class S>
SurfacePoint<S> closest_point(const Shape<S>& shape, const Vec3<S>& point) {
    return visit_solid(shape, [&](const auto& solid) { return closest_point(solid, point); });
}

template <class S>
Vec3<S> core_support(const Shape<S>& shape, const Vec3<S>& direction) {
    return visit_solid(shape, [&]<class T>(const T& solid) {
        if constexpr (RoundedConvex<T, S>) {
            return core_support(solid, direction);
        } else {
            return support(solid, direction);
        }
    });
}

template <class S>
S radius_of(const Shape<S>& shape) {
    return visit_solid(shape, []<class T>([[maybe_unused]] const T& solid) {
        if constexpr (RoundedConvex<T, S>) {
            return radius_of(solid);
        } else {
            return S(0);
        }
    });
}

#define RIGOR_INSTANTIATE(S)                                                    \
    template const char* name(const Shape<S>&);                                 \
    template bool is_convex(const Shape<S>&);                                   \
    template Vec3<S> support(const Shape<S>&, const Vec3<S>&);                  \
    template RIGOR_API Aabb<S> bounds(const Shape<S>&, const Pose<S>&);         \
    template S bounding_radius(const Shape<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const Shape<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const Shape<S>&, const Vec3<S>&);    \
    template Vec3<S> core_support(const Shape<S>&, const Vec3<S>&);             \
    template S radius_of(const Shape<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

Shape<double> collision_shape(const Shape<double>& shape) {
    const auto* mesh = std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&shape.solid);
    return mesh && (*mesh)->hull ? Shape<double>{(*mesh)->hull} : shape;
}

Shape<float> to_float(const Shape<double>& shape) {
    return std::visit([](const auto& held) { return Shape<float>{in_float(held)}; }, shape.solid);
}

void add_to_hash(Hasher& hasher, const Shape<double>& shape) {
    hasher.add(shape.solid.index());
    visit_solid(shape, [&](const auto& solid) { add_content(hasher, solid); });
}

} // namespace rigor
