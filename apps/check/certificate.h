// The content of a certificate (docs/certificates.md), and its reader.
#pragma once

#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "vector.h"

namespace check {

/// What is wrong with a file, in one sentence.
struct BadFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void require(bool condition, const std::string& otherwise);

using Pair2 = std::array<double, 2>;

struct State {
    Vec x;        ///< center of mass
    Quat q;       ///< axes of the body to those of the world
    Screw m = {}; ///< momenta; of a kinematic body velocity and angular velocity
};

struct Shape {
    std::string type;
    Vec size, normal;                                      ///< of a box, of a plane
    double radius = 0, length = 0, height = 0, offset = 0; ///< along z; offset of a plane
    std::vector<Vec> points;                               ///< of a hull or mesh
    std::vector<std::array<int, 3>> triangles;
    double rounding = 0;
    Vec position; ///< in the frame of the body; once read, from its center of mass
    Quat orientation;
    Pair2 friction{}; ///< static, kinetic
    double restitution = 0;
    int material = -1;
    bool sensor = false;
};

struct Body {
    std::string name, type; ///< static, kinematic or dynamic
    double mass = 0, gravity_scale = 1, linear_damping = 0, angular_damping = 0;
    std::array<double, 6> inertia{}; ///< xx yy zz xy xz yz, about the center of mass
    Vec center, position, velocity, angular_velocity;
    Quat orientation;
    unsigned lock = 0, group = 1, mask = ~0u;
    std::vector<Shape> shapes;
    State start;
    Mat tensor; ///< the inertia, in the axes of the body

    bool is_dynamic() const { return mass > 0; }
};

struct Joint {
    std::string name, type;
    int a = -1, b = -1;         ///< -1: the world
    Vec anchor, anchor_b, axis; ///< at the start
    bool collide = false;
    double cone = 0, friction = 0;
    std::vector<double> limits, range, twist; ///< none, or two ends
    std::vector<double> motor;                ///< none, or its rate and largest force
};

struct MaterialPair {
    int a = 0, b = 0;
    double static_friction = -1, kinetic_friction = -1, restitution = -1; ///< negative: not given
};

/// What `fast` promises: the largest overlap and joint error, m; the speed of what falls asleep,
/// m/s; and, where nothing drives the bodies, the energy that may appear: a part of what was
/// exchanged, and what lifts all bodies by `lift`, which soft contacts store.
struct Claims {
    double penetration = 0, joint = 0, sleep_speed = 0, energy = 0, lift = 0;
};

struct Header {
    std::string scene, method;
    Claims claims;
    double time_step = 0, restitution_threshold = 0;
    Vec gravity;
    std::vector<Body> bodies;
    std::vector<MaterialPair> pairs;
    std::vector<Joint> joints;
};

/// A limit, motor or friction of a joint, at every node.
struct Action {
    std::string kind;
    double target = 0, max = 0;
    std::vector<Screw> at;
};

/// A contact or joint between two bodies: its force or impulse on b, at a point of the world.
struct Link {
    struct At {
        Vec point, normal; ///< normal of a contact: from a to b
        Screw wrench = {};
        Screw u = {},
              after = {}; ///< of b relative to a at the point: then, and at the end of the record
    };
    int a = -1, b = -1;
    std::vector<At> at; ///< at every node of a motion, else once
    // Of a contact:
    std::array<int, 2> shapes{};
    Pair2 friction{};
    double restitution = 0;
    bool sticks = false;
    // Of a joint:
    int joint = -1;
    std::vector<Action> actions; ///< parts of its force
};

/// Forces on a body about its center of mass, and the sums of their sizes as scales.
struct Load {
    Screw sum;
    Sizes size;
};

/// One body of a record, by nodes; its velocities and loads follow from what is recorded.
struct Trajectory {
    int i = -1;
    std::vector<State> states = {};
    std::vector<Screw> u = {};
    std::vector<Load> loads = {};

    const State& from() const { return states.front(); }
    const State& to() const { return states.back(); }
    double moved() const { return length(to().x - from().x) + length(to().q - from().q); }
};

/// A line after the first.
struct Record {
    std::string is;
    std::vector<double> t; ///< of the nodes, from the begin of the step
    std::vector<Trajectory> bodies;
    std::vector<int> asleep;
    std::vector<Link> contacts, joints;
    std::string law; ///< of an impact
    double approach = 0;
    Pair2 work{}; ///< of compression and of restitution
    std::map<int, Screw> loads;
    double time = 0, duration = 0; ///< of a step, of sums
    double kinetic = 0, potential = 0;
    Vec momentum, angular_momentum;
    long long number = 0;           ///< of a step
    long long lines = 0, steps = 0; ///< of the end

    bool has_nodes() const { return !bodies.empty() && is != "from"; }
};

/// Reads a certificate line by line: memory is that of one line. Throws BadFile, in whose sentence
/// `name` stands for the file, where it is no certificate, damaged or cut off.
class Reader {
  public:
    Reader(std::istream& file, const std::string& name);
    /// Calls `use` with the next record; false at the end. Indices out of range, which it may meet
    /// as std::out_of_range, become BadFile, too.
    bool next(const std::function<void(Record)>& use);

    Header header;

  private:
    template <class Use>
    void read_line(Use use);

    std::istream& file_;
    std::string name_;
    long long number_ = 0, steps_ = 0; ///< of lines and steps so far
};

} // namespace check
