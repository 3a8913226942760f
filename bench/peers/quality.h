// Quality at the end of a run, from poses and velocities alone, the same for every engine.
#pragma once

#include <optional>

#include "bench/peers/peer.h"
#include "rigor/simulation.h"

namespace rigor::bench {

struct Quality {
    double penetration_max = 0; ///< m, of pairs that overlap
    double penetration_p99 = 0;
    std::optional<double> drift; ///< m, the farthest any body moved level; where all should stand
    std::optional<double> joint_error; ///< m, the widest gap of any joint
    double kinetic_energy = 0;         ///< J
    std::size_t lost = 0;              ///< bodies whose place is not a number; left out of the rest
};

/// Measures by putting the bodies of a world of the same scene where the engine has them.
class Inspector {
  public:
    static Result<Inspector> make(const Scene& scene);

    /// What the engines are given.
    const std::vector<MassProperties>& masses() const { return masses_; }
    std::size_t dynamic_bodies() const;

    /// Slow: every pair of shapes is measured exactly. `stands`: drift is an error.
    Quality inspect(const Peer& peer, bool stands);

  private:
    explicit Inspector(Simulation simulation);

    Simulation simulation_;
    std::vector<MassProperties> masses_;
};

/// The smallest of the sorted values that `share` of them do not exceed; zero when there are none.
double percentile(const std::vector<double>& sorted, double share);

} // namespace rigor::bench
