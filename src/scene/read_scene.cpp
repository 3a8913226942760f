// A whole scene file: the sections in their order, and the files it includes.
#include <algorithm>

#include "scene/read_scene.h"
#include "scene/scene_draft.h"
#include "scene/scene_files.h"
#include "scene/useless_keys.h"

namespace rigor {

namespace fs = std::filesystem;

namespace {

std::vector<std::string_view> method_words() {
    return {scene_methods().begin(), scene_methods().end()};
}

// What only the scene itself decides; an included file may say it, to be runnable alone.
void read_head(ObjectReader& o, Scene& scene) {
    o.optional("$schema").text(); // for editors
    const Field version = o.required("rigor", ": 1, the version of the scene format");
    if (version.number(1) != 1) version.fail_got("must be 1, the version of the scene format");
    scene.name = o.optional("name").text();
    scene.about = o.optional("about").text();
    scene.gravity = o.optional("gravity").vec3(scene.gravity);
    scene.method = scene_methods()[o.optional("method").one_of(method_words(), 0)];
    scene.time_step = o.optional("time_step").positive(scene.time_step);
    read_settings(o.optional("settings"), scene.settings);
    scene.wind = read_wind(o.optional("wind"));
    scene.periodic = read_periodic(o.optional("periodic"));
    scene.camera = read_camera(o.optional("camera"));
}

void include_file(const Field& item, const Field& file, FileScope& scope, const std::string& prefix,
                  const Posed& pose) {
    SceneDraft& draft = scope.draft;
    const std::string name = file.name();
    const Result<fs::path> path = find_file(scope, name);
    if (!path) return file.fail(path.error().message);
    if (std::find(draft.open_files.begin(), draft.open_files.end(), *path) !=
        draft.open_files.end())
        return file.fail("includes \"" + name + "\", which is being read already: a cycle");
    if (draft.open_files.size() > static_cast<std::size_t>(kMaxIncludeDepth))
        return file.fail("is nested deeper than " + std::to_string(kMaxIncludeDepth) + " includes",
                         ErrorCode::limit);
    if (++draft.includes > kMaxIncludes)
        return file.fail("is more than the " + std::to_string(kMaxIncludes) + " includes allowed",
                         ErrorCode::limit);
    Result<std::string> text = read_file(*path, kMaxJsonBytes);
    if (!text)
        return file.fail("names \"" + name + "\": " + text.error().message, text.error().code);
    const Result<JsonDocument> document =
        parse_json(std::move(*text), (fs::path(scope.name).parent_path() / name).string());
    if (!document) return item.fail_with(document.error());

    ReadContext context{*document, draft.record};
    FileScope inner{draft, (fs::path(scope.name).parent_path() / name).string(),
                    path->parent_path(), scope.prefix + prefix, scope.pose * pose};
    draft.open_files.push_back(*path);
    read_file_sections(Field(context, JsonDocument::kRoot), inner, true);
    draft.open_files.pop_back();
    if (context.error) item.fail_with(*context.error);
}

} // namespace

Result<fs::path> find_file(FileScope& scope, const std::string& name) {
    Result<fs::path> path = resolve_in_folder(scope.folder, name);
    std::vector<fs::path>& files = scope.draft.scene.files;
    if (path && std::find(files.begin(), files.end(), *path) == files.end()) files.push_back(*path);
    return path;
}

void read_includes(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const Field& item : field.items()) {
        ObjectReader o(item, "include");
        const Field file = o.required("file");
        const std::string prefix = o.optional("prefix").text();
        Posed pose;
        pose.p = o.optional("position").vec3();
        pose.q = o.optional("orientation").orientation();
        o.done();
        if (o.failed()) return;
        include_file(item, file, scope, prefix, pose);
    }
}

void read_file_sections(const Field& root, FileScope& scope, bool is_included) {
    ObjectReader o(root, "scene");
    Scene ignored;
    read_head(o, is_included ? ignored : scope.draft.scene);
    // Asked for before they are read: a misspelled section is a better explanation than the
    // first name that is missing for it.
    const Field materials = o.optional("materials"), pairs = o.optional("pairs");
    const Field bodies = o.optional("bodies"), patterns = o.optional("generate");
    const Field includes = o.optional("include"), joints = o.optional("joints");
    const Field forces = o.optional("forces"), duel = o.optional("duel");
    const Field controls = o.optional("controls");
    o.done();
    read_materials(materials, scope);
    read_pairs(pairs, scope);
    read_bodies(bodies, scope);
    read_patterns(patterns, scope);
    read_includes(includes, scope);
    read_joints(joints, scope);
    read_forces(forces, scope);
    read_duel(duel, scope);
    if (!root.failed()) warn_of_useless_keys(root, scope.draft.scene);
    if (!root.failed()) read_controls(controls, root, is_included ? ignored : scope.draft.scene);
}

namespace {

/// `again` is the text once more, for the trial of the controls; empty: they are not tried.
Result<Scene> read_scene_once(std::string text, const std::string& again, const std::string& name,
                              const fs::path& folder, const LoadOptions& options,
                              KeyRecord* record) {
    Result<JsonDocument> document = parse_json(std::move(text), name);
    if (!document) return document.error();
    for (const auto& [path, value, origin] : options.overrides)
        if (const Result<void> set = override_value(*document, path, value, origin); !set)
            return set.error();
    SceneDraft draft;
    draft.record = record;
    std::error_code failed;
    draft.open_files.push_back(fs::weakly_canonical(folder / fs::path(name).filename(), failed));
    FileScope scope{draft, name, folder, {}, {}};
    ReadContext context{*document, record};
    const Field root(context, JsonDocument::kRoot);
    read_file_sections(root, scope, false);
    if (!context.error && !again.empty() && !draft.scene.controls.empty())
        try_controls(root, draft.scene.controls, [&](const std::vector<SceneOverride>& more) {
            LoadOptions tried = options;
            tried.overrides.insert(tried.overrides.end(), more.begin(), more.end());
            return read_scene_once(again, "", name, folder, tried, nullptr);
        });
    if (context.error) return *context.error;
    if (draft.scene.name.empty()) draft.scene.name = fs::path(name).stem().string();
    if (draft.scene.bodies.empty()) draft.scene.warnings.push_back("the scene has no bodies");
    return std::move(draft.scene);
}

} // namespace

Result<Scene> read_scene(std::string text, const std::string& name, const fs::path& folder,
                         const LoadOptions& options, KeyRecord* record) {
    const bool has_controls = text.find("\"controls\"") != std::string::npos;
    const std::string again = has_controls ? text : std::string(); // texts may be large
    return read_scene_once(std::move(text), again, name, folder, options, record);
}

const std::vector<std::string>& scene_methods() {
    static const std::vector<std::string> kMethods = {"fast",        "faithful",  "baber2006",
                                                      "kavan2003",   "baber2011", "kenwright",
                                                      "galoppo2007", "penalty",   "free"};
    return kMethods;
}

Result<Scene> parse_scene(std::string text, const std::string& name, const fs::path& folder,
                          const LoadOptions& options) {
    return read_scene(std::move(text), name, folder, options, nullptr);
}

Result<Scene> load_scene(const fs::path& path, const LoadOptions& options) {
    Result<std::string> text = read_file(path, kMaxJsonBytes);
    if (!text) return Error{text.error().code, path.string(), text.error().message};
    std::error_code failed;
    const fs::path folder = fs::absolute(path, failed).parent_path();
    return parse_scene(std::move(*text), path.string(), folder, options);
}

} // namespace rigor
