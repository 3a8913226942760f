#include "numeric/ode.h"

#include <algorithm>
#include <cmath>

#include "math/trig.h"

namespace rigor {

void ExplicitEuler::step(const OdeRate& f, double t, double h, std::span<double> y) {
    rate_.resize(y.size());
    f(t, y, rate_);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * rate_[i];
}

void RungeKutta4::step(const OdeRate& f, double t, double h, std::span<double> y) {
    const std::size_t n = y.size();
    rate_.resize(n);
    stage_.resize(n);
    sum_.assign(n, 0.0);
    // Adds the rate of a stage with `weight`, and makes the next stage at y + fraction h rate.
    const auto add_stage = [&](double weight, double fraction) {
        for (std::size_t i = 0; i < n; ++i) {
            sum_[i] += weight * rate_[i];
            stage_[i] = y[i] + fraction * h * rate_[i];
        }
    };
    f(t, y, rate_);
    add_stage(1, 0.5);
    f(t + 0.5 * h, stage_, rate_);
    add_stage(2, 0.5);
    f(t + 0.5 * h, stage_, rate_);
    add_stage(2, 1);
    f(t + h, stage_, rate_);
    add_stage(1, 0);
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * sum_[i];
}

namespace {

// The tableau of [Dormand 1980]. Row s gives stage s + 1; the last row is also the result.
constexpr double kNode[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kStage[6][6] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Fifth order minus fourth order.
constexpr double kError[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// The fourth order interpolant of [Hairer 1993, II.6].
constexpr double kDense[7] = {-12715105075.0 / 11282082432,  0,
                              87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                              701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                              69997945.0 / 29380423};

bool all_finite(std::span<const double> v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

// x^(1/5) without the library's pow, which differs between machines.
double fifth_root(double x) {
    return exp(log(x) / 5);
}

// The size of a step after one of size h with this error. It changes at most by a factor of five,
// and does not grow right after a rejection.
double size_after(double h, double error, bool after_rejection) {
    const double factor = std::isfinite(error) ? 0.9 / fifth_root(std::max(error, 1e-10)) : 0.2;
    const double longest = !(error <= 1) ? 0.9 : after_rejection ? 1 : 5;
    return std::abs(h) * std::clamp(factor, 0.2, longest);
}

constexpr double kDenseError = 1e-12; // of the time of an event in dense output, of a step

// Times closer together than this are the same.
double spacing_at(double t) {
    return 2 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

bool crosses(const OdeEvent& event, double before, double after) {
    if (before == 0 || !std::isfinite(before) || !std::isfinite(after)) return false;
    const bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    switch (event.direction) {
        case OdeEvent::Direction::rising:
            return rises;
        case OdeEvent::Direction::falling:
            return falls;
        default:
            return rises || falls;
    }
}

} // namespace

void DenseStep::evaluate(double t, std::span<double> y, std::size_t first) const {
    const double s = h_ != 0 ? (t - t_) / h_ : 0, r = 1 - s;
    for (std::size_t k = 0; k < y.size(); ++k) {
        const std::size_t i = first + k;
        y[k] = terms_[0][i] +
               s * (terms_[1][i] + r * (terms_[2][i] + s * (terms_[3][i] + r * terms_[4][i])));
    }
}

void DormandPrince::resize(std::size_t n) {
    for (auto& k : k_) k.assign(n, 0.0);
    for (auto& term : dense_.terms_) term.assign(n, 0.0);
    stage_.assign(n, 0.0);
    next_.assign(n, 0.0);
}

// A hundredth of the time in which y would change by its own size.
double DormandPrince::choose_first_step(const OdeRate& f, double t, double direction,
                                        std::span<const double> y) {
    if (settings_.first_step > 0) return std::min(settings_.first_step, settings_.max_step);
    const auto norm = [&](std::span<const double> v) {
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            const double scale =
                settings_.absolute_tolerance + settings_.relative_tolerance * std::abs(y[i]);
            sum += (v[i] / scale) * (v[i] / scale);
        }
        return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(v.size(), 1)));
    };
    const double size = norm(y), rate = norm(k_[0]);
    const double guess = size > 1e-5 && rate > 1e-5 ? 0.01 * size / rate : 1e-6;
    // Then the second derivative, by one explicit Euler step.
    for (std::size_t i = 0; i < y.size(); ++i) stage_[i] = y[i] + direction * guess * k_[0][i];
    f(t + direction * guess, stage_, k_[1]);
    ++evaluations_;
    for (std::size_t i = 0; i < y.size(); ++i) k_[2][i] = k_[1][i] - k_[0][i];
    const double bend = norm(k_[2]) / guess, larger = std::max(rate, bend);
    double h = larger > 1e-15 ? fifth_root(0.01 / larger) : std::max(1e-6, guess * 1e-3);
    if (!std::isfinite(h)) h = guess;
    return std::min({100 * guess, h, settings_.max_step});
}

void DormandPrince::take_step(const OdeRate& f, double t, double h, std::span<const double> y) {
    for (std::size_t s = 1; s < 7; ++s) {
        auto& point = s == 6 ? next_ : stage_;
        for (std::size_t i = 0; i < y.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < s; ++j) sum += kStage[s - 1][j] * k_[j][i];
            point[i] = y[i] + h * sum;
        }
        f(t + kNode[s] * h, point, k_[s]);
        ++evaluations_;
    }
}

double DormandPrince::error_of_step(double h, std::span<const double> y) const {
    double sum = 0;
    const std::size_t active = y.size() - settings_.passive_components;
    for (std::size_t i = 0; i < active; ++i) {
        double error = 0;
        for (std::size_t s = 0; s < 7; ++s) error += kError[s] * k_[s][i];
        const double size = std::max(std::abs(y[i]), std::abs(next_[i]));
        error *= h / (settings_.absolute_tolerance + settings_.relative_tolerance * size);
        sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(active, 1)));
}

