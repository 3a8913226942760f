// Shapes of a scene file.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "math/number_text.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "scene/decomposition_cache.h"
#include "scene/derived_mesh.h"
#include "scene/scene_draft.h"
#include "scene/scene_files.h"
#include "scene/suggestion.h"

namespace rigor {

namespace {

const std::vector<std::string_view> kShapeTypes = {
    "sphere", "box",          "capsule", "cylinder", "cone",      "hull",
    "mesh",   "height_field", "plane",   "compound", "decomposed"};

constexpr std::size_t kMaxTextBytes = std::size_t(256) << 20;

std::vector<Vec3d> read_points(const Field& field) {
    std::vector<Vec3d> points;
    for (const Field& item : field.items()) points.push_back(item.vec3());
    return points;
}

// Triangles are [i, j, k], each an index into the vertices.
std::shared_ptr<const TriangleSoup> read_soup(const Field& vertices, const Field& triangles) {
    auto soup = std::make_shared<TriangleSoup>();
    soup->vertices = read_points(vertices);
    const auto last = static_cast<std::int64_t>(soup->vertices.size()) - 1;
    for (const Field& item : triangles.items()) {
        std::array<std::uint32_t, 3> triangle{};
        const std::vector<Field> corners = item.items(3, 3);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const double corner = corners[i].number();
            if (corner < 0 || corner > static_cast<double>(last) || corner != std::floor(corner))
                corners[i].fail_got("must be the index of one of the " +
                                    std::to_string(soup->vertices.size()) + " vertices");
            else
                triangle[i] = static_cast<std::uint32_t>(corner);
        }
        soup->triangles.push_back(triangle);
    }
    return soup;
}

// A static surface may well be open.
bool is_worth_a_warning(const std::string& warning, BodyType body_type) {
    return body_type == BodyType::dynamic_body || !warning.ends_with("the mesh is not closed");
}

void check_soup(const Field& field, const std::shared_ptr<const TriangleSoup>& soup,
                BodyType body_type, FileScope& scope) {
    if (field.failed()) return;
    const bool is_new = scope.draft.reported_meshes.insert(soup).second;
    if (!is_new && body_type != BodyType::dynamic_body) return;
    const Result<MeshReport> report = check_mesh(*soup);
    if (!report) return field.fail_below(report.error());
    if (!report->closed && body_type == BodyType::dynamic_body)
        return field.fail("is a mesh of a dynamic body and must be closed, got one with " +
                          std::to_string(report->open_edges) +
                          " open edges; \"thickness\" makes a sheet solid");
    if (!is_new) return;
    for (const std::string& warning : report->warnings)
        if (is_worth_a_warning(warning, body_type))
            scope.draft.scene.warnings.push_back(field.path() + ": " + warning);
}

void prepare_decomposed(const Field& field, const Field& file, const Vec3d& scale,
                        const MeshDef& def, FileScope& scope) {
    if (field.failed()) return;
    Result<std::filesystem::path> path = find_file(scope, file.name());
    if (!path) return file.fail(path.error().message);
    if (scale != Vec3d{1, 1, 1}) // pieces of their own
        *path += "." + text(scale.x) + "x" + text(scale.y) + "x" + text(scale.z);
    const Result<std::string> warning = prepare_pieces(*path, def.soup, *def.concavity);
    if (!warning) return field.fail_below(warning.error());
    if (!warning->empty()) scope.draft.scene.warnings.push_back(field.path() + ": " + *warning);
}

/// Rows of numbers, separated by spaces or commas, one row to a line.
struct HeightRows {
    std::vector<double> heights;
    std::size_t columns = 0, rows = 0;
};

void add_row(HeightRows& grid, std::size_t columns, const Field& field) {
    if (grid.rows > 0 && columns != grid.columns)
        field.fail("must have rows of equal length, got " + std::to_string(grid.columns) + " and " +
                   std::to_string(columns));
    grid.columns = columns;
    ++grid.rows;
}

HeightRows parse_heights(std::string_view text, const Field& field) {
    HeightRows grid;
    while (!text.empty() && !field.failed()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        std::size_t columns = 0;
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(" \t\r,;"), line.size()));
            if (line.empty()) break;
            double value = 0;
            const auto parsed = std::from_chars(line.data(), line.data() + line.size(), value);
            if (parsed.ec != std::errc() || !std::isfinite(value)) {
                field.fail("must hold finite numbers only, found \"" +
                           std::string(line.substr(0, std::min<std::size_t>(20, line.size()))) +
                           "\" in row " + std::to_string(grid.rows));
                return grid;
            }
            line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
            grid.heights.push_back(value);
            ++columns;
        }
        if (columns > 0) add_row(grid, columns, field);
    }
    return grid;
}

