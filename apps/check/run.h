// State of a run as the checker follows its certificate, and the checks of each kind of record.
#pragma once

#include "findings.h"
#include "free_motion.h"
#include "solid.h"

namespace check {

/// A stretch of the motion of one body within a step.
struct Stretch {
    bool is_flight = false; ///< else the polynomial through its states
    std::vector<double> t;
    std::vector<State> states;
    Vec force;              ///< of a flight
    std::size_t record = 0; ///< of which record of the step it is
};

struct Moving {
    State now;
    double time = 0;                        ///< in the step, up to which it was followed
    std::vector<std::vector<Piece>> pieces; ///< of each shape
    double extent = 0;                      ///< of all, around the center of mass
    std::vector<Stretch> stretches;         ///< of this step
};

struct Run {
    Run(const Header& header, Findings& findings);

    void add(const Law& law, double residual, const Place& where) {
        findings.add(law, residual, where);
    }
    void add(const Law& law, double error, double scale, const Place& where) {
        findings.add(law, error > 0 ? error / std::max(scale, 1e-300) : error, where);
    }
    const Body& body(int i) const { return header.bodies[std::size_t(i)]; }
    bool is_dynamic(int i) const { return i >= 0 && body(i).is_dynamic(); }
    Place place(double t, int a = -1, int b = -1) const { return {begin + t, a, b}; }
    Vec weight(int i) const { return header.gravity * (body(i).mass * body(i).gravity_scale); }
    Wrench load(int i) const { return loads.count(i) ? loads.at(i) : Wrench{}; }
    /// Of a body of a record at a node; the world stands still.
    State state(const Record& at, std::size_t node, int i) const;
    Velocity velocity_of(const Record& at, std::size_t node, int i) const;
    /// Of b relative to a, at a point.
    Velocity relative(const Record& at, std::size_t node, const Link& link, Vec point) const;

    const Header& header;
    Findings& findings;
    std::vector<Moving> moving;
    std::map<int, Wrench> loads;                   ///< of the user, in this step
    std::set<std::array<std::size_t, 3>> touching; ///< record of the step, and two bodies
    std::map<std::array<std::size_t, 6>, std::array<Vec, 2>> directions; ///< that parted pieces
    double begin = 0, end = 0;                                           ///< s: of the step
    std::size_t record = 0;                                              ///< number in the step
    double least_energy = HUGE_VAL, exchanged = 0, first_potential = 0;  ///< J: so far
};

/// Forces on a body about its center of mass, and the sums of their sizes as scales.
struct Load {
    Wrench sum;
    double force = 0, torque = 0;
};
/// Of contacts and joints alone, or with gravity, forces of the user and damping for `seconds`.
Load link_load(const Run& run, const Record& record, std::size_t node, int body);
Load full_load(const Run& run, const Record& record, std::size_t node, int body,
               double seconds = 1);

/// Takes the bodies of a record to its end.
void advance(Run& run, const Record& record);
/// The first stretch of a body that ends after a time, or at it.
std::vector<Stretch>::const_iterator stretch_at(const Run& run, int body, double t);
/// In flight by integration, else by the polynomial through the nodes.
State state_at(const Run& run, int body, double t);

void check_record(Run& run, const Record& record);
void check_contact_place(Run& run, const Record& record, const Link& contact, std::size_t node);
void check_material(Run& run, const Record& record, const Link& contact, bool bounces);
void check_cone(Run& run, const Record& record, const Link& contact, std::size_t node,
                double friction, double scale);
double largest_force(const Record& record);
void check_contacts(Run& run, const Record& record);
void check_joints(Run& run, const Record& record);
/// What a joint leaves to be desired: m and rad, from where its bodies are.
double joint_error(const Run& run, const Record& record, std::size_t node, const Joint& joint);
void check_impact(Run& run, const Record& record);
void check_projection(Run& run, const Record& record);
void check_time_step(Run& run, const Record& record);
void check_penetration(Run& run, double duration);
void check_fast_step(Run& run, const Record& record);
void check_energy_gain(Run& run, double kinetic, double potential, const Place& where);

} // namespace check
