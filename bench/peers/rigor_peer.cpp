// Rigor itself as a peer, through the public API.

#include "bench/peers/peer.h"
#include "rigor/simulation.h"
#include "rigor/version.h"

namespace rigor::bench {
namespace {

class RigorPeer : public Peer {
  public:
    explicit RigorPeer(Simulation simulation) : simulation_(std::move(simulation)) {}

    void step(double dt) override { report_ = simulation_.step(dt); }
    Motion motion(std::size_t i) const override {
        const World& world = simulation_.world();
        const BodyId id = simulation_.body(i);
        if (!world.is_valid(id)) return {}; // it broke
        const BodyState state = world.state(id);
        return {world.pose(id), state.velocity, state.angular_velocity};
    }
    std::vector<StageTime> stages() const override { return report_.stages; }
    std::vector<std::string> notes() const override { return simulation_.warnings(); }

  private:
    Simulation simulation_;
    StepReport report_;
};

Result<std::unique_ptr<Peer>> make(const PeerSetup& setup) {
    Result<Simulation> simulation = Simulation::make(setup.scene, {.threads = setup.threads});
    if (!simulation) return simulation.error();
    return std::unique_ptr<Peer>(std::make_unique<RigorPeer>(std::move(*simulation)));
}

} // namespace

Engine rigor_engine() {
    const VersionInfo info = version_info();
    return {.name = "rigor",
            .package = "",
            .version = info.version,
            .flags = info.compiler + ", " + info.flags + ", " + info.simd,
            .max_threads = 1024,
            .make = make};
}

} // namespace rigor::bench