HeightRows read_heights(const Field& samples, const Field& file, FileScope& scope) {
    HeightRows grid;
    if (file.given()) {
        const auto path = find_file(scope, file.name());
        if (!path) return file.fail(path.error().message), grid;
        const auto text = read_file(*path, kMaxTextBytes);
        if (!text) return file.fail(text.error().message, text.error().code), grid;
        return parse_heights(*text, file);
    }
    for (const Field& row : samples.items()) {
        const std::vector<Field> values = row.items();
        for (const Field& value : values) grid.heights.push_back(value.number());
        add_row(grid, values.size(), row);
    }
    return grid;
}

/// Reads the fields of one type of shape.
class GeometryReader {
  public:
    GeometryReader(ObjectReader& o, FileScope& scope, BodyType body_type, ShapeDef& def)
        : o_(o),
          scope_(scope),
          body_type_(body_type),
          def_(def),
          rounding_(o.optional("rounding")) {
        def.rounding = rounding_.non_negative();
    }

    ShapeGeometry read(std::size_t type) {
        switch (type) {
            case 0:
                return sphere();
            case 1:
                return box();
            case 2:
                return capsule();
            case 3:
                return cylinder();
            case 4:
                return cone();
            case 5:
                return hull();
            case 6:
                return mesh();
            case 7:
                return height_field();
            case 8:
                return plane();
            case 9:
                return compound();
            default:
                return decomposed();
        }
    }

  private:
    SphereDef sphere() { return {o_.required("radius").positive()}; }

    BoxDef box() { return {o_.required("size").positive_vec3()}; }

    CapsuleDef capsule() {
        return {o_.required("radius").positive(), o_.required("length").non_negative()};
    }

    CylinderDef cylinder() {
        return {o_.required("radius").positive(), o_.required("height").positive()};
    }

    ConeDef cone() { return {o_.required("radius").positive(), o_.required("height").positive()}; }

    HullDef hull() {
        const Field points = o_.optional("points"), file = o_.optional("file");
        o_.exactly_one({"points", "file"});
        const Vec3d scale = read_scale(o_.optional("scale"));
        HullDef def;
        if (const auto soup = find_mesh(file, scope_)) def.points = soup->vertices;
        if (points.given()) def.points = read_points(points);
        for (Vec3d& p : def.points) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
        return def;
    }

    MeshDef mesh() {
        refuse_rounding("mesh");
        const Field vertices = o_.optional("vertices"), triangles = o_.optional("triangles");
        const Field file = o_.optional("file");
        o_.exactly_one({"file", "vertices"});
        if (vertices.given()) o_.need("triangles");
        if (file.given()) o_.at_most_one({"file", "triangles"});
        const Vec3d scale = read_scale(o_.optional("scale"));
        const Field thickness = o_.optional("thickness"), one_sided = o_.optional("one_sided");
        MeshDef def{file.given() ? find_mesh(file, scope_) : read_soup(vertices, triangles)};
        if (!o_.failed()) {
            def.soup = scaled_mesh(def.soup, scale, scope_.draft);
            def.soup = thickened_mesh(def.soup, thickness, scope_.draft);
        }
        if (!def.soup) def.soup = std::make_shared<TriangleSoup>();
        if (file.given() || (vertices.given() && triangles.given()))
            check_soup(o_.field(), def.soup, body_type_, scope_);
        def.one_sided = one_sided.boolean(false);
        if (def.one_sided && thickness.given())
            one_sided.fail("cannot be given beside thickness, which makes a solid of the mesh");
        return def;
    }

    MeshDef decomposed() {
        refuse_rounding("decomposed mesh");
        const Field file = o_.required("file");
        const Vec3d scale = read_scale(o_.optional("scale"));
        MeshDef def{scaled_mesh(find_mesh(file, scope_), scale, scope_.draft)};
        def.concavity = o_.optional("concavity").within(0, 1, 0.05);
        if (!def.soup) def.soup = std::make_shared<TriangleSoup>();
        if (file.given()) check_soup(o_.field(), def.soup, body_type_, scope_);
        if (file.given()) prepare_decomposed(o_.field(), file, scale, def, scope_);
        return def;
    }

    HeightFieldDef height_field() {
        refuse_rounding("height field");
        const Field size = o_.required("size");
        const Field samples = o_.optional("samples"), file = o_.optional("file");
        o_.exactly_one({"samples", "file"});
        HeightFieldDef def;
        if (const std::vector<Field> extent = size.items(2, 2); extent.size() == 2)
            def.size_x = extent[0].positive(), def.size_y = extent[1].positive();
        HeightRows grid = read_heights(samples, file, scope_);
        const Field& given = file.given() ? file : samples;
        if (given.given() && (grid.rows < 2 || grid.columns < 2))
            given.fail("must have at least 2 x 2 heights, got " + std::to_string(grid.rows) +
                       " x " + std::to_string(grid.columns));
        def.columns = static_cast<int>(grid.columns), def.rows = static_cast<int>(grid.rows);
        def.heights = std::move(grid.heights);
        return def;
    }

