#include "viewer/websocket_connection.h"

#include <nlohmann/json.hpp>

#include "viewer/welcome.h"

namespace rigor::viewer {
namespace {

constexpr auto kIdleTimeout = std::chrono::seconds(60); // pings are sent before it ends
constexpr std::size_t kMaxFirstMessage = 16 << 10, kMaxMessage = 8 << 20; // bytes

} // namespace

WebSocketConnection::WebSocketConnection(tcp::socket socket, ConnectionHub& hub,
                                         ConnectionSlot slot)
    : peer_(peer_address(socket)),
      socket_(std::move(socket)),
      hub_(hub),
      slot_(std::move(slot)),
      id_(hub.new_client_id()),
      limiter_(Clock::now()),
      queue_(id_) {}

WebSocketConnection::~WebSocketConnection() {
    if (has_joined_) hub_.remove(id_);
}

void WebSocketConnection::accept(const BeastRequest& request) {
    socket_.set_option(websocket::stream_base::timeout{kHandshakeTimeout, kIdleTimeout, true});
    socket_.read_message_max(kMaxFirstMessage);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
        if (!error) self->read();
    });
}

void WebSocketConnection::send_next() {
    if (is_writing_ || is_closing_) return;
    if (queue_.has_overflowed())
        return close(websocket::close_code::try_again_later, "the client reads too slowly");
    payload_ = queue_.next(hub_.frames());
    if (!payload_.text) return;
    is_writing_ = true;
    socket_.binary(payload_.binary);
    socket_.async_write(asio::buffer(*payload_.text),
                        [self = shared_from_this()](error_code error, std::size_t) {
                            self->is_writing_ = false;
                            if (error) return self->abort();
                            if (self->is_closing_) return self->send_close();
                            self->send_next();
                        });
}

void WebSocketConnection::read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
        if (error) return self->on_read_error(error);
        self->receive();
        if (!self->is_closing_) self->read();
    });
}

void WebSocketConnection::on_read_error(const error_code& error) {
    if (error == websocket::error::message_too_big)
        hub_.log("disconnected " + peer_ + ": a message was too large");
    abort();
}

void WebSocketConnection::receive() {
    const std::string text = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    if (!is_within_rate_limit()) return;
    if (socket_.got_binary())
        return close(websocket::close_code::unknown_data, "only text messages are accepted");
    handle(text);
}

bool WebSocketConnection::is_within_rate_limit() {
    switch (limiter_.count(Clock::now())) {
        case RateLimiter::Decision::pass:
            return true;
        case RateLimiter::Decision::first_drop:
            hub_.log("dropping messages of " + peer_ + ": more than 240 a second");
            reply({{"type", "notice"}, {"text", "too many messages: some were dropped"}});
            break;
        case RateLimiter::Decision::disconnect:
            hub_.log("disconnected " + peer_ + ": it stayed above 240 messages a second");
            close(websocket::close_code::policy_error, "too many messages");
            break;
        case RateLimiter::Decision::drop:
            break;
    }
    return false;
}

void WebSocketConnection::handle(const std::string& text) {
    std::string type;
    Result<ClientMessage> message = parse_request(text, type);
    if (!message) {
        json error = {{"type", "error"}, {"message", to_string(message.error())}};
        if (!type.empty()) error["about"] = type;
        reply(error);
    }
    const bool is_hello = message && std::holds_alternative<Hello>(message->request);
    if (!has_joined_ && !is_hello)
        return close(websocket::close_code::policy_error, "the first message must be hello");
    if (!message) return;
    if (is_hello) return handle_hello(std::get<Hello>(message->request), *message);
    if (const auto* subscription = std::get_if<Subscription>(&message->request)) {
        queue_.subscribe(*subscription);
        return hub_.update_subscriptions();
    }
    if (std::holds_alternative<ListGallery>(message->request)) {
        json gallery = {{"type", "gallery"}, {"scenes", hub_.gallery.scenes()}};
        if (message->id) gallery["id"] = *message->id;
        return reply(gallery);
    }
    if (!hub_.simulation.submit({id_, std::move(*message)})) {
        reply({{"type", "error"},
               {"message", "the simulator is busy: its request queue is full"},
               {"about", type}});
    }
}

void WebSocketConnection::handle_hello(const Hello& hello, const ClientMessage& message) {
    if (has_joined_) return;
    has_joined_ = true;
    socket_.read_message_max(kMaxMessage);
    hub_.add(id_, *this);
    reply(welcome_message(id_));
    queue_.subscribe(hello.subscription);
    hub_.update_subscriptions();
    hub_.simulation.submit({id_, message});
}

void WebSocketConnection::reply(const json& message) {
    queue_.add({OutgoingMessage::Kind::reply, id_,
                std::make_shared<const std::string>(
                    message.dump(-1, ' ', false, json::error_handler_t::replace)),
                0});
    send_next();
}

void WebSocketConnection::close(websocket::close_code code, const char* reason) {
    if (is_closing_) return;
    is_closing_ = true;
    close_reason_ = {code, reason};
    if (!is_writing_) send_close();
}

// The peer has the handshake timeout to answer the close frame.
void WebSocketConnection::send_close() {
    socket_.async_close(close_reason_, [self = shared_from_this()](error_code) { self->abort(); });
}

void WebSocketConnection::abort() {
    is_closing_ = true;
    beast::get_lowest_layer(socket_).close();
}

} // namespace rigor::viewer
