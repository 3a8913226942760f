#include "findings.h"

namespace check {

void Findings::add(const Law& law, double residual, const Place& place) {
    Finding& worst = worst_[&law];
    if (!(residual <= worst.residual)) worst = {std::isnan(residual) ? HUGE_VAL : residual, place};
}

} // namespace check
