#include "viewer/http_connection.h"

#include "viewer/files.h"
#include "viewer/websocket_connection.h"

namespace rigor::viewer {
namespace {

constexpr auto kIdleTimeout = std::chrono::seconds(15); // between two requests
constexpr auto kWriteTimeout = std::chrono::seconds(30);
constexpr std::size_t kMaxHeader = 16 << 10; // bytes

} // namespace

HttpConnection::HttpConnection(tcp::socket socket, ConnectionHub& hub, ConnectionSlot slot)
    : peer_(peer_address(socket)), stream_(std::move(socket)), hub_(hub), slot_(std::move(slot)) {}

void HttpConnection::read() {
    parser_.emplace();
    parser_->header_limit(kMaxHeader);
    stream_.expires_after(has_served_ ? kIdleTimeout : kHandshakeTimeout);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
}

void HttpConnection::on_read(const error_code& error) {
    if (error == beast::error::timeout) {
        if (!has_served_) hub_.log("disconnected " + peer_ + ": no request within 5 s");
        return;
    }
    if (error == http::error::end_of_stream) return end();
    if (error) {
        hub_.log("refused " + peer_ + ": the request is not valid HTTP");
        return end();
    }
    handle(parser_->release());
}

void HttpConnection::handle(BeastRequest request) {
    const auto decision = hub_.access.check(
        {to_view(request.method_string()), to_view(request.target()),
         to_view(request[http::field::host]), to_view(request[http::field::origin]),
         to_view(request[http::field::cookie])});
    if (const auto* denied = std::get_if<AccessDenied>(&decision)) {
        hub_.log("refused " + peer_ + ": " + denied->reason);
        return respond_text(request, denied->status, denied->reason);
    }
    const AccessGranted& granted = std::get<AccessGranted>(decision);
    std::optional<std::string> content;
    switch (granted.route) {
        case Route::websocket:
            return upgrade(request);
        case Route::page:
            content = page_file(granted.path);
            break;
        case Route::scene_file:
            content = scene_file(granted.path);
            break;
    }
    if (!content) return respond_text(request, 404, "there is no such file");
    respond(request, 200, media_type(granted.path), std::move(*content), granted.set_cookie);
}

std::optional<std::string> HttpConnection::page_file(const std::string& path) const {
    auto content = hub_.assets.find(path);
    if (!content && path == "index.html" && hub_.options.page.empty())
        return "<!doctype html><title>Rigor</title><p>This build has no page: it was built "
               "without npm.";
    return content;
}

std::optional<std::string> HttpConnection::scene_file(const std::string& path) const {
    const auto file =
        file_inside(hub_.options.scenes, path, {".json", ".png", ".jpg", ".webp", ".svg"});
    return file ? read_file(*file) : std::nullopt;
}

void HttpConnection::upgrade(const BeastRequest& request) {
    if (!websocket::is_upgrade(request))
        return respond_text(request, 426, "this address is for WebSocket connections");
    stream_.expires_never();
    std::make_shared<WebSocketConnection>(stream_.release_socket(), hub_, std::move(slot_))
        ->accept(request);
}

void HttpConnection::respond_text(const BeastRequest& request, int status,
                                  const std::string& sentence) {
    respond(request, status, "text/plain; charset=utf-8", sentence + "\n");
}

void HttpConnection::respond(const BeastRequest& request, int status, const char* media_type,
                             std::string body, bool set_cookie) {
    response_ =
        BeastResponse(http::int_to_status(static_cast<unsigned>(status)), request.version());
    set_headers(request, media_type, set_cookie);
    response_.keep_alive(request.keep_alive() && status < 400);
    const bool is_head = request.method() == http::verb::head;
    const std::size_t size = body.size();
    response_.body() = is_head ? std::string() : std::move(body);
    response_.content_length(size);
    write(is_head);
}

void HttpConnection::set_headers(const BeastRequest& request, const char* media_type,
                                 bool set_cookie) {
    response_.set(http::field::content_type, media_type);
    response_.set(http::field::cache_control, "no-cache");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Content-Security-Policy",
                  hub_.access.content_security_policy(to_view(request[http::field::host])));
    if (set_cookie) {
        response_.set(http::field::set_cookie, hub_.access.cookie_name() + "=" +
                                                   hub_.access.token() +
                                                   "; HttpOnly; SameSite=Strict; Path=/");
    }
}

void HttpConnection::write(bool header_only) {
    serializer_.emplace(response_);
    serializer_->split(header_only);
    stream_.expires_after(kWriteTimeout);
    const auto on_written = [self = shared_from_this()](error_code error, std::size_t) {
        if (error || !self->response_.keep_alive()) return self->end();
        self->has_served_ = true;
        self->read();
    };
    if (header_only) {
        http::async_write_header(stream_, *serializer_, on_written);
    } else {
        http::async_write(stream_, *serializer_, on_written);
    }
}

void HttpConnection::end() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

} // namespace rigor::viewer
