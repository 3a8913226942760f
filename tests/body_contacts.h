// Contact problems of bodies: what tests and benchmarks of the solvers solve.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "numeric/friction_problem.h"
#include "rigor/vec.h"

namespace rigor::test {

/// Boxes and the points at which they touch, the ground being body -1.
class BodyContacts {
  public:
    /// A box of the given sides; its axes are those of the world.
    int add_box(const Vec3d& center, const Vec3d& sides, double mass) {
        const Vec3d s = multiply(sides, sides);
        const Vec3d inertia = Vec3d{s.y + s.z, s.x + s.z, s.x + s.y} * (mass / 12);
        bodies_.push_back(
            {center, 1 / mass, {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, {}, {}});
        return static_cast<int>(bodies_.size()) - 1;
    }

    void set_velocity(int body, const Vec3d& velocity, const Vec3d& spin) {
        bodies_[static_cast<std::size_t>(body)].velocity = velocity;
        bodies_[static_cast<std::size_t>(body)].spin = spin;
    }

    /// The normal points from b to a; `turn` is the angle of the first tangent.
    void add_contact(int a, int b, const Vec3d& point, const Vec3d& normal, double mu,
                     double turn = 0) {
        const Vec3d x = perpendicular(normal), y = cross(normal, x);
        const double c = std::cos(turn), s = std::sin(turn);
        contacts_.push_back({a, b, point, x * c + y * s, y * c - x * s, normal});
        mu_.push_back(mu);
    }

    std::size_t size() const { return contacts_.size(); }
    double mass(int body) const { return 1 / bodies_[static_cast<std::size_t>(body)].inverse_mass; }
    std::size_t bodies() const { return bodies_.size(); }

    /// Velocities at the contacts are q; an impulse r changes them by W r.
    FrictionProblem problem() const {
        FrictionProblem p;
        p.mu = mu_;
        std::vector<BlockEntry> row;
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            row.clear();
            for (std::size_t j = 0; j < contacts_.size(); ++j)
                if (share_body(contacts_[i], contacts_[j]))
                    row.push_back(
                        {static_cast<std::uint32_t>(j), block(contacts_[i], contacts_[j])});
            p.w.add_row(row);
            p.q.push_back(relative_velocity(contacts_[i]));
        }
        return p;
    }

  private:
    struct Body {
        Vec3d center;
        double inverse_mass;
        Vec3d inverse_inertia, velocity, spin;
    };
    struct Contact {
        int a, b;
        Vec3d point, x, y, normal;

        Vec3d axis(int k) const { return k == 0 ? x : k == 1 ? y : normal; }
        double sign(int body) const { return body == a ? 1 : body == b ? -1 : 0; }
    };

    static bool share_body(const Contact& i, const Contact& j) {
        return (i.a >= 0 && j.sign(i.a) != 0) || (i.b >= 0 && j.sign(i.b) != 0);
    }

    Mat3d block(const Contact& i, const Contact& j) const {
        Mat3d w = Mat3d::zero();
        for (const int id : {i.a, i.b}) {
            if (id < 0 || j.sign(id) == 0) continue;
            const Body& body = bodies_[static_cast<std::size_t>(id)];
            for (int column = 0; column < 3; ++column) {
                const Vec3d push = j.axis(column) * j.sign(id);
                const Vec3d velocity = push * body.inverse_mass;
                const Vec3d spin =
                    multiply(body.inverse_inertia, cross(j.point - body.center, push));
                const Vec3d moved = velocity + cross(spin, i.point - body.center);
                for (int k = 0; k < 3; ++k) w(k, column) += i.sign(id) * dot(i.axis(k), moved);
            }
        }
        return w;
    }

    Vec3d relative_velocity(const Contact& i) const {
        Vec3d u{};
        for (const int id : {i.a, i.b}) {
            if (id < 0) continue;
            const Body& body = bodies_[static_cast<std::size_t>(id)];
            const Vec3d v = body.velocity + cross(body.spin, i.point - body.center);
            u += Vec3d{dot(i.x, v), dot(i.y, v), dot(i.normal, v)} * i.sign(id);
        }
        return u;
    }

    std::vector<Body> bodies_;
    std::vector<Contact> contacts_;
    std::vector<double> mu_;
};

/// A wall of bricks in running bond, of masses from 1 to 10, at the end of a step of free fall.
/// Bricks touch at the four corners of what they share: half of all rows of W are redundant.
inline BodyContacts brick_wall(int rows, int columns, double mu) {
    constexpr Vec3d kSides{0.4, 0.2, 0.2};
    constexpr double kFall = 9.81 / 60;
    BodyContacts wall;
    std::uint64_t seed = 1;
    const auto x = [&](int row, int k) { return (k + 0.5 * (row % 2)) * kSides.x; };
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < columns; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const double mass = 1 + 9 * static_cast<double>(seed >> 11) * 0x1p-53;
            const int brick = wall.add_box({x(row, k), 0, (row + 0.5) * kSides.z}, kSides, mass);
            wall.set_velocity(brick, {0, 0, -kFall}, {});
        }
    const auto touch = [&](int above, int below, double x0, double x1, double z) {
        for (const double px : {x0, x1})
            for (const double py : {-kSides.y / 2, kSides.y / 2})
                wall.add_contact(above, below, {px, py, z}, {0, 0, 1}, mu);
    };
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < columns; ++k) {
            const int brick = row * columns + k, left = k - 1 + row % 2,
                      below = (row - 1) * columns;
            const double middle = x(row, k), half = kSides.x / 2, z = row * kSides.z;
            if (row == 0) touch(brick, -1, middle - half, middle + half, z);
            if (row > 0 && left >= 0) touch(brick, below + left, middle - half, middle, z);
            if (row > 0 && left + 1 < columns)
                touch(brick, below + left + 1, middle, middle + half, z);
        }
    return wall;
}

} // namespace rigor::test
