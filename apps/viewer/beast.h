// Short names for Boost.Asio and Boost.Beast. Only http_server, http_connection and
// websocket_connection include this header: Boost is slow to compile.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <string>
#include <string_view>

namespace rigor::viewer {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

/// No request with a body is accepted, so none is read.
using BeastRequest = http::request<http::empty_body>;

/// How long a client may take to send its first request, and to complete a WebSocket handshake.
inline constexpr auto kHandshakeTimeout = std::chrono::seconds(5);

inline std::string_view to_view(beast::string_view text) {
    return {text.data(), text.size()};
}

/// The peer's address, for the log.
inline std::string peer_address(const tcp::socket& socket) {
    error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    return error ? "a disconnected client" : endpoint.address().to_string();
}

} // namespace rigor::viewer
