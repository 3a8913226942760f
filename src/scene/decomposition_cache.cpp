#include "scene/decomposition_cache.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "base/hash.h"
#include "base/output_file.h"
#include "math/number_text.h"
#include "scene/scene_files.h"

namespace rigor {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t(256) << 20;
constexpr std::string_view kTitle = "rigor convex pieces 1";

std::string hex(std::uint64_t value) {
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
    return out;
}

std::string checksum(std::string_view text) {
    Hasher hasher;
    hasher.add(text.size());
    hasher.add_bytes(text.data(), text.size());
    return hex(hasher.value());
}

/// Takes a text apart, line by line and word by word.
class PiecesReader {
  public:
    explicit PiecesReader(std::string_view text) : rest_(text) {}

    /// The rest of a line that begins with a word.
    std::optional<std::string_view> line(std::string_view word) {
        const std::string_view whole = rest_.substr(0, rest_.find('\n'));
        if (!whole.starts_with(word)) return {};
        rest_.remove_prefix(std::min(rest_.size(), whole.size() + 1));
        return whole.substr(word.size());
    }
    /// A number in a line of its own, after a word.
    template <class T>
    std::optional<T> number(std::string_view word) {
        const std::optional<std::string_view> found = line(word);
        if (!found) return {};
        return parse<T>(*found);
    }
    std::optional<Vec3d> point() {
        std::optional<std::string_view> found = line("");
        Vec3d p;
        for (int i = 0; i < 3; ++i) {
            const std::string_view word = found->substr(0, found->find(' '));
            const std::optional<double> value = parse<double>(word);
            if (!value || !std::isfinite(*value)) return {};
            p[i] = *value;
            found->remove_prefix(std::min(found->size(), word.size() + 1));
        }
        return p;
    }

  private:
    template <class T>
    static std::optional<T> parse(std::string_view word) {
        T value{};
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
        if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return {};
        return value;
    }

    std::string_view rest_;
};

std::optional<std::vector<Vec3d>> read_piece(PiecesReader& in) {
    const std::optional<std::size_t> count = in.number<std::size_t>("piece ");
    if (!count) return {};
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < *count; ++i) {
        const std::optional<Vec3d> p = in.point();
        if (!p) return {};
        points.push_back(*p);
    }
    return points;
}

} // namespace

fs::path pieces_file(const fs::path& mesh_file, double concavity) {
    return mesh_file.string() + "." + text(concavity) + ".pieces";
}

std::uint64_t pieces_key(const TriangleSoup& soup, double concavity) {
    Hasher hasher;
    hasher.add(kDecompositionVersion);
    hasher.add_value(concavity);
    hasher.add(soup.vertices.size());
    hasher.add_bytes(soup.vertices.data(), soup.vertices.size() * sizeof(Vec3d));
    hasher.add(soup.triangles.size());
    hasher.add_bytes(soup.triangles.data(), soup.triangles.size() * sizeof(soup.triangles[0]));
    return hasher.value();
}

std::string to_text(const Decomposition& decomposition, std::uint64_t key) {
    std::string out(kTitle);
    out += "\nkey " + hex(key) + "\nconcavity " + text(decomposition.concavity);
    out += "\nwarning " + decomposition.warning;
    out += "\npieces " + text(decomposition.pieces.size()) + "\n";
    for (const std::vector<Vec3d>& piece : decomposition.pieces) {
        out += "piece " + text(piece.size()) + "\n";
        for (const Vec3d& p : piece) {
            out.append(text(p.x)).append(" ").append(text(p.y)).append(" ");
            out.append(text(p.z)).append("\n");
        }
    }
    return out + "end " + checksum(out) + "\n";
}

std::optional<Decomposition> pieces_from_text(const std::string& text, std::uint64_t key) {
    const std::size_t end = text.rfind("end ");
    if (end == std::string::npos) return {};
    const std::string_view body = std::string_view(text).substr(0, end);
    if (text.substr(end) != "end " + checksum(body) + "\n") return {};

    PiecesReader in(body);
    if (in.line(kTitle) != "" || in.line("key ") != hex(key)) return {};
    Decomposition out;
    const std::optional<double> concavity = in.number<double>("concavity ");
    const std::optional<std::string_view> warning = in.line("warning ");
    const std::optional<std::size_t> count = in.number<std::size_t>("pieces ");
    if (!concavity || !warning || !count || *count == 0) return {};
    out.concavity = *concavity;
    out.warning = *warning;
    for (std::size_t i = 0; i < *count; ++i) {
        std::optional<std::vector<Vec3d>> piece = read_piece(in);
        if (!piece) return {};
        out.pieces.push_back(std::move(*piece));
    }
    return out;
}

Result<std::string> prepare_pieces(const fs::path& mesh_file,
                                   const std::shared_ptr<const TriangleSoup>& soup,
                                   double concavity) {
    if (known_pieces(soup, concavity)) return std::string();
    const std::uint64_t key = pieces_key(*soup, concavity);
    const fs::path file = pieces_file(mesh_file, concavity);
    if (const Result<std::string> bytes = read_file(file, kMaxBytes)) {
        const std::optional<Decomposition> kept = pieces_from_text(*bytes, key);
        if (kept && share_pieces(soup, concavity, kept->pieces)) return kept->warning;
    }
    const auto mesh = shared_mesh(soup);
    if (!mesh) return mesh.error();
    const Result<Decomposition> made = decompose(**mesh, {concavity});
    if (!made) return made.error();
    if (auto shared = share_pieces(soup, concavity, made->pieces); !shared) return shared.error();
    static_cast<void>(write_file(file.string(), to_text(*made, key))); // else made again next time
    return made->warning;
}

} // namespace rigor
