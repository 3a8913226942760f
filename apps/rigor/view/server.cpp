#include "view/server.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "rigor/scene.h"
#include "rigor/version.h"
#include "settings_json.h"
#include "view/assets.h"
#include "view/client_feed.h"
#include "view/files.h"
#include "view/gallery.h"

namespace rigor::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr int kMostConnections = 32;
constexpr auto kHandshakeTime = std::chrono::seconds(5);
constexpr auto kSilenceTime = std::chrono::seconds(60);
constexpr auto kIdleTime = std::chrono::seconds(15); // between two requests on one connection
constexpr std::size_t kFirstMessage = 16 << 10, kLargestMessage = 8 << 20;
constexpr std::size_t kLargestHeader = 16 << 10;

std::string_view text_of(beast::string_view text) {
    return {text.data(), text.size()};
}

json names_of_settings() {
    json names = json::object();
    for (const Setting& setting : settings_table())
        if (!setting.choices.empty()) names[std::string(setting.name)] = setting.choices;
    return names;
}

json methods() {
    json all = json::array();
    for (const std::string& method : scene_methods())
        if (method_named(method)) all.push_back(method);
    return all;
}

json welcome(ClientId client) {
    const VersionInfo version = version_info();
    json overlays = json::array(), colors = json::array();
    for (const Overlay overlay : kOverlays) overlays.push_back(name(overlay));
    for (const Color color : kColors) colors.push_back(name(color));
    return {{"type", "welcome"},
            {"protocol", 1},
            {"version", version.version},
            {"numerics", version.numerics},
            {"client", client},
            {"methods", methods()},
            {"see", overlays},
            {"colors", colors},
            {"settings", names_of_settings()},
            {"settings_table", json(app::settings_table_json())}};
}

/// At most ten lines a second; then it counts.
class Log {
  public:
    explicit Log(std::function<void(const std::string&)> write) : write_(std::move(write)) {}

    void operator()(const std::string& line) {
        const auto now = Clock::now();
        if (now - since_ > std::chrono::seconds(1)) {
            if (left_out_ > 0 && write_) write_(std::to_string(left_out_) + " more refusals");
            since_ = now, written_ = left_out_ = 0;
        }
        if (written_++ >= 10) {
            ++left_out_;
        } else if (write_) {
            write_(line);
        }
    }

  private:
    std::function<void(const std::string&)> write_;
    Clock::time_point since_{};
    int written_ = 0, left_out_ = 0;
};

std::string peer_of(const tcp::socket& socket) {
    error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    return error ? "a client that is gone" : endpoint.address().to_string();
}

class Client;

/// What all connections share.
struct Hub {
    Hub(ServerOptions wanted, GateOptions gate_options, Show& the_show)
        : options(std::move(wanted)),
          gate(std::move(gate_options)),
          show(the_show),
          gallery(options.scenes),
          assets(options.page),
          log(options.log) {}

    ServerOptions options;
    Gate gate;
    Show& show;
    Gallery gallery;
    Assets assets;
    Log log;
    int connections = 0;
    ClientId last_client = 0;
    std::map<ClientId, Client*> clients;
    std::shared_ptr<const Picture> picture;
    Wishes wishes;

    void wishes_changed();
    void deliver(Mailbox::Content content);
};

/// Counts a connection for as long as it lives.
class Seat {
  public:
    explicit Seat(Hub& hub) : hub_(&hub) { ++hub.connections; }
    Seat(Seat&& other) noexcept : hub_(std::exchange(other.hub_, nullptr)) {}
    Seat& operator=(Seat&&) = delete;
    ~Seat() {
        if (hub_) --hub_->connections;
    }

  private:
    Hub* hub_;
};

/// One WebSocket. It lives as long as something is under way on it.
class Client : public std::enable_shared_from_this<Client> {
  public:
    Client(tcp::socket socket, Hub& hub, Seat seat)
        : peer_(peer_of(socket)),
          socket_(std::move(socket)),
          hub_(hub),
          seat_(std::move(seat)),
          id_(++hub.last_client),
          meter_(Clock::now()) {
        feed_.set_id(id_);
    }
    ~Client() {
        if (!joined_) return;
        hub_.clients.erase(id_);
        hub_.show.submit({id_, Leave{}});
        hub_.wishes_changed();
    }

