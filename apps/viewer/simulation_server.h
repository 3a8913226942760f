// The simulation server: steps one or more sessions in lockstep, in its own thread.
//
// It takes commands from a bounded queue and puts messages and frames into an outbox. It never
// waits for a client or the network.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <set>
#include <thread>

#include "viewer/describe.h"
#include "viewer/file_watch.h"
#include "viewer/frame_builder.h"
#include "viewer/outbox.h"
#include "viewer/request.h"
#include "viewer/run_check.h"
#include "viewer/step_pacer.h"

namespace rigor::viewer {

/// A client has disconnected.
struct Disconnected {};

struct Command {
    ClientId client = 0; ///< 0: the network thread itself
    std::variant<ClientMessage, Disconnected, Subscriptions> content;
};

struct SimulationServerOptions {
    std::filesystem::path scenes; ///< the folder that scenes are opened from
    SessionOptions session;
    bool reload = true; ///< open a scene again when its file changes
};

class SimulationServer {
  public:
    SimulationServer(SimulationServerOptions options, Outbox& outbox);
    ~SimulationServer();
    SimulationServer(const SimulationServer&) = delete;
    SimulationServer& operator=(const SimulationServer&) = delete;

    /// Opens a scene, with one world for each method; an empty name is the scene's own method. Call
    /// it before start().
    Result<void> open_file(const std::filesystem::path& path,
                           const std::vector<std::string>& methods);
    void start();

    /// Callable from any thread. Returns false when the queue is full.
    bool submit(Command command);

  private:
    static constexpr auto kFrameInterval = std::chrono::milliseconds(15);
    static constexpr auto kStatsInterval = std::chrono::milliseconds(100);

    /// One world of a comparison, and what clients were told of it.
    struct SimulatedWorld {
        Session session;
        FrameBuilder frame_builder;
        GeometryList geometries;
        std::shared_ptr<const std::vector<SessionBody>> sent_bodies;
        std::string sent_settings;
        bool sent_divergence = false;
    };
    struct PlottedBody {
        ClientId client = 0;
        Plot plot;
    };

    void run();
    std::deque<Command> take_commands();
    Clock::time_point next_deadline() const;

    void handle(const Command& command);
    void handle_disconnect(ClientId client);

    // simulation_server_requests.cpp
    void handle(const Hello&);
    void handle(const Subscription&) {} ///< the network thread handles it
    void handle(const ListGallery&) {}  ///< likewise
    void handle(const OpenScene& request);
    void handle(const Run&);
    void handle(const Pause&);
    void handle(const StepBy& request);
    void handle(const Seek& request);
    void handle(const SetSpeed& request);
    void handle(const Restart&);
    void handle(const SetControl& request);
    void handle(const ActionRequest& request);
    void handle(const Undo&);
    void handle(const Redo&);
    void handle(const Inspect& request);
    void handle(const Plot& request);
    void handle(const Pick& request);
    void handle(const CheckRun& request);

    // simulation_server_files.cpp
    void handle(const SaveRecording&);
    void handle(const LoadRecording& request);
    void handle(const ExportScene& request);

    /// A scene that is a file on disk.
    struct SceneFile {
        std::filesystem::path path, folder; ///< the folder of the files it names
        std::string name;                   ///< in errors
        std::string title;                  ///< the `file` that pages are told
    };
    using Overrides = std::vector<SceneOverride>;
    Result<void> open(const std::string& name, std::string text,
                      const std::vector<std::string>& methods, const Overrides& overrides = {});
    Result<void> open(const SceneFile& file, const std::vector<std::string>& methods);
    void replace(std::vector<Session> sessions, std::string name, std::string text,
                 std::vector<std::string> methods, bool reloaded = false);
    void reload_if_changed();
    Result<void> reload();
    /// The open scene again, from its text, with other values of its controls.
    Result<void> apply_controls(Overrides overrides);
    const Session* find_session(std::size_t world) const; ///< null: no such world

    void step_all();
    void start_seek(std::uint64_t step);
    void continue_seek();
    void invalidate_all();

    // simulation_server_publish.cpp
    void publish_if_due();
    void publish();
    void send_changes();
    void send_body_changes(std::size_t index);
    void send_state();
    void send_stats();
    void send_events();
    void send_driven();
    void send_hud();
    void collect_events();
    json scene_message();
    json settings_message(std::size_t index) const;
    json state_message();
    static std::shared_ptr<const std::string> to_text(const json& message);
    void reply(json message); ///< to the request being handled
    void reply_with_error(const Error& error);
    void send(ClientId client, const json& message);
    void broadcast(const json& message, OutgoingMessage::Kind kind = OutgoingMessage::Kind::reply);

    SimulationServerOptions options_;
    Outbox& outbox_;

    // Shared between threads, guarded by the mutex.
    std::mutex mutex_;
    std::condition_variable command_arrived_;
    std::deque<Command> commands_;
    bool stopping_ = false;
    std::thread thread_;

    // The rest belongs to the simulation thread.
    std::vector<SimulatedWorld> worlds_;
    std::string scene_name_, scene_text_;
    std::vector<std::string> methods_;
    Overrides overrides_;                 ///< values that controls gave the scene
    std::optional<SceneFile> scene_file_; ///< none: the scene came as text
    FileWatch file_watch_;
    std::optional<Error> reload_error_; ///< none: the scene is that of the file
    std::uint64_t generation_ = 0;      ///< counts opened scenes
    std::uint64_t last_group_ = 0;      ///< of actions that are undone together
    bool running_ = false;
    double speed_ = 1;
    StepPacer pacer_;
    std::optional<std::uint64_t> seek_target_; ///< step

    std::set<ClientId> clients_;
    std::map<ClientId, Inspect> inspections_;
    std::vector<PlottedBody> plots_;
    Subscriptions subscriptions_;
    std::vector<json> events_;
    std::string sent_hud_; ///< empty: not everyone was told
    std::uint32_t sequence_ = 0;
    bool frames_due_ = false; ///< something changed since the last frames
    bool stats_due_ = false;  ///< something changed since the last stats
    Clock::time_point frames_published_, stats_sent_;

    // The request being handled.
    ClientId requester_ = 0;
    std::optional<double> request_id_;

    BackgroundCheck check_; ///< last: its thread ends first
};

} // namespace rigor::viewer
