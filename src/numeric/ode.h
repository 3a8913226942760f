// ODE integrators for y' = f(t, y): explicit Euler, Runge-Kutta 4, and adaptive Dormand-Prince 5(4)
// with dense output and events.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "numeric/roots.h"

namespace rigor {

/// Writes y' at (t, y) into the last argument.
using OdeRate = std::function<void(double t, std::span<const double> y, std::span<double> rate)>;

/// y + h f(t, y). First order; for methods from the literature, and as a baseline.
class ExplicitEuler {
  public:
    void step(const OdeRate& f, double t, double h, std::span<double> y);

  private:
    std::vector<double> rate_;
};

/// The classical four stages, fourth order.
class RungeKutta4 {
  public:
    void step(const OdeRate& f, double t, double h, std::span<double> y);

  private:
    std::vector<double> rate_, stage_, sum_;
};

enum class OdeStatus {
    reached_end,
    stopped_at_event,
    step_too_small, // the tolerance cannot be met: stiff, singular or noisy
    too_many_steps,
    interrupted,
    not_finite, // f is not finite at the start, or where steps became too small
};

struct OdeSettings {
    double relative_tolerance = 1e-10;
    double absolute_tolerance = 1e-12;
    double first_step = 0; // 0: chosen from f at the start
    double max_step = std::numeric_limits<double>::infinity();
    int max_steps = 100000;
    /// So many of the last components follow from the others, and have no part in the error.
    std::size_t passive_components = 0;
    std::function<bool()> interrupt = {}; // asked before every step: true ends the integration
};

/// A function g(t, y) whose change of sign ends the integration. Signs are compared at the ends of
/// steps: two changes within one step are detected only if max_step separates them. A g that starts
/// at zero must first become nonzero.
struct OdeEvent {
    std::function<double(double t, std::span<const double> y)> g;
    enum class Direction { any, rising, falling } direction = Direction::any;
    enum class Stop { before, after } stop = Stop::before; ///< on which side of the change
};

struct OdeResult {
    OdeStatus status = OdeStatus::reached_end;
    double t = 0;          // the time of y
    std::size_t event = 0; // its index, when stopped at one
    int steps = 0, rejected = 0, evaluations = 0;
};

/// One accepted step with dense output: the solution anywhere within it (fourth order).
class DenseStep {
  public:
    double begin() const { return t_; }
    double end() const { return t_ + h_; }
    /// y at t, which should lie between begin() and end(); or some of its components, from `first`
    /// on.
    void evaluate(double t, std::span<double> y, std::size_t first = 0) const;

  private:
    friend class DormandPrince;
    double t_ = 0, h_ = 0;
    std::array<std::vector<double>, 5> terms_;
};

using OdeObserver = std::function<void(const DenseStep& step, std::span<const double> y)>;

/// The pair of orders 5 and 4 of [Dormand 1980] with local extrapolation; step control after
/// [Hairer 1993, II.4].
class DormandPrince {
  public:
    explicit DormandPrince(const OdeSettings& settings = {}) : settings_(settings) {}

    /// Integrates y from t to t_end (which may lie before t), or to the first event. At an event y
    /// is taken just before g changes its sign (or just after), from a full step that ends there
    /// and meets the tolerance like all other steps. On failure y is the last point reached, and
    /// result.t its time. The observer receives every accepted step in order.
    OdeResult integrate(const OdeRate& f, double t, double t_end, std::span<double> y,
                        std::span<const OdeEvent> events = {}, const OdeObserver& observer = {});

  private:
    void resize(std::size_t n);
    double choose_first_step(const OdeRate& f, double t, double direction,
                             std::span<const double> y);
    void take_step(const OdeRate& f, double t, double h, std::span<const double> y);
    double error_of_step(double h, std::span<const double> y) const;
    bool shorten_to_event(const OdeRate& f, double t, double& h, std::span<const double> y,
                          std::span<const OdeEvent> events, std::span<const double> values,
                          std::size_t& which);
    bool locate_event(const OdeRate& f, double t, double& h, std::span<const double> y,
                      const OdeEvent& event);
    BracketedRoot event_in_dense_output(double t, double h, std::span<const double> y,
                                        const OdeEvent& event);
    void fill_dense(double t, double h, std::span<const double> y);

    OdeSettings settings_;
    int evaluations_ = 0;
    std::vector<double> k_[7]; // f at the stages; k_[6] is f at the new point
    std::vector<double> stage_, next_;
    DenseStep dense_;
};

} // namespace rigor
