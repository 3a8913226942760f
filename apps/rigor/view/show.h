// The show: one or more stages in step, in a thread of its own.
//
// It takes commands from a queue and puts what there is to tell and to see into a mailbox. It never
// waits for a client, nor for the network.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <set>
#include <thread>

#include "view/describe.h"
#include "view/mailbox.h"
#include "view/message.h"
#include "view/pacer.h"

namespace rigor::view {

/// A client is gone.
struct Leave {};
/// What all clients together want to see.
struct Wish {
    Wishes wishes;
};

struct Command {
    ClientId client = 0;
    std::variant<Message, Leave, Wish> what;
};

struct ShowOptions {
    std::filesystem::path scenes; ///< the folder scenes are opened from
    StageOptions stage;
};

class Show {
  public:
    Show(ShowOptions options, Mailbox& mailbox);
    ~Show();
    Show(const Show&) = delete;
    Show& operator=(const Show&) = delete;

    /// Before start().
    Result<void> open_file(const std::filesystem::path& path,
                           const std::vector<std::string>& methods);
    void start();

    /// From any thread; false when the queue is full.
    bool submit(Command command);

  private:
    struct World {
        Stage stage;
        Painter painter;
        GeometryList geometries;
        std::shared_ptr<const std::vector<Member>> told; ///< the bodies the pages know
        std::string told_settings;
        bool told_difference = false;
    };
    struct Plotted {
        ClientId client;
        Plot plot;
    };

    void run();
    std::deque<Command> take_commands();
    Clock::time_point next_deadline() const;

    void obey(const Command& command);
    void leave(ClientId client);

    // show_commands.cpp: what pages say.
    void on(const Hello&);
    void on(const See&) {}
    void on(const AskGallery&) {}
    void on(const Open& said);
    void on(const Run&);
    void on(const Pause&);
    void on(const StepBy& said);
    void on(const Seek& said);
    void on(const Speed& said);
    void on(const Restart&);
    void on(const Act& said);
    void on(const Undo&);
    void on(const Redo&);
    void on(const Inspect& said);
    void on(const Plot& said);
    void on(const Pick& said);
    void on(const Save&);
    void on(const Load& said);
    void on(const Export& said);

    Result<void> open(const std::string& name, std::string text,
                      const std::vector<std::string>& methods);
    void replace(std::vector<Stage> stages, std::string name, std::string text,
                 std::vector<std::string> methods);
    const Stage* stage_at(std::size_t world);
    void go_to(std::uint64_t step);
    void changed_all();

    // Time.
    void step_all();
    void approach_goal();

    // What is told and shown.
    void publish_if_due();
    void publish();
    void tell_changes();
    void tell_bodies(std::size_t index);
    void tell_state();
    void tell_stats();
    void tell_events();
    void collect_events();
    json scene_message();
    json settings_message(std::size_t index) const;
    json state_message();
    void answer(json message);
    void tell(ClientId client, const json& message);
    void tell_all(const json& message, Letter::Kind kind = Letter::Kind::answer);
    void refuse(const Error& error);

    ShowOptions options_;
    Mailbox& mailbox_;

    // Shared with those who submit.
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Command> commands_;
    bool stopping_ = false;
    std::thread thread_;

    // All the rest belongs to the thread of the show.
    std::vector<World> worlds_;
    std::string name_, text_; ///< of the scene
    std::vector<std::string> methods_;
    std::uint64_t generation_ = 0;
    std::uint64_t groups_ = 0;
    bool running_ = false;
    double speed_ = 1;
    Pacer pacer_;
    std::optional<std::uint64_t> goal_; ///< the step to go to

    std::set<ClientId> clients_;
    std::map<ClientId, Inspect> inspected_;
    std::vector<Plotted> plots_;
    Wishes wishes_;
    std::vector<json> events_;
    std::uint32_t sequence_ = 0;
    bool changed_ = false;   ///< since the last picture
    bool stats_due_ = false; ///< something changed since the last stats
    Clock::time_point published_, told_stats_;

    // The command that is being obeyed.
    ClientId client_ = 0;
    std::optional<double> id_;
    std::string about_;
};

} // namespace rigor::view
