// BlockPlan: the order of constraints in colors, and in each color in blocks of W lanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rigor::fast {

struct BlockPlan {
    /// Constraints order[first .. first + count) are the lanes of a block.
    struct Block {
        std::uint32_t first = 0, count = 0;
    };
    /// Blocks [begin, end) share no body that responds to impulses.
    struct Color {
        std::size_t begin = 0, end = 0;
    };

    std::vector<std::uint32_t> order;
    std::vector<Block> blocks;
    std::vector<Color> colors;

    std::vector<std::uint32_t> starts_; // scratch of the sort

    /// Sorts by color, and in a color by kind: blocks are full, and of constraints alike. With
    /// `apart` kinds never share a block. Those alike stay in the order of `sequence`, if it is not
    /// empty, else of their numbers.
    template <class KindOf>
    void make(const std::vector<std::uint32_t>& color_of, std::uint32_t color_count,
              std::uint32_t kinds, const KindOf& kind_of, std::uint32_t width, bool apart,
              std::span<const std::uint32_t> sequence = {}) {
        sort(color_of, color_count, kinds, kind_of, sequence);
        blocks.clear();
        blocks.reserve(order.capacity());
        colors.clear();
        colors.reserve(kUsualColors);
        for (std::uint32_t c = 0; c < color_count; ++c) {
            const std::size_t begin = blocks.size();
            if (apart) {
                for (std::uint32_t k = 0; k < kinds; ++k)
                    cut(end_of(c * kinds + k, 1), end_of(c * kinds + k, 0), width);
            } else {
                cut(end_of(c * kinds, 1), end_of((c + 1) * kinds - 1, 0), width);
            }
            colors.push_back({begin, blocks.size()});
        }
    }

  private:
    /// Their number varies from step to step: none of up to so many allocates.
    static constexpr std::size_t kUsualColors = 64;

    /// After the sort starts_[bin] is where the bin ends.
    std::uint32_t end_of(std::uint32_t bin, std::uint32_t back) const {
        return bin < back ? 0 : starts_[bin - back];
    }

    template <class KindOf>
    void sort(const std::vector<std::uint32_t>& color_of, std::uint32_t color_count,
              std::uint32_t kinds, const KindOf& kind_of, std::span<const std::uint32_t> sequence) {
        const auto bin = [&](std::size_t i) { return color_of[i] * kinds + kind_of(i); };
        starts_.reserve(kUsualColors * kinds + 1);
        starts_.assign(static_cast<std::size_t>(color_count) * kinds + 1, 0);
        for (std::size_t i = 0; i < color_of.size(); ++i) ++starts_[bin(i) + 1];
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        order.resize(color_of.size());
        for (std::uint32_t k = 0; k < color_of.size(); ++k) {
            const std::uint32_t i = sequence.empty() ? k : sequence[k];
            order[starts_[bin(i)]++] = i;
        }
    }

    void cut(std::uint32_t begin, std::uint32_t end, std::uint32_t width) {
        for (; begin < end; begin += width) blocks.push_back({begin, std::min(width, end - begin)});
    }
};

} // namespace rigor::fast