    PlaneDef plane() {
        refuse_rounding("plane");
        return {o_.required("normal").direction(), o_.optional("offset").number()};
    }

    CompoundDef compound() {
        refuse_rounding("compound");
        CompoundDef def;
        for (const Field& item : o_.required("shapes").items(1))
            def.shapes.push_back(read_shape(item, scope_, body_type_, &def_));
        return def;
    }

    void refuse_rounding(std::string_view what) const {
        if (rounding_.given()) rounding_.fail("cannot be given for a " + std::string(what));
    }

    ObjectReader& o_;
    FileScope& scope_;
    BodyType body_type_;
    ShapeDef& def_;
    Field rounding_;
};

// `material` by name or as an object, or its fields inline, or what the compound around it is made
// of.
Material read_shape_material(ObjectReader& o, FileScope& scope, const ShapeDef* compound) {
    const Field name = o.optional("material");
    const Material inline_material =
        read_material_fields(o, compound ? compound->material : Material{});
    for (const std::string_view key :
         {"friction", "static_friction", "kinetic_friction", "restitution", "density",
          "rolling_resistance", "torsional_friction", "patch_radius", "surface_velocity",
          "anisotropy"})
        if (name.given()) o.at_most_one({"material", key});
    if (!name.given()) return inline_material;
    if (name.is(JsonKind::object)) {
        ObjectReader object(name, "material");
        return read_material_fields(object, {});
    }
    const auto found = scope.materials.find(name.text());
    if (found == scope.materials.end()) {
        std::vector<std::string_view> known;
        for (const auto& [text, id] : scope.materials) known.push_back(text);
        std::sort(known.begin(), known.end()); // a hash map has no order of its own
        name.fail(
            "names an unknown material \"" + name.text() + "\"" + did_you_mean(name.text(), known),
            ErrorCode::not_found);
        return {};
    }
    return scope.draft.scene.materials[static_cast<std::size_t>(found->second)].material;
}

/// Spheres and capsules are round all over; what is always static has no mass.
void warn_of_useless_keys(ObjectReader& o, std::string_view type, Scene& scene) {
    const auto warn = [&](const std::string& key) {
        scene.warnings.push_back(o.field().path() + ": " + key + " does not apply to a " +
                                 std::string(type));
    };
    const bool is_round = type == "sphere" || type == "capsule";
    if (is_round && o.optional("rounding").non_negative() > 0) warn("rounding");
    if (type != "plane" && type != "height_field") return;
    if (o.optional("hollow").boolean(false)) warn("hollow");
    if (o.optional("density").given()) warn("density");
}

} // namespace

ShapeDef read_shape(const Field& field, FileScope& scope, BodyType body_type,
                    const ShapeDef* compound) {
    ShapeDef def;
    ObjectReader o(field, "shape");
    const Field type = o.required("type");
    const std::size_t index = type.one_of(kShapeTypes, 0);
    o.set_kind("shape " + std::string(kShapeTypes[index]));
    def.position = o.optional("position").vec3();
    def.orientation = o.optional("orientation").orientation();
    def.hollow = o.optional("hollow").boolean(compound && compound->hollow);
    def.sensor = o.optional("sensor").boolean(compound && compound->sensor);
    def.material = read_shape_material(o, scope, compound);
    if (const Field color = o.optional("color"); color.given()) def.material.color = color.color();
    if (type.given() && !o.failed())
        def.geometry = GeometryReader(o, scope, body_type, def).read(index);
    if (!o.failed()) warn_of_useless_keys(o, kShapeTypes[index], scope.draft.scene);
    return def;
}

std::shared_ptr<const TriangleSoup> find_mesh(const Field& field, FileScope& scope) {
    if (!field.given() || field.failed()) return nullptr;
    const std::string name = field.name();
    const Result<std::filesystem::path> path = find_file(scope, name);
    if (!path) return field.fail(path.error().message), nullptr;
    auto& known = scope.draft.meshes[*path];
    if (known) return known;
    std::error_code failed;
    if (!std::filesystem::exists(*path, failed))
        return field.fail("names a file that is not there: \"" + name + "\"", ErrorCode::not_found),
               nullptr;
    if (std::filesystem::is_directory(*path, failed))
        return field.fail("must name a file, but \"" + name + "\" is a directory", ErrorCode::io),
               nullptr;
    Result<TriangleSoup> soup = load_mesh(path->string());
    if (!soup)
        return field.fail("names a bad mesh file: " + to_string(soup.error()), soup.error().code),
               nullptr;
    known = std::make_shared<const TriangleSoup>(std::move(*soup));
    return known;
}

} // namespace rigor