void DormandPrince::fill_dense(double t, double h, std::span<const double> y) {
    dense_.t_ = t;
    dense_.h_ = h;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double change = next_[i] - y[i], bulge = h * k_[0][i] - change;
        double last = 0;
        for (std::size_t s = 0; s < 7; ++s) last += kDense[s] * k_[s][i];
        dense_.terms_[0][i] = y[i];
        dense_.terms_[1][i] = change;
        dense_.terms_[2][i] = bulge;
        dense_.terms_[3][i] = change - h * k_[6][i] - bulge;
        dense_.terms_[4][i] = h * last;
    }
}

// Where g changes its sign in the dense output of the step of size h that was just taken.
BracketedRoot DormandPrince::event_in_dense_output(double t, double h, std::span<const double> y,
                                                   const OdeEvent& event) {
    fill_dense(t, h, y);
    const auto value_at = [&](double size) {
        if (size == 0) return event.g(t, y);
        if (size == h) return event.g(t + h, next_);
        dense_.evaluate(t + size, stage_);
        return event.g(t + size, stage_);
    };
    return find_root(value_at, 0, h, spacing_at(t));
}

// Shortens h so that a step of this size ends just before the event, or after it. Dense output
// tells where the event is but for its own error; full steps around that place then find it, so
// next_ is as accurate as any other. What stops after an event may do so later by kDenseError.
bool DormandPrince::locate_event(const OdeRate& f, double t, double& h, std::span<const double> y,
                                 const OdeEvent& event) {
    const BracketedRoot guess = event_in_dense_output(t, h, y, event);
    if (guess.status != RootStatus::found) return false;
    const double at_start = event.g(t, y);
    const auto value_after = [&](double size) {
        if (size == 0) return at_start;
        take_step(f, t, size, y);
        return event.g(t + size, next_);
    };
    const auto is_before = [&](double value) { return at_start > 0 ? value > 0 : value < 0; };
    double lower = guess.x, upper = guess.x; // before and after the event
    double at_lower = value_after(guess.x), at_upper = at_lower;
    const bool is_early = is_before(at_lower);
    for (double reach = kDenseError * h;; reach *= 16) {
        double& end = is_early ? upper : lower;
        end = is_early ? guess.x + reach : guess.x - reach;
        const bool is_last = !(std::abs(end - 0.5 * h) < 0.5 * std::abs(h));
        if (is_last) end = is_early ? h : 0;
        double& at_end = is_early ? at_upper : at_lower;
        at_end = value_after(end);
        if (is_before(at_end) != is_early) break;
        if (is_last) return false;
        (is_early ? lower : upper) = end;
        (is_early ? at_lower : at_upper) = at_end;
    }
    const bool stops_before = event.stop == OdeEvent::Stop::before;
    const double tolerance =
        stops_before ? spacing_at(t) : std::max(spacing_at(t), 2 * kDenseError * std::abs(h));
    const auto value_between = [&](double size) {
        return size == lower ? at_lower : size == upper ? at_upper : value_after(size);
    };
    const BracketedRoot root = find_root(value_between, lower, upper, tolerance,
                                         stops_before ? RootSide::first : RootSide::second);
    if (root.status != RootStatus::found) return false;
    h = root.x;
    if (h == 0) {
        std::copy(y.begin(), y.end(), next_.begin());
        k_[6] = k_[0];
    } else {
        take_step(f, t, h, y);
    }
    return true;
}

