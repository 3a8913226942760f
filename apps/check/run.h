// State of a run as the checker follows its certificate, and the checks of each kind of record.
#pragma once

#include "laws.h"
#include "solid.h"

namespace check {

/// A stretch of the motion of one body within a step.
struct Stretch {
    int record = 0;         ///< of the step
    bool is_flight = false; ///< else the polynomial through its states
    Vec force;              ///< of a flight
    std::vector<double> t;
    std::vector<State> states;
};

struct Moving {
    State now;
    double time = 0;                        ///< in the step, up to which it was followed
    std::vector<std::vector<Piece>> pieces; ///< of each shape
    double extent = 0;                      ///< of all, around the center of mass
    std::vector<Stretch> stretches;         ///< of this step
};

struct Run {
    explicit Run(const Header& header);
    /// Takes up the next record: velocities and loads are found from states and forces.
    void begin_record(Record next);
    /// Takes the bodies of the record to its end.
    void end_record();

    Place at(double t, int a = -1, int b = -1) { return {findings, begin + t, a, b}; }
    Place at(double t, const Link& link) { return at(t, link.a, link.b); }
    const Body& body(int i) const { return i == -1 ? world : header.bodies.at(i); }
    bool is_dynamic(int i) const { return body(i).is_dynamic(); }
    /// Whether the record says where a kinematic body goes; others must agree with it.
    bool is_course(int i) const {
        return body(i).type == "kinematic" && (r.is == "flight" || r.is == "impulses");
    }
    Vec weight(int i) const { return header.gravity * (body(i).mass * body(i).gravity_scale); }
    Screw user_load(int i) const { return loads.count(i) ? loads.at(i) : Screw{}; }
    /// Of a body of the record; the world stands still.
    State state(int i, int node) const;
    /// The first stretch of a body that ends after a time, or at it.
    std::vector<Stretch>::const_iterator stretch_at(int i, double t) const;
    /// In flight by integration, else by the polynomial through the nodes.
    State state_at(int i, double t) const;
    double potential_energy() const;
    double largest_force() const;

    const Header& header;
    Body world;
    Findings findings;
    Record r; ///< at hand
    std::vector<Moving> moving;
    std::map<int, Screw> loads;                              ///< of the user, in this step
    std::set<std::array<int, 3>> touching;                   ///< record of the step, two bodies
    std::map<std::array<int, 6>, std::array<Vec, 2>> parted; ///< directions that parted pieces
    double begin = 0, end = 0;                               ///< s: of the step
    long long number = 0;                                    ///< of the step
    int steps = 0, records = 0;                              ///< so far; in the step
    double least_energy = HUGE_VAL, exchanged = 0, first_potential = 0; ///< J: so far
};

/// From the momenta; locked axes do not turn.
Screw velocity(const Body& body, const State& state);
double kinetic_energy(const Body& body, const State& state);
/// Without what locks take up.
Screw unlocked(const Body& body, Screw wrench);
/// Free flight, integrated independently: under a constant force; kinematic bodies keep their
/// velocities.
State fly(const Body& body, const State& from, Vec force, double time);
/// The polynomial that is 1 at one of some times and 0 at the others.
double lagrange(const std::vector<double>& times, std::size_t one, double t);
/// How far a force is beyond the friction cone.
double beyond_cone(const Link::At& at, double friction);
/// What a joint leaves to be desired: m and rad, from where its bodies are.
double joint_error(const Run& run, const Joint& joint, int node);

void check_record(Run& run, Record record);
void check_contact_place(Run& run, const Link& contact, int node);
void check_material(Run& run, const Link& contact, bool bounces);
void check_contacts(Run& run);
void check_joints(Run& run);
void check_impact(Run& run);
void check_projection(Run& run);
void check_time_step(Run& run);
void check_penetration(Run& run);
void check_fast_step(Run& run);
void check_energy_gain(Run& run, double kinetic);

} // namespace check
