// A replay as a movie: what bodies look like, and where they are at its frames.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rigor/body.h"
#include "rigor/world.h"

namespace rigor::app {

/// Frames are dropped, every second one at a time, until what remains fits into this.
inline constexpr std::size_t kMaxMoviePoses = 400'000;

class ReplayMovie {
  public:
    struct Part {
        std::size_t geometry = 0;
        Posed pose; ///< in the body's frame
    };
    struct Body {
        std::string name;
        bool is_static = false;
        std::vector<Part> parts;
    };
    struct Placed {
        std::uint32_t body = 0; ///< in bodies()
        std::array<float, 7> pose{};
    };
    struct Frame {
        double time = 0;
        std::vector<Placed> placed;
    };

    void add(BodyId id, const BodyDef& def);
    /// Of the world as it is now, unless it is one of the steps that are left out.
    void add_frame(const World& world);

    /// Corners of triangles, nine numbers each.
    const std::vector<std::vector<float>>& geometries() const { return geometries_; }
    const std::vector<Body>& bodies() const { return bodies_; }
    const std::vector<Frame>& frames() const { return frames_; }

  private:
    std::size_t geometry_of(const ShapeDef& leaf);

    std::vector<std::vector<float>> geometries_;
    std::map<std::string, std::size_t> known_; ///< geometries, by their definition
    std::vector<Body> bodies_;
    std::map<BodyId, std::uint32_t> index_of_;
    std::vector<Frame> frames_;
    std::uint64_t every_ = 1; ///< steps
    std::size_t poses_ = 0;
};

} // namespace rigor::app