// The earliest event within the step is taken: locating one shortens the step for the next.
bool DormandPrince::shorten_to_event(const OdeRate& f, double t, double& h,
                                     std::span<const double> y, std::span<const OdeEvent> events,
                                     std::span<const double> values, std::size_t& which) {
    bool found = false;
    for (std::size_t e = 0; e < events.size(); ++e) {
        const double after = events[e].g(t + h, next_);
        if (crosses(events[e], values[e], after) && locate_event(f, t, h, y, events[e])) {
            found = true;
            which = e;
        }
    }
    return found;
}

OdeResult DormandPrince::integrate(const OdeRate& f, double t, double t_end, std::span<double> y,
                                   std::span<const OdeEvent> events, const OdeObserver& observer) {
    OdeResult result;
    resize(y.size());
    evaluations_ = 1;
    f(t, y, k_[0]);
    const auto finish = [&](OdeStatus status) {
        result.status = status;
        result.t = t;
        result.evaluations = evaluations_;
        return result;
    };
    if (!all_finite(k_[0]) || !all_finite(y)) return finish(OdeStatus::not_finite);

    const double direction = t_end < t ? -1 : 1;
    double size = choose_first_step(f, t, direction, y);
    std::vector<double> values(events.size());
    for (std::size_t e = 0; e < events.size(); ++e) values[e] = events[e].g(t, y);

    bool finite = true, after_rejection = false;
    while (direction * (t_end - t) > 0) {
        if (result.steps + result.rejected >= settings_.max_steps)
            return finish(OdeStatus::too_many_steps);
        if (settings_.interrupt && settings_.interrupt()) return finish(OdeStatus::interrupted);
        const double left = std::abs(t_end - t);
        const bool last = size >= left * (1 - 1e-12);
        double h = direction * (last ? left : size);
        if (!(std::abs(h) > 4 * std::numeric_limits<double>::epsilon() * std::abs(t)) && !last)
            return finish(finite ? OdeStatus::step_too_small : OdeStatus::not_finite);

        take_step(f, t, h, y);
        const double error = error_of_step(h, y);
        finite = std::isfinite(error);
        const bool accepted = finite && error <= 1;
        size = std::min(size_after(h, error, after_rejection), settings_.max_step);
        after_rejection = !accepted;
        ++(accepted ? result.steps : result.rejected);
        if (!accepted) continue;

        const bool stopped = shorten_to_event(f, t, h, y, events, values, result.event);
        // A shorter step may be worse: where f has another form beyond the event, the stages of the
        // longer one lay there.
        if (stopped && error_of_step(h, y) > 1) {
            size = 0.5 * std::abs(h);
            ++result.rejected;
            continue;
        }
        fill_dense(t, h, y);
        t = last && !stopped ? t_end : t + h;
        std::copy(next_.begin(), next_.end(), y.begin());
        std::swap(k_[0], k_[6]); // first stage of the next step = last of this one
        for (std::size_t e = 0; e < events.size(); ++e) values[e] = events[e].g(t, y);
        if (observer) observer(dense_, y);
        if (stopped) return finish(OdeStatus::stopped_at_event);
    }
    return finish(OdeStatus::reached_end);
}

} // namespace rigor
