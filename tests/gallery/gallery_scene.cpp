#include "gallery/gallery_scene.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rigor::test {
namespace {

Simulation simulation_of(const std::string& name, const std::vector<SceneOverride>& changes) {
    Result<Scene> scene = load_scene(gallery_folder() / (name + ".json"), {changes});
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    Result<Simulation> made = Simulation::make(std::move(*scene));
    if (!made) throw std::runtime_error(to_string(made.error()));
    return std::move(*made);
}

} // namespace

std::filesystem::path gallery_folder() {
    return std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes";
}

GalleryScene::GalleryScene(const std::string& name, const std::vector<SceneOverride>& changes)
    : simulation_(simulation_of(name, changes)) {
    const std::vector<SceneBody>& bodies = simulation_.scene().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyId id = simulation_.body(i);
        ids_[bodies[i].def.name] = id;
        if (bodies[i].def.type == BodyType::dynamic_body)
            start_[bodies[i].def.name] = simulation_.world().state(id);
    }
}

void GalleryScene::run(double seconds, double dt) {
    if (dt == 0) dt = simulation_.scene().time_step;
    const auto steps = std::lround(seconds / dt);
    for (long i = 0; i < steps; ++i) {
        const StepReport report = simulation_.step(dt);
        ASSERT_TRUE(report.finished) << "step " << report.step << " ran out of its budget";
        ASSERT_TRUE(report.quarantined.empty()) << "step " << report.step;
        impacts_ += report.impact_count;
        fixed_steps_ += report.fixed_steps;
        contacts_ = report.contacts;
    }
}

BodyId GalleryScene::id(const std::string& body) const {
    const auto found = ids_.find(body);
    if (found == ids_.end()) throw std::runtime_error("the scene has no body " + body);
    return found->second;
}

JointId GalleryScene::joint(const std::string& name) const {
    const std::vector<SceneJoint>& joints = simulation_.scene().joints;
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (joints[i].def.name == name) return simulation_.joint(i);
    throw std::runtime_error("the scene has no joint " + name);
}

BodyState GalleryScene::state(const std::string& body) const {
    return simulation_.world().state(id(body));
}

double GalleryScene::moved(const std::string& body) const {
    return length(place(body) - start_.at(body).position);
}

Vec3d GalleryScene::axis(const std::string& body, const Vec3d& own) const {
    return rotate(state(body).orientation, own);
}

double GalleryScene::turned(const std::string& body, const Vec3d& own) const {
    const double cosine = dot(axis(body, own), rotate(start_.at(body).orientation, own));
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * (180 / 3.14159265358979323846);
}

std::vector<std::string> GalleryScene::dynamic(const std::string& prefix) const {
    std::vector<std::string> names;
    for (const auto& [name, state] : start_)
        if (name.rfind(prefix, 0) == 0) names.push_back(name);
    return names;
}

double GalleryScene::drift(const std::string& prefix) const {
    double most = 0;
    for (const std::string& name : dynamic(prefix)) most = std::max(most, moved(name));
    return most;
}

double GalleryScene::fastest(const std::string& prefix) const {
    double most = 0;
    for (const std::string& name : dynamic(prefix)) most = std::max(most, speed(name));
    return most;
}

double GalleryScene::penetration() const {
    const std::vector<double> depths = simulation_.world().penetrations();
    return depths.empty() ? 0 : depths.back();
}

void expect_to_stand(const std::string& scene, double seconds, double max_drift, double dt) {
    GalleryScene show(scene);
    show.run(seconds, dt);
    EXPECT_LT(show.drift(), max_drift) << scene;
}

} // namespace rigor::test
