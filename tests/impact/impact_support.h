// Impacts for tests: those of the reference files, and random ones.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "rigor/impact.h"
#include "test_support.h"

namespace rigor::test {

using nlohmann::json;

inline Vec3d vec_of(const json& j) {
    return {j[0], j[1], j[2]};
}

inline ImpactBody impact_body(const json& j) {
    if (j.is_null()) return {};
    const json& i = j["inertia"];
    const Sym3d inertia{i[0], i[4], i[8], i[1], i[2], i[5]};
    return {1 / j["mass"].get<double>(), inverse(inertia), vec_of(j["r"]), vec_of(j["velocity"]),
            vec_of(j["angular_velocity"])};
}

inline BodyImpact body_impact(const json& j) {
    return {impact_body(j["a"]), impact_body(j["b"]), vec_of(j["normal"]), j["friction"],
            j["restitution"]};
}

/// reference/impacts.json.
inline json reference_impacts() {
    std::ifstream in(data_dir() / "reference" / "impacts.json");
    return json::parse(in);
}

/// A row of reference/impacts_contact_frame.csv.
struct ReferenceRow {
    int id = 0;
    ContactImpact impact;
    Vec3d impulse;
    ImpactMode mode = ImpactMode::sliding;
    double work_compression = 0;
};

inline std::vector<ReferenceRow> reference_rows() {
    std::ifstream in(data_dir() / "reference" / "impacts_contact_frame.csv");
    std::vector<ReferenceRow> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'i') continue;
        std::vector<double> v;
        std::istringstream words(line);
        for (std::string word; std::getline(words, word, ',');) v.push_back(std::stod(word));
        const int bits = static_cast<int>(v[18]);
        if (bits & (8 | 16)) continue; // marked there as not to be used
        const Mat3d k =
            Mat3d::from_rows({v[1], v[2], v[3]}, {v[2], v[4], v[5]}, {v[3], v[5], v[6]});
        rows.push_back({static_cast<int>(v[0]),
                        {k, {v[7], v[8], v[9]}, v[10], v[11]},
                        {v[12], v[13], v[14]},
                        bits & 4   ? ImpactMode::unstable_sticking
                        : bits & 2 ? ImpactMode::stable_sticking
                                   : ImpactMode::sliding,
                        v[20]});
    }
    return rows;
}

/// The example of [Baber 2011, 1.2]: two compressions and two decompressions.
inline ContactImpact baber_example() {
    return {
        Mat3d::from_rows({20, -23, 4}, {-23, 31, -7}, {4, -7, 4}), {630, -780, -0.22}, 0.5, 0.9};
}

/// A box of any proportions, down to needles and plates, hit at a corner or elsewhere.
inline ImpactBody random_impact_body(Random& random) {
    const auto any_size = [&] { return std::exp(random.uniform(-4, 1)); };
    const Vec3d size{any_size(), any_size(), any_size()};
    const Vec3d square = multiply(size, size);
    const double mass = std::exp(random.uniform(-3, 3));
    const Vec3d moments =
        Vec3d{square.y + square.z, square.z + square.x, square.x + square.y} * (mass / 12);
    const Mat3d axes = to_matrix(random.rotation());
    const Vec3d place = random.integer(0, 1) ? Vec3d{0.5, 0.5, 0.5} : random.vec(-0.5, 0.5);
    return {1 / mass, rotate(axes, Sym3d::diagonal({1 / moments.x, 1 / moments.y, 1 / moments.z})),
            axes * multiply(size, place), random.vec(-3, 3), random.vec(-3, 3)};
}

/// Two bodies, or one and the ground, that approach; friction up to 3.
inline BodyImpact random_impact(Random& random) {
    for (;;) {
        BodyImpact impact{random_impact_body(random), random_impact_body(random),
                          random.direction(), 0, random.unit()};
        const double share = random.unit();
        impact.friction = 3 * share * share;
        if (random.integer(0, 2) == 0) impact.b = {};
        if (in_contact_frame(impact).impact.u.z < 0) return impact;
    }
}

inline double kinetic_change(const ContactImpact& impact, const Vec3d& p) {
    return dot(p, impact.u + impact.k * p * 0.5);
}

inline Vec3d velocity_after(const ContactImpact& impact, const ImpactOutcome& outcome) {
    return impact.u + impact.k * outcome.impulse;
}

} // namespace rigor::test
