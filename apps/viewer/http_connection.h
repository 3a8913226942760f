// One HTTP connection: serves the page and the files of the scene folder, and hands an upgrade to a
// WebSocketConnection.
#pragma once

#include "viewer/beast.h"
#include "viewer/connection_hub.h"

namespace rigor::viewer {

/// It lives as long as an asynchronous operation on it is pending.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
  public:
    HttpConnection(tcp::socket socket, ConnectionHub& hub, ConnectionSlot slot);

    /// Reads the next request.
    void read();

  private:
    using BeastResponse = http::response<http::string_body>;

    void on_read(const error_code& error);
    /// Checks access, then follows the route.
    void handle(BeastRequest request);
    std::optional<std::string> page_file(const std::string& path) const;
    std::optional<std::string> scene_file(const std::string& path) const;
    void upgrade(const BeastRequest& request);
    void respond(const BeastRequest& request, int status, const char* media_type, std::string body,
                 bool set_cookie = false);
    void respond_text(const BeastRequest& request, int status, const std::string& sentence);
    void set_headers(const BeastRequest& request, const char* media_type, bool set_cookie);
    void write(bool header_only);
    void end();

    std::string peer_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    bool has_served_ = false;
    std::optional<http::request_parser<http::empty_body>> parser_;
    BeastResponse response_;
    std::optional<http::response_serializer<http::string_body>> serializer_;
    ConnectionHub& hub_;
    ConnectionSlot slot_;
};

} // namespace rigor::viewer
