// Handlers of the requests that save and load: recordings of sessions, and scenes of their state.

#include <nlohmann/json.hpp>

#include "rigor/version.h"
#include "viewer/scene_export.h"
#include "viewer/simulation_server.h"

namespace rigor::viewer {
namespace {

std::string stem_of(const std::string& name) {
    return std::filesystem::path(name).stem().string();
}

} // namespace

void SimulationServer::handle(const SaveRecording&) {
    if (worlds_.empty()) return;
    SessionRecording recording{scene_name_, scene_text_, version_info().numerics,
                               0,           {},          overrides_};
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Session& session = worlds_[i].session;
        recording.steps = std::max(recording.steps, session.last_step());
        recording.worlds.push_back({methods_[i], session.actions(), session.hashes()});
    }
    reply({{"type", "recording"},
           {"name", stem_of(scene_name_) + ".recording.json"},
           {"text", write_recording(recording)}});
}

void SimulationServer::handle(const LoadRecording& request) {
    const SessionRecording& recording = request.recording;
    std::vector<std::string> methods;
    for (const RecordedWorld& world : recording.worlds) methods.push_back(world.method);
    if (auto opened = open(recording.name, recording.scene, methods, recording.overrides); !opened)
        return reply_with_error(opened.error());
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const RecordedWorld& world = recording.worlds[i];
        worlds_[i].session.set_future(world.actions, recording.steps, world.hashes);
        for (const TimedAction& timed : world.actions)
            last_group_ = std::max(last_group_, timed.group);
    }
    if (recording.numerics != version_info().numerics) {
        reply({{"type", "notice"},
               {"text",
                "the recording was made by a version with other numerics: results may differ"}});
    }
    invalidate_all();
}

void SimulationServer::handle(const ExportScene& request) {
    const Session* session = find_session(request.world);
    if (!session) return;
    reply({{"type", "scene_text"},
           {"name", stem_of(scene_name_) + "_" + std::to_string(session->current_step()) + ".json"},
           {"text", export_scene(*session)}});
}

} // namespace rigor::viewer
