#include "replay_page.h"

#include <cstring>
#include <map>

#include "output.h"
#include "svg_plot.h"

namespace rigor::app {
namespace {

/// Little-endian words as base64.
template <class Word>
std::string encode(const std::vector<Word>& words) {
    static const char* const kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static_assert(sizeof(Word) == 4);
    std::vector<unsigned char> bytes;
    bytes.reserve(words.size() * 4);
    for (const Word word : words) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &word, 4);
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<unsigned char>(bits >> 8 * i));
    }
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < left ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= left ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

/// Those that are not the same as in the frame before: [body, part, vertices].
class DeformedWriter {
  public:
    Json changes(const ReplayMovie::Frame& frame) {
        Json all = Json::array();
        for (const ReplayMovie::Deformed& mesh : frame.deformed) {
            auto& written = written_[{mesh.body, mesh.part}];
            if (written == mesh.vertices) continue;
            written = mesh.vertices;
            all.push_back({mesh.body, mesh.part, encode(*mesh.vertices)});
        }
        return all;
    }
    bool has_written(std::uint32_t body, std::uint32_t part) const {
        return written_.count({body, part}) > 0;
    }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<const std::vector<float>>>
        written_;
};

std::vector<std::uint32_t> corners(const TriangleSoup& soup) {
    std::vector<std::uint32_t> all;
    for (const auto& triangle : soup.triangles)
        for (const std::uint32_t v : triangle) all.push_back(v);
    return all;
}

/// [geometry, position, orientation, color?, corners of a mesh that deforms?].
Json describe(const ReplayMovie::Part& part, bool deforms) {
    Json out = {part.geometry, app::to_json(part.pose.p), app::to_json(part.pose.q), nullptr,
                nullptr};
    if (part.color != 0) {
        const auto channel = [&](int shift) { return (part.color >> shift & 255u) / 255.0; };
        out[3] = {channel(24), channel(16), channel(8)};
    }
    if (deforms) out[4] = encode(corners(*part.soup));
    return out;
}

Json describe(const ReplayMovie& movie) {
    Json geometries = Json::array(), bodies = Json::array(), frames = Json::array();
    for (const std::vector<float>& triangles : movie.geometries())
        geometries.push_back(encode(triangles));
    DeformedWriter deformed;
    for (const ReplayMovie::Frame& frame : movie.frames()) {
        std::vector<std::uint32_t> who;
        std::vector<float> poses;
        for (const ReplayMovie::Placed& placed : frame.placed) {
            who.push_back(placed.body);
            poses.insert(poses.end(), placed.pose.begin(), placed.pose.end());
        }
        Json entry = {{"time", frame.time}, {"who", encode(who)}, {"poses", encode(poses)}};
        if (Json meshes = deformed.changes(frame); !meshes.empty()) entry["meshes"] = meshes;
        frames.push_back(std::move(entry));
    }
    for (std::uint32_t i = 0; i < movie.bodies().size(); ++i) {
        const ReplayMovie::Body& body = movie.bodies()[i];
        Json parts = Json::array();
        for (std::uint32_t k = 0; k < body.parts.size(); ++k)
            parts.push_back(describe(body.parts[k], deformed.has_written(i, k)));
        bodies.push_back({{"name", body.name}, {"still", body.is_static}, {"parts", parts}});
    }
    return {{"geometries", geometries}, {"bodies", bodies}, {"frames", frames}};
}

/// JSON within a script element: a name must not end it.
std::string in_script(const std::string& json) {
    std::string out;
    for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
    return out;
}

} // namespace

std::string replay_page(const ReplayMovie& movie, const std::string& title) {
    const std::string data = describe(movie).dump(-1, ' ', false, Json::error_handler_t::replace);
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           plot::escaped(title) + "</title>\n<style>\n" + kReplayStyle +
           "</style>\n</head>\n<body>\n<canvas id=\"view\" tabindex=\"0\" aria-label=\"Recorded "
           "world; drag to turn, wheel to zoom\"></canvas>\n<div id=\"bar\"><button id=\"play\" "
           "aria-label=\"Play or pause\">Pause</button><input id=\"at\" type=\"range\" min=\"0\" "
           "step=\"any\" aria-label=\"Time\"><output id=\"time\"></output><select id=\"speed\" "
           "aria-label=\"Speed\"><option value=\"0.1\">0.1x</option><option value=\"0.5\">0.5x"
           "</option><option value=\"1\" selected>1x</option><option value=\"2\">2x</option>"
           "</select></div>\n<script type=\"application/json\" id=\"movie\">" +
           in_script(data) + "</script>\n<script>\n" + kReplayScript +
           "</script>\n</body>\n</html>\n";
}

} // namespace rigor::app
