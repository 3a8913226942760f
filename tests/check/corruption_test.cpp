// One number of a certificate changed by 1e-6 of itself: rigor-check names the law that it breaks.

#include <nlohmann/json.hpp>

#include "run_checker.h"

namespace rigor::app {
namespace {

using Json = nlohmann::ordered_json;

struct Corruption {
    std::string name;
    std::string scene;
    std::string record; ///< kind of the record, the `nth` of the file; empty: the header
    int nth;
    std::string pointer; ///< of the number in the record
    std::string law;     ///< one that must fail
};

/// Changes a number by 1e-6 of itself.
void corrupt(std::vector<std::string>& lines, const Corruption& c) {
    int found = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool is_header = c.record.empty();
        if (is_header ? i > 0 : lines[i].rfind("{\"is\":\"" + c.record + "\"", 0) != 0) continue;
        if (found++ < c.nth) continue;
        Json json = Json::parse(lines[i]);
        Json& number = json.at(Json::json_pointer(c.pointer));
        ASSERT_NE(number.get<double>(), 0) << c.pointer;
        number = number.get<double>() * (1 + 1e-6);
        lines[i] = json.dump();
        return;
    }
    FAIL() << "no record " << c.record;
}

class Corrupted : public testing::TestWithParam<Corruption> {};

double time_of(const std::string& scene) {
    return scene == "spinning_top" || scene == "double_pendulum" ? 0.1 : 1;
}

TEST_P(Corrupted, NamesTheLaw) {
    const Corruption& c = GetParam();
    const Result<std::string> file = certify(c.scene, time_of(c.scene));
    ASSERT_TRUE(file) << file.error().message;
    std::vector<std::string> lines = lines_of(*file);
    corrupt(lines, c);
    expect_rejected(lines, "corrupted_" + c.name, c.law);
}

INSTANTIATE_TEST_SUITE_P(
    OneInAMillion, Corrupted,
    testing::Values(
        Corruption{"gravity", "bouncing_balls", "", 0, "/gravity/2", "momentum"},
        Corruption{"mass", "bouncing_balls", "", 0, "/bodies/2/mass", "kinematics"},
        Corruption{"inertia", "spinning_top", "", 0, "/bodies/1/inertia/2", "kinematics"},
        Corruption{"friction_of_a_material", "rolling_race", "", 0, "/bodies/1/shapes/0/friction/1",
                   "material"},
        Corruption{"restitution_of_a_material", "bouncing_balls", "", 0,
                   "/bodies/4/shapes/0/restitution", "material"},
        Corruption{"size_of_a_box", "diamond_2", "", 0, "/bodies/1/shapes/0/size/2", "penetration"},
        Corruption{"radius_of_a_ball", "bouncing_balls", "", 0, "/bodies/2/shapes/0/radius",
                   "contact place"},
        Corruption{"anchor_of_a_joint", "double_pendulum", "", 0, "/joints/0/anchor/2",
                   "joint place"},
        Corruption{"position_in_flight", "bouncing_balls", "flight", 20, "/states/1/2",
                   "kinematics"},
        Corruption{"momentum_in_flight", "bouncing_balls", "flight", 20, "/states/1/9", "momentum"},
        Corruption{"time_of_an_impact", "bouncing_balls", "impact", 3, "/t/0", "coverage"},
        Corruption{"time_of_a_flight", "bouncing_balls", "flight", 20, "/t/1", "momentum"},
        Corruption{"orientation_of_a_top", "spinning_top", "motion", 40, "/states/4/3",
                   "unit vectors"},
        Corruption{"angular_momentum_of_a_top", "spinning_top", "motion", 40, "/states/4/12",
                   "angular momentum"},
        Corruption{"state_inside_a_step", "double_pendulum", "motion", 9, "/states/2/0",
                   "kinematics"},
        Corruption{"contact_point", "rolling_race", "motion", 30, "/contacts/0/at/0/0",
                   "angular momentum"},
        Corruption{"contact_normal", "rolling_race", "motion", 30, "/contacts/0/at/0/5",
                   "unit vectors"},
        Corruption{"contact_force", "rolling_race", "motion", 30, "/contacts/0/at/2/8", "momentum"},
        Corruption{"resting_force", "diamond_2", "rest", 5, "/contacts/2/at/0/8", "statics"},
        Corruption{"impulse", "bouncing_balls", "impact", 3, "/contacts/0/at/0/8",
                   "impact momentum"},
        Corruption{"work_of_compression", "frictional_impact", "impact", 0, "/work/0",
                   "restitution"},
        Corruption{"restitution_of_an_impact", "frictional_impact", "impact", 0,
                   "/contacts/0/restitution", "restitution"},
        Corruption{"friction_of_an_impact", "frictional_impact", "impact", 0,
                   "/contacts/0/friction/1", "material"},
        Corruption{"force_of_a_joint", "double_pendulum", "motion", 9, "/joints/0/at/2/5",
                   "momentum"},
        Corruption{"kinetic_energy", "newtons_cradle", "sums", 20, "/kinetic", "sums"}),
    [](const auto& run) { return run.param.name; });

// A knee comes to the end of its range, and nothing else is hit: the limit is the one contact of
// the impact, and it does not bounce.
TEST(LimitOfAJoint, IsAnImpactOfItsOwn) {
    const std::vector<std::string> good = window("ragdolls", 35, 1);
    EXPECT_FALSE(check_lines(good).fails("restitution"));
    const auto is_limit = [](const std::string& line) {
        return line.rfind("{\"is\":\"impact\"", 0) == 0 &&
               line.find("\"contacts\"") == std::string::npos &&
               line.find("\"energetic\"") != std::string::npos;
    };
    const auto limit = std::find_if(good.begin(), good.end(), is_limit);
    ASSERT_NE(limit, good.end());
    for (const int work : {0, 1}) {
        std::vector<std::string> lines = good;
        Json json = Json::parse(*limit);
        json["work"][static_cast<std::size_t>(work)] =
            json["work"][0].get<double>() * (work == 0 ? 1 + 1e-6 : 1e-6);
        lines[static_cast<std::size_t>(limit - good.begin())] = json.dump();
        EXPECT_TRUE(check_lines(lines).fails("restitution")) << work;
    }
}

} // namespace
} // namespace rigor::app
