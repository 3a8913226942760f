#include "dynamics/pipeline.h"

namespace rigor {

// Default implementations: most pipelines ignore some notifications.
Result<void> Pipeline::check(const WorldSettings&) const {
    return {};
}
void Pipeline::update_sensors(const WorldState&, FunctionRef<const ShapeProxies&()>, Events&) {}
JointReadout Pipeline::joint_readout(JointId) const {
    return {};
}
void Pipeline::body_moved(std::uint32_t) {}
void Pipeline::shapes_changed(const WorldState&, std::uint32_t, std::vector<std::uint32_t>&) {}
void Pipeline::material_changed(const WorldState&, std::uint32_t) {}
void Pipeline::periodic_cell_changed(const WorldState&) {}
void Pipeline::state_changed() {}
bool Pipeline::is_awake(std::uint32_t) const {
    return true;
}
void Pipeline::wake(const WorldState&, std::uint32_t, std::vector<std::uint32_t>&) {}
void Pipeline::wake_all(const WorldState&, std::vector<std::uint32_t>&) {}
void Pipeline::wake_around(const WorldState&, std::uint32_t, std::vector<std::uint32_t>&) {}

} // namespace rigor
