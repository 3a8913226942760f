#include "features/fracture/fracture_checks.h"

#include <array>
#include <cmath>

#include "base/invalid_value.h"

namespace rigor {
namespace {

Result<void> check_thresholds(const FractureDef& f) {
    struct Threshold {
        const char* name;
        const std::optional<double>& value;
    };
    const std::array<Threshold, 4> all{
        {{"impulse", f.impulse}, {"force", f.force}, {"momentum", f.momentum}, {"bonds", f.bonds}}};
    int given = 0;
    for (const auto& [name, value] : all) {
        if (!value) continue;
        ++given;
        if (!(*value > 0 && std::isfinite(*value)))
            return invalid(name, "must be positive and finite, got " + std::to_string(*value));
    }
    if (given == 1) return {};
    return invalid("fracture", "exactly one of impulse, force, momentum and bonds must be given");
}

} // namespace

Result<void> check_fracture(const BodyDef& def, const FractureDef& f) {
    if (!has_fracture())
        return Error{ErrorCode::unsupported, "fracture",
                     "needs Voronoi cells, which this program cannot make: link rigor::voro, from "
                     "a Rigor built with RIGOR_WITH_VORO"};
    if (def.type != BodyType::dynamic_body)
        return invalid("fracture", "only a dynamic body can break");
    if (f.pieces < 2 || f.pieces > FractureDef::kMaxPieces)
        return invalid("pieces", "must be from 2 to " + std::to_string(FractureDef::kMaxPieces) +
                                     ", got " + std::to_string(f.pieces));
    if (f.max_pieces < f.pieces)
        return invalid("max_pieces", "must not be less than pieces, " + std::to_string(f.pieces) +
                                         ", got " + std::to_string(f.max_pieces));
    if (!(f.min_size >= 0 && std::isfinite(f.min_size)))
        return invalid("min_size",
                       "must be finite and not negative, got " + std::to_string(f.min_size));
    if (!(f.energy >= 0 && std::isfinite(f.energy)))
        return invalid("energy",
                       "must be finite and not negative, got " + std::to_string(f.energy));
    return check_thresholds(f);
}

} // namespace rigor
