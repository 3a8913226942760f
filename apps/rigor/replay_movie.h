// A replay as a movie: what bodies look like, and where they are at its frames.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
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
        Posed pose;              ///< in the body's frame
        std::uint32_t color = 0; ///< as Material::color
        std::size_t shape = 0;   ///< in World::shapes
        /// Of a mesh that may deform, for its triangles; else null.
        std::shared_ptr<const TriangleSoup> soup;
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
    /// A mesh that is not as it was added.
    struct Deformed {
        std::uint32_t body = 0; ///< in bodies()
        std::uint32_t part = 0; ///< of the body
        /// Three numbers for each vertex; the same object as in the frame before when nothing
        /// changed.
        std::shared_ptr<const std::vector<float>> vertices;
    };
    struct Frame {
        double time = 0;
        std::vector<Placed> placed;
        std::vector<Deformed> deformed;
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
    void add_deformed(const World& world, BodyId id, std::uint32_t body, Frame& frame);
    static std::size_t size_of(const Frame& frame); ///< in poses

    std::vector<std::vector<float>> geometries_;
    std::map<std::string, std::size_t> known_; ///< geometries, by their definition
    std::vector<Body> bodies_;
    std::map<BodyId, std::uint32_t> index_of_;
    std::vector<Frame> frames_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<const std::vector<float>>>
        last_deformed_;       ///< by body and part
    std::uint64_t every_ = 1; ///< steps
    std::size_t poses_ = 0;
};

} // namespace rigor::app
