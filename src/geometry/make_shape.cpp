// Shapes from definitions: all rules that a definition must satisfy, and their error messages.

#include "geometry/decompose.h"
#include "geometry/hull_builder.h"
#include "geometry/hull_cache.h"
#include "geometry/shape.h"
#include "math/number_text.h"

namespace rigor {
namespace {

using Leaf = LeafShape<double>;

// Nested compounds are traversed recursively.
constexpr int kMaxDepth = 64;

// Allowed deviation of a vector from unit length.
constexpr double kUnitTolerance = 1e-3;

Error broken_rule(std::string where, std::string message) {
    return {ErrorCode::invalid_value, std::move(where), std::move(message)};
}

/// Collects the first broken rule.
class Checker {
  public:
    void require(bool good, const char* field, const char* rule, const std::string& found) {
        if (good || error_) return;
        error_ = broken_rule(field, std::string(field) + " must " + rule + ", got " + found);
    }
    void finite(const char* field, double value) {
        require(std::isfinite(value), field, "be finite", text(value));
    }
    void positive(const char* field, double value) {
        finite(field, value);
        require(value > 0, field, "be positive", text(value));
    }
    void not_negative(const char* field, double value) {
        finite(field, value);
        require(value >= 0, field, "not be negative", text(value));
    }
    void at_most(double rounding, double limit, const char* what) {
        if (rounding <= limit || error_) return;
        error_ = broken_rule("rounding", "rounding must be at most " + std::string(what) + ", " +
                                             text(limit) + ", got " + text(rounding));
    }
    bool ok() const { return !error_; }
    const Error& error() const { return *error_; }