    void accept(Request request) {
        websocket::stream_base::timeout timeout{kHandshakeTime, kSilenceTime, true};
        socket_.set_option(timeout);
        socket_.read_message_max(kFirstMessage);
        socket_.auto_fragment(false);
        socket_.async_accept(request, [self = shared_from_this()](error_code error) {
            if (!error) self->read();
        });
    }

    ClientFeed& feed() { return feed_; }

    /// Sends what there is to send, one message at a time.
    void pump() {
        if (writing_ || closing_) return;
        if (feed_.is_overfull())
            return close(websocket::close_code::try_again_later, "reads too slowly");
        out_ = feed_.next(hub_.picture.get());
        if (!out_.text) return;
        writing_ = true;
        socket_.binary(out_.binary);
        socket_.async_write(asio::buffer(*out_.text),
                            [self = shared_from_this()](error_code error, std::size_t) {
                                self->writing_ = false;
                                if (error) return self->end();
                                if (self->closing_) return self->send_close();
                                self->pump();
                            });
    }

  private:
    void read() {
        socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
            if (error) return self->ended(error);
            self->receive();
            if (!self->closing_) self->read();
        });
    }

    void ended(const error_code& error) {
        if (error == websocket::error::message_too_big)
            hub_.log("disconnected " + peer_ + ": a message was too large");
        end();
    }
    void end() {
        closing_ = true;
        beast::get_lowest_layer(socket_).close();
    }

    void receive() {
        const std::string text = beast::buffers_to_string(buffer_.data());
        buffer_.consume(buffer_.size());
        switch (meter_.count(Clock::now())) {
            case Meter::Verdict::drop:
                return;
            case Meter::Verdict::first_drop:
                hub_.log("dropping messages of " + peer_ + ": more than 240 a second");
                return tell({{"type", "notice"}, {"text", "too many messages: some were dropped"}});
            case Meter::Verdict::disconnect:
                hub_.log("disconnected " + peer_ + ": it did not stop sending");
                return close(websocket::close_code::policy_error, "too many messages");
            case Meter::Verdict::pass:
                break;
        }
        if (socket_.got_binary()) return close(websocket::close_code::unknown_data, "text only");
        hear(text);
    }

    void hear(const std::string& text) {
        std::string type;
        Result<Message> message = parse_message(text, type);
        if (!message) {
            json error = {{"type", "error"}, {"message", to_string(message.error())}};
            if (!type.empty()) error["about"] = type;
            tell(error);
            if (!joined_) close(websocket::close_code::policy_error, "hello comes first");
            return;
        }
        if (!joined_ && !std::holds_alternative<Hello>(message->said))
            return close(websocket::close_code::policy_error, "hello comes first");
        if (const auto* hello = std::get_if<Hello>(&message->said)) return join(*hello, *message);
        if (const auto* see = std::get_if<See>(&message->said)) {
            feed_.see(*see);
            hub_.wishes_changed();
            return;
        }
        if (std::holds_alternative<AskGallery>(message->said)) {
            json gallery = {{"type", "gallery"}, {"scenes", hub_.gallery.scenes()}};
            if (message->id) gallery["id"] = *message->id;
            return tell(gallery);
        }
        if (!hub_.show.submit({id_, std::move(*message)}))
            tell({{"type", "error"}, {"message", "the simulator is busy"}, {"about", type}});
    }

    void join(const Hello& hello, const Message& message) {
        if (joined_) return;
        joined_ = true;
        socket_.read_message_max(kLargestMessage);
        hub_.clients[id_] = this;
        tell(welcome(id_));
        feed_.see(hello.see);
        hub_.wishes_changed();
        hub_.show.submit({id_, message});
    }

    void tell(const json& message) {
        feed_.add({Letter::Kind::answer, id_,
                   std::make_shared<const std::string>(
                       message.dump(-1, ' ', false, json::error_handler_t::replace)),
                   0});
        pump();
    }

    void close(websocket::close_code code, const char* reason) {
        if (closing_) return;
        closing_ = true;
        reason_ = {code, reason};
        if (!writing_) send_close();
    }
    void send_close() {
        // Who does not answer the good-bye within the handshake time is cut off.
        socket_.async_close(reason_, [self = shared_from_this()](error_code) { self->end(); });
    }

    std::string peer_;
    websocket::stream<beast::tcp_stream> socket_;
    beast::flat_buffer buffer_;
    Hub& hub_;
    Seat seat_;
    ClientId id_;
    Meter meter_;
    ClientFeed feed_;
    ClientFeed::Out out_;
    websocket::close_reason reason_;
    bool joined_ = false, writing_ = false, closing_ = false;
};

