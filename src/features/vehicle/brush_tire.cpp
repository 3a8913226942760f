#include "features/vehicle/brush_tire.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace vehicle {
namespace {

constexpr int kSubsteps = 8;
constexpr int kIterations = 3; // of the secant stiffness, in each substep
// A tire that does not roll has no damping but this: rubber, as a time constant. It fades until
// kRollingSpeed, where rolling itself damps, so that slip at speed has the force of the model.
constexpr double kRubberDamping = 0.05; // s
constexpr double kRollingSpeed = 1;     // m/s

/// Force over deflection, along both axes; both shrink as more of the contact slides.
struct SecantStiffness {
    double along[2]{}; ///< N/m
    double psi = 0;    ///< 1 when all of it slides
};

SecantStiffness secant_stiffness(const TireDef& tire, const double* u, double friction,
                                 double load) {
    SecantStiffness k;
    const double grip = friction * load, length = tire.relaxation_length;
    if (!(grip > 0)) return k;
    const double cx = tire.longitudinal_stiffness * load, cy = tire.lateral_stiffness * load;
    const double gx = cx * u[0] / length, gy = cy * u[1] / length;
    k.psi = std::sqrt(gx * gx + gy * gy) / (3 * grip);
    const double slip = std::sqrt(u[0] * u[0] + u[1] * u[1]) / length;
    const double psi = std::min(k.psi, 1.0), adheres = (1 - psi) * (1 - psi);
    const double slides = slip > 0 ? grip * psi * psi * (3 - 2 * psi) / slip : 0;
    k.along[0] = (cx * adheres + slides) / length;
    k.along[1] = (cy * adheres + slides) / length;
    return k;
}

/// Substeps of length h. Velocities, spin and deflection at the end of each satisfy the equations
/// with the forces at its end.
class Substep {
  public:
    Substep(const TireDef& tire, const TireStep& step, double h)
        : tire_(tire), step_(step), h_(h), spin_(step.spin) {
        for (int i = 0; i < 2; ++i) velocity_[i] = step.velocity[i], u_[i] = step.deflection[i];
    }

    void advance() {
        rolling_ = std::abs(spin_) * step_.radius;
        damping_ = kRubberDamping * std::max(0.0, 1 - rolling_ / kRollingSpeed);
        double end[2] = {u_[0], u_[1]};
        for (int i = 0; i < kIterations; ++i) {
            const SecantStiffness k = secant_stiffness(tire_, end, step_.friction, step_.load);
            side_ = contact(k.along[1], u_[1], velocity_[1], step_.acceleration[1],
                            step_.inverse_mass[1]);
            solve_spin(k.along[0]);
            end[0] = along_.u, end[1] = side_.u;
        }
        spin_ = end_spin_;
        limit_force();
        const double ax = step_.acceleration[0] + along_.force * step_.inverse_mass[0];
        const double ay = step_.acceleration[1] + side_.force * step_.inverse_mass[1];
        velocity_[0] += h_ * ax;
        velocity_[1] += h_ * ay;
        u_[0] = along_.u, u_[1] = side_.u;
        // Bristles that all slide deflect no further.
        const double psi = secant_stiffness(tire_, u_, step_.friction, step_.load).psi;
        const double kept = step_.load > 0 ? 1 / std::max(psi, 1.0) : 0;
        u_[0] *= kept, u_[1] *= kept;
    }

    void add_to(TireOutcome& sum) const {
        sum.force[0] += along_.force, sum.force[1] += side_.force;
        sum.drive += drive_, sum.brake += brake_;
        sum.spin = spin_;
        sum.deflection[0] = u_[0], sum.deflection[1] = u_[1];
    }

  private:
    struct Contact {
        double u = 0, force = 0; ///< at the end
    };

    // u' = u - h (s' + w u'/L), s' = s + h (a + b F'), F' = k (u' - tau s'), solved for u'.
    Contact contact(double k, double u, double slip, double a, double b) const {
        const double roll = rolling_ / tire_.relaxation_length;
        const double p = k * (1 + damping_ / h_ + damping_ * roll), q = k * damping_ / h_ * u;
        const double end =
            (u - h_ * (slip + h_ * a) + h_ * h_ * b * q) / (1 + h_ * roll + h_ * h_ * p * b);
        const double grip = step_.friction * step_.load;
        return {end, std::clamp(p * end - q, -grip, grip)};
    }

    /// With a given torque on the wheel.
    void turn_freely(double k, double torque) {
        const double r = step_.radius, lever = r / step_.inertia;
        along_ = contact(k, u_[0], velocity_[0] - spin_ * r, step_.acceleration[0] - torque * lever,
                         step_.inverse_mass[0] + r * lever);
        end_spin_ = spin_ + h_ * (torque - along_.force * r) / step_.inertia;
    }

    /// With a given spin at the end; returns the torque that this takes.
    double hold(double k, double spin) {
        along_ = contact(k, u_[0], velocity_[0] - spin * step_.radius, step_.acceleration[0],
                         step_.inverse_mass[0]);
        end_spin_ = spin;
        return (spin - spin_) * step_.inertia / h_ + along_.force * step_.radius;
    }

    // Dry friction of the brake: it holds the wheel when it can, else it slows it down. The engine
    // drives up to its redline.
    void solve_spin(double k) {
        drive_ = step_.drive;
        brake_ = 0;
        if (step_.brake > 0) {
            const double missing = hold(k, 0) - drive_;
            brake_ = std::clamp(missing, -step_.brake, step_.brake);
            if (std::abs(missing) <= step_.brake) return;
        }
        turn_freely(k, drive_ + brake_);
        const double limit = std::copysign(step_.max_spin, drive_);
        if (drive_ != 0 && (end_spin_ - limit) * drive_ > 0) {
            const double needed = hold(k, limit) - brake_;
            drive_ = needed * drive_ > 0 ? needed : 0;
            if (drive_ == 0) turn_freely(k, brake_);
        }
    }

    // Both directions together may not exceed friction. What is cut the wheel does not get either.
    void limit_force() {
        const double grip = step_.friction * step_.load;
        const double force = std::sqrt(along_.force * along_.force + side_.force * side_.force);
        if (!(force > grip)) return;
        const double before = along_.force;
        along_.force *= grip / force;
        side_.force *= grip / force;
        if (spin_ != 0) spin_ += h_ * (before - along_.force) * step_.radius / step_.inertia;
    }

    const TireDef& tire_;
    const TireStep& step_;
    double h_;
    double velocity_[2]{}, u_[2]{}, spin_ = 0, end_spin_ = 0;
    double rolling_ = 0, damping_ = 0, drive_ = 0, brake_ = 0;
    Contact along_, side_;
};

} // namespace

TireOutcome advance_tire(const TireDef& tire, const TireStep& step, double dt) {
    TireOutcome sum;
    Substep substep(tire, step, dt / kSubsteps);
    for (int i = 0; i < kSubsteps; ++i) {
        substep.advance();
        substep.add_to(sum);
    }
    for (double* mean : {&sum.force[0], &sum.force[1], &sum.drive, &sum.brake}) *mean /= kSubsteps;
    return sum;
}

} // namespace vehicle

TireForce brush_tire_force(const TireDef& tire, double slip_x, double slip_y, double friction,
                           double load) {
    const double u[2] = {-slip_x * tire.relaxation_length, -slip_y * tire.relaxation_length};
    const auto k = vehicle::secant_stiffness(tire, u, friction, load);
    return {k.along[0] * u[0], k.along[1] * u[1]};
}

} // namespace rigor
