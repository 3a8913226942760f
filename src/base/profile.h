// Profile: seconds spent in each stage of a step.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

namespace rigor {

/// Seconds in each named stage since the last reset. A stage has one name in code, docs, profile
/// and viewer; names are string literals, in the order of their first use.
class Profile {
  public:
    struct Stage {
        std::string_view name;
        double seconds = 0;
    };

    void add(std::string_view name, double seconds) {
        for (Stage& stage : stages_) {
            if (stage.name == name) {
                stage.seconds += seconds;
                return;
            }
        }
        stages_.push_back({name, seconds});
    }

    const std::vector<Stage>& stages() const { return stages_; }
    void reset() { stages_.clear(); }

  private:
    std::vector<Stage> stages_;
};

/// Scoped timer: adds its lifetime to a stage.
class StageTimer {
  public:
    using Clock = std::chrono::steady_clock;

    StageTimer(Profile& profile, std::string_view name)
        : profile_(profile), name_(name), start_(Clock::now()) {}
    ~StageTimer() {
        profile_.add(name_, std::chrono::duration<double>(Clock::now() - start_).count());
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

  private:
    Profile& profile_;
    std::string_view name_;
    Clock::time_point start_;
};

} // namespace rigor
