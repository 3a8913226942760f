// A scene of the gallery: loaded, run, and queried by the names of its bodies.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {

/// How a body stands at the start or now.
using States = std::map<std::string, BodyState>;

class GalleryScene {
  public:
    /// Of scenes/NAME.json, with some of its values changed.
    explicit GalleryScene(const std::string& name, const std::vector<SceneOverride>& changes = {});

    /// For so many seconds, in steps of the scene or of `dt`. A step that is not finished or a body
    /// in quarantine fails the test.
    void run(double seconds, double dt = 0);

    World& world() { return simulation_.world(); }
    Simulation& simulation() { return simulation_; }
    const States& start() const { return start_; }

    BodyId id(const std::string& body) const;
    JointId joint(const std::string& name) const;
    BodyState state(const std::string& body) const;
    Vec3d place(const std::string& body) const { return state(body).position; }
    double speed(const std::string& body) const { return length(state(body).velocity); }
    /// How far it is from where it began.
    double moved(const std::string& body) const;
    /// A direction of the body, in the world.
    Vec3d axis(const std::string& body, const Vec3d& own = {0, 0, 1}) const;
    /// By how many degrees a direction of it, vertical or not at the start, has turned since.
    double turned(const std::string& body, const Vec3d& own = {0, 0, 1}) const;

    /// All dynamic bodies whose names begin so.
    std::vector<std::string> dynamic(const std::string& prefix = "") const;
    /// The farthest and the fastest of them.
    double drift(const std::string& prefix = "") const;
    double fastest(const std::string& prefix = "") const;
    /// The deepest overlap of shapes now, m.
    double penetration() const;
    /// Impacts counted since the start, and parts of steps that were not followed by events.
    int impacts() const { return impacts_; }
    int fixed_steps() const { return fixed_steps_; }
    int contacts() const { return contacts_; } ///< at the last step

  private:
    Simulation simulation_;
    std::map<std::string, BodyId> ids_;
    States start_;
    int impacts_ = 0, fixed_steps_ = 0, contacts_ = 0;
};

/// Runs a scene and expects that no dynamic body is farther than `max_drift` from its start.
void expect_to_stand(const std::string& scene, double seconds, double max_drift, double dt = 0);

/// Where the scenes are.
std::filesystem::path gallery_folder();

} // namespace rigor::test
