// `max_penetration` of `run --json` against depths measured from the poses of `run --csv` by means
// that the engine has no part in.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command/program.h"

namespace rigor::test {
namespace {

using json = nlohmann::json;
using Axes = std::array<Vec3d, 3>;

/// A ball where `radius` is positive, else a box.
struct Solid {
    Vec3d center;
    Axes axes{}; ///< of a box: columns of its rotation matrix
    Vec3d half;
    double radius = 0;
};

Axes axes_of(double w, double x, double y, double z) {
    return {Vec3d{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            Vec3d{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            Vec3d{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

/// Half the length of the shadow of a solid on a line.
double half_shadow(const Solid& s, const Vec3d& along) {
    double sum = s.radius;
    for (int i = 0; i < 3; ++i)
        sum += s.half[i] * std::abs(dot(s.axes[static_cast<std::size_t>(i)], along));
    return sum;
}

double overlap_along(const Solid& a, const Solid& b, const Vec3d& along) {
    return half_shadow(a, along) + half_shadow(b, along) -
           std::abs(dot(b.center - a.center, along));
}

/// The least overlap of shadows, over the normals of all faces and pairs of edges.
double depth_of_boxes(const Solid& a, const Solid& b) {
    double least = std::numeric_limits<double>::infinity();
    const auto look = [&](const Vec3d& along) {
        if (length(along) > 1e-9) least = std::min(least, overlap_along(a, b, normalize(along)));
    };
    for (const Vec3d& u : a.axes) look(u);
    for (const Vec3d& v : b.axes) look(v);
    for (const Vec3d& u : a.axes)
        for (const Vec3d& v : b.axes) look(cross(u, v));
    return least;
}

double depth_of_ball_and_box(const Solid& ball, const Solid& box) {
    double outside = 0, inside = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        const double x = dot(ball.center - box.center, box.axes[static_cast<std::size_t>(i)]);
        const double beyond = std::abs(x) - box.half[i];
        outside += std::max(beyond, 0.0) * std::max(beyond, 0.0);
        inside = std::min(inside, -beyond);
    }
    return outside > 0 ? ball.radius - std::sqrt(outside) : ball.radius + inside;
}

double depth_of(const Solid& a, const Solid& b) {
    if (a.radius > 0 && b.radius > 0) return a.radius + b.radius - length(a.center - b.center);
    if (a.radius > 0) return depth_of_ball_and_box(a, b);
    if (b.radius > 0) return depth_of_ball_and_box(b, a);
    return depth_of_boxes(a, b);
}

/// Below the ground z = 0.
double depth_in_ground(const Solid& s) {
    return half_shadow(s, {0, 0, 1}) - s.center.z;
}

double deepest(const std::map<std::string, Solid>& solids) {
    double depth = 0;
    for (auto a = solids.begin(); a != solids.end(); ++a) {
        depth = std::max(depth, depth_in_ground(a->second));
        for (auto b = std::next(a); b != solids.end(); ++b)
            depth = std::max(depth, depth_of(a->second, b->second));
    }
    return depth;
}

/// The solids of a scene of boxes and balls, without their places.
std::map<std::string, Solid> solids_of(const json& scene) {
    std::map<std::string, Solid> solids;
    for (const json& body : scene["bodies"]) {
        const json& shape = body["shapes"][0];
        if (shape["type"] == "plane") continue;
        Solid& s = solids[body["name"]];
        s.radius = shape.value("radius", 0.0);
        if (shape.contains("size"))
            s.half = Vec3d{shape["size"][0], shape["size"][1], shape["size"][2]} * 0.5;
    }
    return solids;
}

/// The deepest overlap of all output steps.
double deepest(const std::string& csv, std::map<std::string, Solid> solids) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line); // header
    double depth = 0;
    for (std::size_t placed = 0; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string cell, name;
        std::getline(cells, cell, ',');
        std::getline(cells, name, ',');
        const auto solid = solids.find(name);
        if (solid == solids.end()) continue;
        double x[7]{};
        for (double& number : x) {
            std::getline(cells, cell, ',');
            number = std::stod(cell);
        }
        solid->second.center = {x[0], x[1], x[2]};
        solid->second.axes = axes_of(x[3], x[4], x[5], x[6]);
        if (++placed % solids.size() == 0) depth = std::max(depth, deepest(solids));
    }
    return depth;
}

/// Falls onto the ground, onto itself, and against a block that does not move.
constexpr const char* kHeap = R"({ "rigor": 1, "name": "heap", "bodies": [
  { "name": "ground", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
  { "name": "block", "type": "static", "position": [1, 0, 0.3],
    "orientation": { "axis": [0, 0, 1], "angle_deg": 20 }, "shapes": [ { "type": "box", "size": [0.6, 0.8, 0.6] } ] },
  { "name": "lower", "position": [0, 0, 0.3], "shapes": [ { "type": "box", "size": [0.8, 0.7, 0.5] } ] },
  { "name": "upper", "position": [0.1, 0.05, 0.95], "orientation": { "axis": [1, 2, 0.5], "angle_deg": 25 },
    "velocity": [0, 0, -2], "shapes": [ { "type": "box", "size": [0.5, 0.6, 0.4] } ] },
  { "name": "ball", "position": [-0.9, 0.1, 0.4], "velocity": [5, 0, 0], "shapes": [ { "type": "sphere", "radius": 0.25, "restitution": 0.5 } ] },
  { "name": "other", "position": [0.9, 0.1, 1.1], "velocity": [0, 0, -6], "shapes": [ { "type": "sphere", "radius": 0.2 } ] } ] })";

class Penetration : public ProgramTest {};

TEST_F(Penetration, OfARunIsTheDeepestOfItsStepsUnderEveryMethod) {
    const std::map<std::string, Solid> solids = solids_of(json::parse(kHeap));
    const std::string scene = write("heap.json", kHeap);
    double most = 0;
    for (const std::string method : {"fast", "faithful", "baber2006", "kavan2003", "baber2011",
                                     "kenwright", "galoppo2007", "penalty"}) {
        const auto r = rigor("run " + scene + " --steps 40 --method " + method + " --csv '" +
                             file("out.csv") + "' --json -");
        ASSERT_EQ(r.exit_code, 0) << method << r.err;
        const double told = json::parse(r.out)["max_penetration"];
        const double seen = deepest(read_file(file("out.csv")), solids);
        EXPECT_NEAR(told, seen, 1e-9 + 1e-6 * seen) << method;
        most = std::max(most, seen);
    }
    EXPECT_GT(most, 0.01) << "some method overlaps, or nothing is compared";
}

// The start counts, too, and what is deep for one step only.
TEST_F(Penetration, OfTheStartCounts) {
    json scene = json::parse(kHeap);
    scene["gravity"] = {0, 0, 0};
    scene["bodies"][5]["position"] = {0.9, 0.1, 0.7}; // 0.1 m in the block, and leaves it
    scene["bodies"][5]["velocity"] = {0, 0, 6};
    const auto r = rigor("run " + write("deep.json", scene.dump()) +
                         " --steps 5 --method baber2006 --csv '" + file("out.csv") + "' --json -");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    const double seen = deepest(read_file(file("out.csv")), solids_of(scene));
    EXPECT_NEAR(seen, 0.1, 1e-12);
    EXPECT_NEAR(json::parse(r.out)["max_penetration"], seen, 1e-9);
}

} // namespace
} // namespace rigor::test