void Hub::wishes_changed() {
    Wishes all;
    for (const auto& [id, client] : clients) {
        all.overlays.add(client->feed().seen().overlays);
        if (client->feed().seen().color) all.colors.add(*client->feed().seen().color);
    }
    if (all == wishes) return;
    wishes = all;
    show.submit({0, Wish{all}});
}

void Hub::deliver(Mailbox::Content content) {
    if (content.picture) picture = std::move(content.picture);
    std::vector<std::shared_ptr<Client>> all; // a client may end while it is written to
    for (const auto& [id, client] : clients) all.push_back(client->shared_from_this());
    for (const Letter& letter : content.letters)
        for (const auto& client : all) client->feed().offer(letter);
    for (const auto& client : all) client->pump();
}

/// One HTTP connection, until it becomes a WebSocket or ends.
class Visitor : public std::enable_shared_from_this<Visitor> {
  public:
    Visitor(tcp::socket socket, Hub& hub, Seat seat)
        : peer_(peer_of(socket)), stream_(std::move(socket)), hub_(hub), seat_(std::move(seat)) {}

    void read() {
        parser_.emplace();
        parser_->header_limit(kLargestHeader);
        stream_.expires_after(served_ ? kIdleTime : kHandshakeTime);
        http::async_read(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
    }

  private:
    void on_read(const error_code& error) {
        if (error == beast::error::timeout) {
            if (!served_) hub_.log("dropped " + peer_ + ": it said nothing");
            return;
        }
        if (error == http::error::end_of_stream) return end();
        if (error) {
            hub_.log("refused " + peer_ + ": no well-formed request");
            return end();
        }
        answer(parser_->release());
    }

    void answer(Request request) {
        const Asked asked{text_of(request.method_string()), text_of(request.target()),
                          text_of(request[http::field::host]),
                          text_of(request[http::field::origin]),
                          text_of(request[http::field::cookie])};
        const auto verdict = hub_.gate.judge(asked);
        if (const auto* refused = std::get_if<Refused>(&verdict)) {
            hub_.log("refused " + peer_ + ": " + refused->reason);
            return send(request, refused->status, "text/plain; charset=utf-8",
                        refused->reason + "\n", false);
        }
        const Admitted& admitted = std::get<Admitted>(verdict);
        if (admitted.door == Door::socket) return upgrade(std::move(request));
        const auto content =
            admitted.door == Door::page ? page_file(admitted.path) : scene_file(admitted.path);
        if (content)
            return send(request, 200, media_type(admitted.path), *content, admitted.give_cookie);
        send(request, 404, "text/plain; charset=utf-8", "there is no such file\n", false);
    }

    std::optional<std::string> page_file(const std::string& path) const {
        auto content = hub_.assets.find(path);
        if (!content && path == "index.html" && hub_.options.page.empty())
            return "<!doctype html><title>Rigor</title><p>This build has no page: it was built "
                   "without npm.";
        return content;
    }

    std::optional<std::string> scene_file(const std::string& path) const {
        const auto file =
            file_inside(hub_.options.scenes, path, {".json", ".png", ".jpg", ".webp", ".svg"});
        return file ? read_file(*file) : std::nullopt;
    }

    void upgrade(Request request) {
        if (!websocket::is_upgrade(request))
            return send(request, 426, "text/plain; charset=utf-8", "this is a WebSocket\n", false);
        stream_.expires_never();
        std::make_shared<Client>(stream_.release_socket(), hub_, std::move(seat_))
            ->accept(std::move(request));
    }

    void send(const Request& request, int status, const char* type, std::string body,
              bool give_cookie) {
        response_ = Response(http::int_to_status(static_cast<unsigned>(status)), request.version());
        response_.set(http::field::content_type, type);
        response_.set(http::field::cache_control, "no-cache");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set("Referrer-Policy", "no-referrer");
        response_.set("Cross-Origin-Opener-Policy", "same-origin");
        response_.set("Cross-Origin-Resource-Policy", "same-origin");
        response_.set("Content-Security-Policy",
                      hub_.gate.content_policy(text_of(request[http::field::host])));
        if (give_cookie)
            response_.set(http::field::set_cookie, hub_.gate.cookie_name() + "=" +
                                                       hub_.gate.token() +
                                                       "; HttpOnly; SameSite=Strict; Path=/");
        response_.keep_alive(request.keep_alive() && status < 400);
        const bool is_head = request.method() == http::verb::head;
        const std::size_t size = body.size();
        response_.body() = is_head ? std::string() : std::move(body);
        response_.content_length(size);
        serializer_.emplace(response_);
        serializer_->split(is_head);
        stream_.expires_after(std::chrono::seconds(30));
        const auto written = [self = shared_from_this()](error_code error, std::size_t) {
            if (error || !self->response_.keep_alive()) return self->end();
            self->served_ = true;
            self->read();
        };
        if (is_head) {
            http::async_write_header(stream_, *serializer_, written);
        } else {
            http::async_write(stream_, *serializer_, written);
        }
    }

    void end() {
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }

    std::string peer_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    bool served_ = false;
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    std::optional<http::response_serializer<http::string_body>> serializer_;
    Hub& hub_;
    Seat seat_;
};

} // namespace

