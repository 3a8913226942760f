// All that a Rigor without linear programs has: what needs them is refused where it is asked for,
// and everything else works.
#include <cstdio>
#include <string>

#include "rigor/linear_programs.h"
#include "rigor/world.h"

namespace {

bool is_refused(const rigor::WorldSettings& settings) {
    try {
        rigor::World world(settings);
    } catch (const rigor::UsageError& e) {
        std::printf("%s\n", e.what());
        return std::string(e.what()).find("linear programs") != std::string::npos;
    }
    return false;
}

} // namespace

int main() {
    rigor::WorldSettings lp, own, other;
    lp.laws.resting = rigor::RestingRule::lp;
    own.method = other.method = rigor::Method::baber2006;
    other.laws.resting = rigor::RestingRule::lcp;
    rigor::World world;
    bool kept = false; // a world that refuses settings keeps those it has
    try {
        world.set_settings(lp);
    } catch (const rigor::UsageError&) {
        kept = !world.settings().laws.resting;
    }
    return is_refused(lp) && is_refused(own) && !is_refused(other) && kept ? 0 : 1;
}
