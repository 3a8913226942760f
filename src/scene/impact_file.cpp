#include "scene/impact_file.h"

#include <cmath>

#include "math/eigen3.h"
#include "math/number_text.h"
#include "math/tolerances.h"
#include "scene/reader.h"
#include "scene/scene_files.h"

namespace rigor {
namespace {

/// Positive definite, and so far from singular that its inverse has digits. That a moment exceeds
/// the sum of the other two, which is true of no solid, does not matter to an impact.
Sym3d read_inertia(const Field& field) {
    const auto m = field.numbers<9>();
    if (field.failed()) return Sym3d::identity();
    const Mat3d rows = Mat3d::from_rows({m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]});
    const Sym3d inertia = Sym3d::from(rows);
    const double size = std::abs(inertia.xx) + std::abs(inertia.yy) + std::abs(inertia.zz);
    for (auto [i, j] : {std::pair{1u, 3u}, {2u, 6u}, {5u, 7u}}) {
        if (std::abs(m[i] - m[j]) <= 1e-9 * size) continue;
        field.fail("must be symmetric, got " + text(m[i]) + " above the diagonal and " +
                   text(m[j]) + " below");
        return Sym3d::identity();
    }
    const Vec3d moments = eigen(inertia).values;
    if (!(moments.x > 1e-12 * moments.z)) {
        field.fail("must have positive principal moments, got " + text(moments.x) + ", " +
                   text(moments.y) + " and " + text(moments.z));
        return Sym3d::identity();
    }
    return inertia;
}

ImpactBody read_body(const Field& field) {
    ObjectReader o(field, "impact body");
    ImpactBody body;
    body.inverse_mass = 1 / o.required("mass").positive();
    body.inverse_inertia = inverse(read_inertia(o.required("inertia")));
    body.r = o.required("r").vec3();
    body.velocity = o.optional("velocity").vec3();
    body.angular_velocity = o.optional("angular_velocity").vec3();
    return body;
}

Vec3d read_normal(const Field& field) {
    const Vec3d normal = field.vec3({0, 0, 1});
    if (std::abs(length(normal) - 1) <= kUnitTolerance<double>) return normalize(normal);
    field.fail("must have the length 1, got " + text(length(normal)));
    return {0, 0, 1};
}

BodyImpact read_impact(const Field& field) {
    ObjectReader o(field, "impact");
    BodyImpact impact;
    impact.restitution = o.required("restitution").within(0, 1, 0);
    impact.friction = o.required("friction").non_negative();
    impact.normal = read_normal(o.required("normal"));
    impact.a = read_body(o.required("a"));
    const Field b = o.optional("b");
    if (b.given() && !b.is(JsonKind::null)) impact.b = read_body(b);
    o.optional("expect");
    return impact;
}

} // namespace

Result<std::vector<BodyImpact>> parse_impacts(std::string text, const std::string& name) {
    const Result<JsonDocument> document = parse_json(std::move(text), name);
    if (!document) return document.error();
    ReadContext context{*document};
    context.whole = "the file of impacts";
    std::vector<BodyImpact> impacts;
    for (const Field& item : Field(context, JsonDocument::kRoot).items()) {
        impacts.push_back(read_impact(item));
        if (context.failed()) break;
    }
    if (context.failed()) return *context.error;
    return impacts;
}

Result<std::vector<BodyImpact>> load_impacts(const std::filesystem::path& path) {
    Result<std::string> text = read_file(path, kMaxJsonBytes);
    if (!text) return Error{text.error().code, path.string(), text.error().message};
    return parse_impacts(std::move(*text), path.string());
}

} // namespace rigor
