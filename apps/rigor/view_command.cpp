// rigor view: the interactive simulator.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "command.h"
#include "find_scene.h"
#include "scene/reader.h"
#include "viewer/access_control.h"
#include "viewer/assets.h"
#include "viewer/http_server.h"

extern char** environ;

namespace rigor::app {
namespace {

namespace fs = std::filesystem;

std::string address_of(const std::string& listen, unsigned short port, const std::string& token) {
    const std::string host = listen.find(':') == std::string::npos ? listen : "[" + listen + "]";
    std::string address = "http://" + host + ":" + std::to_string(port) + "/";
    return token.empty() ? address : address + "?token=" + token;
}

/// Opens the default browser, if there is a display.
void open_browser(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    std::string opener = "xdg-open", target = address;
    char* arguments[] = {opener.data(), target.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, opener.c_str(), nullptr, nullptr, arguments, environ) != 0) return;
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

Result<void> check(const ViewOptions& options) {
    const auto bad = [](const std::string& message) {
        return Error{ErrorCode::invalid_value, "", message};
    };
    if (options.port < 0 || options.port > 65535)
        return bad("--port must be a whole number from 0 to 65535, got " +
                   std::to_string(options.port));
    if (options.threads < 1 || options.threads > 256)
        return bad("--threads must be a whole number from 1 to 256, got " +
                   std::to_string(options.threads));
    if (options.history_mb < 1 || options.history_mb > 1'000'000)
        return bad("--history-mb must be a whole number from 1 to 1000000, got " +
                   std::to_string(options.history_mb));
    if (options.methods.size() > 4)
        return bad("--methods takes at most four, got " + std::to_string(options.methods.size()));
    if (!options.methods.empty() && options.scene.empty())
        return bad("--methods needs a scene, e.g. rigor view wall --methods fast,faithful");
    const auto& known = scene_methods();
    for (const std::string& method : options.methods)
        if (std::find(known.begin(), known.end(), method) == known.end())
            return bad("--methods must be " + join_quoted({known.begin(), known.end()}, "or") +
                       ", got \"" + method + "\"");
    if (!options.page.empty() && !fs::is_directory(options.page))
        return bad("--page: there is no folder \"" + options.page + "\"");
    if (!options.scenes.empty() && !fs::is_directory(options.scenes))
        return bad("--scenes: there is no folder \"" + options.scenes + "\"");
    return {};
}

} // namespace

int view_command(const ViewOptions& options) {
    if (auto checked = check(options); !checked) return fail(checked.error());
    const fs::path scenes = options.scenes.empty() ? gallery_folder() : fs::path(options.scenes);
    viewer::Outbox outbox;
    viewer::SimulationServer simulation(
        {scenes,
         {options.threads, static_cast<std::size_t>(options.history_mb) << 20},
         options.reload},
        outbox);
    if (!options.scene.empty()) {
        const auto methods =
            options.methods.empty() ? std::vector<std::string>{""} : options.methods;
        const Result<std::string> path = find_scene(options.scene);
        if (!path) return fail(path.error());
        if (auto opened = simulation.open_file(*path, methods); !opened)
            return fail(opened.error());
    }
    viewer::HttpServerOptions server_options;
    server_options.address = options.listen.empty() ? "127.0.0.1" : options.listen;
    server_options.port = static_cast<unsigned short>(options.port);
    if (!options.listen.empty()) server_options.token = viewer::random_token();
    server_options.origins = options.origins;
    server_options.scenes = scenes;
    server_options.page = options.page;
    server_options.log = [](const std::string& line) {
        std::cerr << "rigor view: " << line << "\n";
    };
    auto server = viewer::HttpServer::make(server_options, simulation, outbox);
    if (!server) return fail(server.error());
    if (options.page.empty() && !viewer::Assets::has_embedded_page())
        std::cerr << "rigor view: this build has no page: it was built without npm\n";
    const std::string address =
        address_of(server_options.address, (*server)->port(), server_options.token);
    std::cout << "Rigor is at " << address << "  (Ctrl-C ends it)" << std::endl;
    if (options.open) open_browser(address);
    (*server)->stop_on_signals();
    simulation.start();
    (*server)->run();
    return done;
}

} // namespace rigor::app