  private:
    std::optional<Error> error_;
};

Result<Leaf> build(const SphereDef& def, double rounding) {
    Checker check;
    check.positive("radius", def.radius);
    check.at_most(rounding, def.radius, "the radius");
    if (!check.ok()) return check.error();
    return Leaf(Sphere<double>{def.radius});
}

Result<Leaf> build(const BoxDef& def, double rounding) {
    Checker check;
    check.require(is_finite(def.size), "size", "be finite", text(def.size));
    const double smallest = std::min({def.size.x, def.size.y, def.size.z});
    check.require(smallest > 0, "size", "be positive", text(def.size));
    check.at_most(rounding, smallest / 2, "half of the smallest size");
    if (!check.ok()) return check.error();
    return Leaf(make_box(def.size, rounding));
}

Result<Leaf> build(const CapsuleDef& def, double rounding) {
    Checker check;
    check.positive("radius", def.radius);
    check.not_negative("length", def.length);
    check.at_most(rounding, def.radius, "the radius");
    if (!check.ok()) return check.error();
    return Leaf(Capsule<double>{def.radius, def.length / 2});
}

Result<Leaf> build(const CylinderDef& def, double rounding) {
    Checker check;
    check.positive("radius", def.radius);
    check.positive("height", def.height);
    check.at_most(rounding, std::min(def.radius, def.height / 2), "the radius and half the height");
    if (!check.ok()) return check.error();
    return Leaf(make_cylinder(def.radius, def.height, rounding));
}

Result<Leaf> build(const ConeDef& def, double rounding) {
    Checker check;
    check.positive("radius", def.radius);
    check.positive("height", def.height);
    if (!check.ok()) return check.error();
    const double limit = cone_inradius(def.radius, def.height);
    if (rounding >= limit) {
        return broken_rule("rounding",
                           "rounding must be less than the radius of the largest ball inside the "
                           "cone, " +
                               text_short(limit) + ", got " + text(rounding));
    }
    return Leaf(make_cone(def.radius, def.height, rounding));
}

Result<Leaf> build(const HullDef& def, double rounding) {
    Result<std::shared_ptr<const Hull<double>>> hull = shared_hull(def.points);
    if (!hull) return hull.error();
    if (!(rounding > 0)) return Leaf(std::move(*hull));
    Result<Hull<double>> rounded = round_hull(**hull, rounding);
    if (!rounded) return rounded.error();
    return Leaf(std::make_shared<const Hull<double>>(std::move(*rounded)));
}

Error not_rounded(const char* what, double rounding) {
    return {ErrorCode::unsupported, "rounding",
            std::string(what) + " cannot be rounded, got " + text(rounding)};
}

Result<std::shared_ptr<const TriangleMesh<double>>> build_mesh(const MeshDef& def,
                                                               double rounding) {
    if (rounding > 0) return not_rounded("a mesh", rounding);
    if (!def.soup) return broken_rule("mesh", "a mesh must have vertices and triangles, got none");
    return shared_mesh(def.soup);
}

Result<Leaf> build(const MeshDef& def, double rounding) {
    Result<std::shared_ptr<const TriangleMesh<double>>> mesh = build_mesh(def, rounding);
    if (!mesh) return mesh.error();
    return Leaf(std::move(*mesh));
}

Result<Leaf> build(const HeightFieldDef& def, double rounding) {
    if (rounding > 0) return not_rounded("a height field", rounding);
    Result<HeightField<double>> field = make_height_field(def);
    if (!field) return field.error();
    return Leaf(std::make_shared<const HeightField<double>>(std::move(*field)));
}

Result<Leaf> build(const PlaneDef& def, double rounding) {
    if (rounding > 0) return not_rounded("a plane", rounding);
    Checker check;
    check.require(is_finite(def.normal), "normal", "be finite", text(def.normal));
    check.require(std::abs(length(def.normal) - 1) <= kUnitTolerance, "normal", "be a unit vector",
                  text(def.normal) + " of length " + text_short(length(def.normal)));
    check.finite("offset", def.offset);
    if (!check.ok()) return check.error();
    return Leaf(Plane<double>{normalize(def.normal), def.offset});
}

Result<Leaf> build(const CompoundDef&, double) {
    return broken_rule("shapes", "a compound must be flattened first");
}

// Rules common to all shapes.
Result<Posed> check_common(const ShapeDef& def) {
    Checker check;
    check.require(is_finite(def.position), "position", "be finite", text(def.position));
    const Quatd& q = def.orientation;
    check.require(is_finite(q) && std::abs(length(q) - 1) <= kUnitTolerance, "orientation",
                  "be a unit quaternion", text(q));
    check.not_negative("rounding", def.rounding);
    if (!check.ok()) return check.error();
    return Posed{def.position, normalize(q)};
}

Error at_place(const std::string& prefix, Error error) {
    const char* dot = prefix.empty() || error.where.empty() ? "" : ".";
    error.where = prefix + dot + error.where;
    return error;
}

// The mesh, when it is to be decomposed into convex pieces.
const MeshDef* decomposed(const ShapeDef& def) {
    const auto* mesh = std::get_if<MeshDef>(&def.geometry);
    return mesh && mesh->concavity ? mesh : nullptr;
}

Result<void> collect_pieces(const MeshDef& def, double rounding, const Posed& pose,
                            Compound<double>& out) {
    Result<std::shared_ptr<const TriangleMesh<double>>> mesh = build_mesh(def, rounding);
    if (!mesh) return mesh.error();
    const Result<std::shared_ptr<const ConvexPieces>> pieces =
        shared_pieces(def.soup, *def.concavity);
    if (!pieces) return pieces.error();
    out.meshes.push_back({out.children.size(), (*pieces)->size(), pose, std::move(*mesh)});
    for (const std::shared_ptr<const Hull<double>>& piece : **pieces) {
        out.children.push_back({pose, piece});
    }
    return {};
}

// Appends the leaves below `def`, depth first.
Result<void> collect(const ShapeDef& def, const Posed& parent, const std::string& place, int depth,
                     Compound<double>& out) {
    const Result<Posed> local = check_common(def);
    if (!local) return at_place(place, local.error());
    const Posed pose = depth == 0 ? parent : parent * *local;
    if (const MeshDef* mesh = decomposed(def)) {
        const Result<void> good = collect_pieces(*mesh, def.rounding, pose, out);
        return good ? good : at_place(place, good.error());
    }
    const auto* compound = std::get_if<CompoundDef>(&def.geometry);
    if (!compound) {
        Result<Leaf> leaf =
            std::visit([&](const auto& g) { return build(g, def.rounding); }, def.geometry);
        if (!leaf) return at_place(place, leaf.error());
        out.children.push_back({pose, std::move(*leaf)});
        return {};
    }
    if (def.rounding > 0) return at_place(place, not_rounded("a compound", def.rounding));
    if (compound->shapes.empty()) {
        return at_place(place,
                        broken_rule("shapes", "a compound must hold at least one shape, got none"));
    }
    if (depth == kMaxDepth) {
        return at_place(
            place, {ErrorCode::limit, "shapes",
                    "compounds must be nested at most " + text(std::size_t(kMaxDepth)) + " deep"});
    }
    for (std::size_t i = 0; i < compound->shapes.size(); ++i) {
        std::string inner = place;
        inner.append(place.empty() ? "" : ".").append("shapes[").append(text(i)).append("]");
        if (Result<void> good = collect(compound->shapes[i], pose, inner, depth + 1, out); !good) {
            return good;
        }
    }
    return {};
}

void flatten_into(const ShapeDef& def, const Posed& pose, std::vector<ShapeDef>& out) {
    if (const auto* compound = std::get_if<CompoundDef>(&def.geometry)) {
        for (const ShapeDef& child : compound->shapes) {
            flatten_into(child, pose * Posed{child.position, normalize(child.orientation)}, out);
        }
        return;
    }
    out.push_back(def);
    out.back().position = pose.p;
    out.back().orientation = pose.q;
}

} // namespace

Result<Shape<double>> make_shape(const ShapeDef& def) {
    Compound<double> compound;
    if (Result<void> good = collect(def, Posed{}, "", 0, compound); !good) return good.error();
    if (!std::holds_alternative<CompoundDef>(def.geometry) && !decomposed(def)) {
        return std::visit([](auto& leaf) { return Shape<double>{std::move(leaf)}; },
                          compound.children.front().shape);
    }
    return Shape<double>{std::make_shared<const Compound<double>>(std::move(compound))};
}

std::vector<ShapeDef> flatten(const ShapeDef& def) {
    std::vector<ShapeDef> out;
    flatten_into(def, Posed{def.position, normalize(def.orientation)}, out);
    return out;
}

} // namespace rigor
