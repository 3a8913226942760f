// `--set PATH=VALUE`: changes to the tree before it is read, so that an overridden value
// passes the same checks as one in the file.
#include <charconv>
#include <vector>

#include "scene/json_document.h"
#include "scene/json_parser.h"

namespace rigor {

namespace {

/// One step of a path: into an object by key, or into an array by index.
struct Step {
    std::string_view key;
    std::uint32_t index = 0;
    bool is_index = false;
};

/// "bodies[0].mass" into bodies, 0, mass; empty when it is not such a path.
std::vector<Step> split_path(std::string_view path) {
    std::vector<Step> steps;
    while (!path.empty()) {
        if (path.front() == '[') {
            Step step{{}, 0, true};
            const char* end = path.data() + path.size();
            const auto parsed = std::from_chars(path.data() + 1, end, step.index);
            if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != ']') return {};
            path.remove_prefix(static_cast<std::size_t>(parsed.ptr + 1 - path.data()));
            steps.push_back(step);
        } else {
            if (!steps.empty()) {
                if (path.front() != '.') return {};
                path.remove_prefix(1);
            }
            const std::string_view key = path.substr(0, path.find_first_of(".["));
            if (key.empty()) return {};
            path.remove_prefix(key.size());
            steps.push_back({key});
        }
    }
    if (!steps.empty() && steps.front().is_index) return {};
    return steps;
}

bool is_bare_word(std::string_view value) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (value.empty() || !is_letter(value.front())) return false;
    if (value == "true" || value == "false" || value == "null") return false;
    if (value == "NaN" || value == "Infinity") return false;
    return value.find_first_of("\"\\{}[],:") == std::string_view::npos;
}

/// What a vector is when nobody says: `--set gravity[0]=1` leaves the rest of gravity alone.
/// Empty for fields without a default.
std::string_view default_vector(std::string_view key, std::string_view parent) {
    if (key == "gravity") return "[0, 0, -9.81]";
    if (key == "orientation" || key == "frame") return "[1, 0, 0, 0]";
    if (parent == "camera" && key == "position") return "[10, -10, 5]";
    if (key == "up" || key == "steer_axis") return "[0, 0, 1]";
    for (const std::string_view zero : {"position", "velocity", "angular_velocity", "target",
                                        "center_of_mass", "surface_velocity"})
        if (key == zero) return "[0, 0, 0]";
    return {};
}

} // namespace

class JsonEditor {
  public:
    using Index = JsonDocument::Index;

    JsonEditor(JsonDocument& document, std::string_view path, std::string_view origin)
        : document_(document),
          name_(origin.empty() ? "--set " + std::string(path) : std::string(origin)),
          path_(path),
          is_flag_(!origin.empty()) {}

    Result<void> set(std::string_view path, std::string_view value) {
        const std::vector<Step> steps = split_path(path);
        if (steps.empty())
            return error("a path is written like settings.substeps or bodies[0].mass, got " +
                         quoted(path));
        const Result<Index> parsed = parse(value);
        if (!parsed) return parsed.error();
        Index at = JsonDocument::kRoot;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].is_index && document_.kind(at) == JsonKind::null)
                fill_in(at, steps[i - 1].key, i >= 2 ? steps[i - 2].key : std::string_view());
            const Result<Index> below = descend(at, steps[i]);
            if (!below) return below.error();
            at = *below;
        }
        replace(at, *parsed);
        return {};
    }

  private:
    Error error(std::string message) const {
        return {ErrorCode::invalid_value, name_, std::move(message)};
    }

    void add_source(std::string text) {
        const JsonDocument::Source& last = document_.sources_.back();
        // One more than the text: an error at its very end still belongs to it.
        const auto begin = last.begin + static_cast<std::uint32_t>(last.text.size()) + 1;
        document_.sources_.push_back({name_, std::move(text), begin, false, path_});
    }

    Result<Index> parse(std::string_view value) {
        Result<Index> parsed = parse_json(is_bare_word(value) ? quoted(value) : std::string(value));
        if (parsed || !is_flag_) return parsed;
        return parse_json(json_string(value));
    }

    Result<Index> parse_json(std::string text) {
        add_source(std::move(text));
        JsonParser parser(document_);
        const Index node = parser.parse();
        if (parser.error()) return *parser.error();
        return node;
    }

    void fill_in(Index at, std::string_view key, std::string_view parent) {
        const std::string_view text = default_vector(key, parent);
        if (text.empty()) return;
        add_source(std::string(text));
        replace(at, JsonParser(document_).parse());
    }

    /// The node a step leads to. A key that is not there is added, and an empty value that a
    /// further key is asked of becomes an object.
    Result<Index> descend(Index at, const Step& step) {
        JsonDocument::Node& node = document_.nodes_[at];
        if (step.is_index) {
            const std::uint32_t size = node.kind == JsonKind::array ? document_.size(at) : 0;
            if (step.index >= size)
                return error("element [" + std::to_string(step.index) + "] is not there: " +
                             document_.path(at) + " has " + std::to_string(size) + " elements");
            Index child = document_.first(at);
            for (std::uint32_t i = 0; i < step.index; ++i) child = document_.next(child);
            return child;
        }
        if (node.kind == JsonKind::null) {
            node.kind = JsonKind::object;
            node.content.children = {JsonDocument::kNone, 0};
        }
        if (node.kind != JsonKind::object)
            return error(quoted(step.key) + " is not there: " + document_.path(at) + " is " +
                         std::string(with_article(node.kind)));
        const Index key = document_.find(at, step.key);
        return document_.value_of(key != JsonDocument::kNone ? key : add_member(at, step.key));
    }

    Index add_member(Index object, std::string_view text) {
        const std::uint32_t offset = document_.sources_.back().begin;
        const Index value = add_node(JsonKind::null, offset);
        const Index key = add_node(JsonKind::string, offset);
        document_.nodes_[key].content.text = {static_cast<std::uint32_t>(document_.strings_.size()),
                                              value};
        document_.strings_.push_back({static_cast<std::uint32_t>(document_.pool_.size()),
                                      static_cast<std::uint32_t>(text.size())});
        document_.pool_ += text;
        auto& children = document_.nodes_[object].content.children;
        document_.nodes_[key].next = children.first;
        children.first = key;
        ++children.count;
        return key;
    }

    Index add_node(JsonKind kind, std::uint32_t offset) {
        JsonDocument::Node node;
        node.kind = kind;
        node.offset = offset;
        document_.nodes_.push_back(node);
        return static_cast<Index>(document_.nodes_.size() - 1);
    }

    void replace(Index at, Index by) {
        const Index next = document_.nodes_[at].next;
        document_.nodes_[at] = document_.nodes_[by];
        document_.nodes_[at].next = next;
    }

    JsonDocument& document_;
    std::string name_, path_;
    bool is_flag_; ///< not --set
};

Result<void> override_value(JsonDocument& document, std::string_view path, std::string_view value,
                            std::string_view origin) {
    return JsonEditor(document, path, origin).set(path, value);
}

bool is_override_path(std::string_view path) {
    return !split_path(path).empty();
}

std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return result + '"';
}

} // namespace rigor