struct Server::Impl {
    Impl(ServerOptions options, GateOptions gate, Show& show, Mailbox& the_mailbox)
        : hub(std::move(options), std::move(gate), show), mailbox(the_mailbox) {}

    // Connections refer to the hub, and live in the handlers of io: so io goes first.
    Hub hub;
    Mailbox& mailbox;
    asio::io_context io{1};
    tcp::acceptor acceptor{io};
    asio::signal_set signals{io};
    asio::steady_timer pause{io};

    void accept() {
        acceptor.async_accept([this](error_code error, tcp::socket socket) {
            if (error) return rest_and_accept();
            seat(std::move(socket));
            accept();
        });
    }

    /// Out of file descriptors, most likely: asking again at once would not help.
    void rest_and_accept() {
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](error_code error) {
            if (!error) accept();
        });
    }

    void seat(tcp::socket socket) {
        if (hub.connections >= kMostConnections) {
            hub.log("refused " + peer_of(socket) + ": 32 connections are open already");
            return;
        }
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Visitor>(std::move(socket), hub, Seat(hub))->read();
    }
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
    impl_->mailbox.on_mail({});
}

Result<std::unique_ptr<Server>> Server::make(ServerOptions options, Show& show, Mailbox& mailbox) {
    error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) {
        return Error{ErrorCode::invalid_value, "--listen",
                     "\"" + options.address + "\" is no address, such as 127.0.0.1"};
    }
    tcp::endpoint endpoint(address, options.port);
    asio::io_context probe;
    tcp::acceptor acceptor(probe);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        const bool in_use = error == asio::error::address_in_use;
        return Error{ErrorCode::io, "",
                     in_use ? "port " + std::to_string(options.port) +
                                  " is in use: choose another with --port"
                            : options.address + ":" + std::to_string(options.port) +
                                  " cannot be listened to: " + error.message()};
    }
    const unsigned short port = acceptor.local_endpoint().port();
    GateOptions gate{options.address, port, options.token, options.origins, {}};
    char name[256] = {};
    if (gethostname(name, sizeof name - 1) == 0) gate.names.emplace_back(name);
    auto impl = std::make_unique<Impl>(std::move(options), std::move(gate), show, mailbox);
    impl->acceptor.assign(endpoint.protocol(), acceptor.release());
    impl->accept();
    Impl* the = impl.get();
    mailbox.on_mail(
        [the] { asio::post(the->io, [the] { the->hub.deliver(the->mailbox.take()); }); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

unsigned short Server::port() const {
    return impl_->acceptor.local_endpoint().port();
}

void Server::run() {
    impl_->io.run();
}

void Server::stop() {
    impl_->io.stop();
}

void Server::stop_on_signals() {
    impl_->signals.add(SIGINT);
    impl_->signals.add(SIGTERM);
    impl_->signals.async_wait([this](error_code error, int) {
        if (!error) stop();
    });
}

} // namespace rigor::view
