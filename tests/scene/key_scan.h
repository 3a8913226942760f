// What each method makes of each key of the scene format: uses it, warns of it, or refuses it.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rigor/simulation.h"

namespace rigor::test {

/// One change of one key in one scene.
struct KeyProbe {
    std::string key;              ///< "material.friction", "shape_box.size"
    nlohmann::json scene, change; ///< without and with the key, or with another value
    int steps = 8;
    /// What the key asks for: where it holds anyhow, the key need not be felt. One of the facts of
    /// a run, or empty.
    std::string fact;
    std::string otherwise = "silent"; ///< what a run without a difference or a warning means
    bool also = false; ///< it must do by itself, whatever other probes of the key show
};

/// What a method does with a key: "yes", "always" (what it asks for holds anyhow), "warns",
/// "refuses", "run" (`rigor run` acts on it), or what is wrong.
using KeyUse = std::string;

bool is_accounted_for(const KeyUse& use);

/// The probes of key_probes.json, and which keys need none.
class KeyProbes {
  public:
    KeyProbes(const nlohmann::json& file, const nlohmann::json& schema);

    const std::vector<KeyProbe>& probes() const { return probes_; }
    /// Keys that no method can feel, and who uses them; keys that are other objects.
    const std::map<std::string, std::string>& others() const { return others_; }
    /// Keys of the schema that nothing above is about, and the other way round.
    std::set<std::string> missing() const;
    std::set<std::string> unknown() const;

  private:
    void add(const nlohmann::json& file, const nlohmann::json& probe, const std::string& key);
    std::vector<std::string> matching(const std::string& pattern) const;

    std::set<std::string> keys_; ///< of the schema
    std::vector<KeyProbe> probes_;
    std::map<std::string, std::string> others_;
};

/// Runs probes; scenes without the change are run once, as far as they are asked for.
class KeyScan {
  public:
    explicit KeyScan(std::filesystem::path folder) : folder_(std::move(folder)) {}
    KeyUse use(const KeyProbe& probe, const std::string& method);

  private:
    /// A scene under a method, stepped on demand.
    class Run {
      public:
        Run(nlohmann::json scene, const std::string& method, const std::filesystem::path& folder);

        const std::string& refusal() const { return refusal_; }
        const std::vector<std::string>& warnings() const { return warnings_; }
        /// Everything that happened in a step.
        const std::vector<double>& seen(std::size_t step);
        /// Of the steps so far.
        bool has_fact(const std::string& fact) const;

      private:
        std::string refusal_;
        std::optional<Simulation> simulation_;
        std::vector<std::string> warnings_;
        std::vector<std::vector<double>> seen_;
        bool slept_ = false;
        double speed_ = 0; ///< of the last body, at the start
    };

    std::filesystem::path folder_;
    std::map<std::string, Run> known_;
};

/// Rows of keys with equal uses: `uses[key][method]`.
std::string key_table(const std::map<std::string, std::vector<KeyUse>>& uses,
                      const std::vector<std::string>& methods);

} // namespace rigor::test
