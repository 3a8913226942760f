// A server on loopback, and a client with a minimal HTTP and WebSocket implementation that can also
// send invalid data.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "viewer/access_control.h"
#include "viewer/http_server.h"
#include "viewer_support.h"

namespace rigor::viewer {

/// A TCP connection to loopback.
class TcpConnection {
  public:
    explicit TcpConnection(unsigned short port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        open_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~TcpConnection() { ::close(socket_); }
    TcpConnection(const TcpConnection&) = delete;
    TcpConnection& operator=(const TcpConnection&) = delete;

    /// False when the other side is gone, or took nothing for five seconds.
    bool send(const std::string& bytes) {
        for (std::size_t sent = 0; sent < bytes.size();) {
            pollfd waiting{socket_, POLLOUT, 0};
            if (::poll(&waiting, 1, 5000) <= 0) return false;
            const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent,
                                     MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n < 0 && errno != EAGAIN) return open_ = false;
            if (n > 0) sent += static_cast<std::size_t>(n);
        }
        return true;
    }

    /// Reads until `size` bytes are there; false when the connection ended or time is up.
    bool fill(std::size_t size, int milliseconds) {
        const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
        while (buffer_.size() < size) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
            pollfd waiting{socket_, POLLIN, 0};
            if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) <= 0) return false;
            char bytes[65536];
            const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
            if (n <= 0) return open_ = false;
            buffer_.append(bytes, static_cast<std::size_t>(n));
        }
        return true;
    }
    std::string take(std::size_t size) {
        std::string bytes = buffer_.substr(0, size);
        buffer_.erase(0, size);
        return bytes;
    }
    /// Up to the end of an HTTP header.
    std::string header(int milliseconds = 3000) {
        std::size_t end = 0;
        while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
            if (!fill(buffer_.size() + 1, milliseconds)) return take(buffer_.size());
        return take(end + 4);
    }
    bool is_open() const { return open_; }
    /// Whether the other side ends it within this time, whatever else it sends.
    bool ends_within(int milliseconds) {
        const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
        while (open_ && Clock::now() < end) {
            buffer_.clear();
            fill(1, 100);
        }
        return !open_;
    }

  private:
    int socket_;
    bool open_ = false;
    std::string buffer_;
};

class TestClient {
  public:
    struct Received {
        bool binary = false;
        std::string text;
    };

    explicit TestClient(unsigned short port, const std::string& target = "/ws")
        : connection_(port) {
        connection_.send(
            "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
            "\r\nOrigin: http://127.0.0.1:" + std::to_string(port) +
            "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        connected_ = connection_.header().rfind("HTTP/1.1 101", 0) == 0;
    }

    bool connected() const { return connected_; }
    TcpConnection& connection() { return connection_; }

    static std::string frame(const std::string& payload, char opcode = 1) {
        std::string out(1, static_cast<char>(0x80 | opcode));
        const std::size_t n = payload.size();
        if (n < 126) {
            out += static_cast<char>(0x80 | n);
        } else if (n < 65536) {
            out += static_cast<char>(0x80 | 126);
            for (int shift = 8; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 255);
        } else {
            out += static_cast<char>(0x80 | 127);
            for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 255);
        }
        return out + std::string(4, '\0') + payload; // a mask of zeros masks nothing
    }
    bool send(const json& message) { return connection_.send(frame(message.dump())); }
    void hello() { send({{"type", "hello"}, {"protocol", 1}}); }

    std::optional<Received> receive(int milliseconds = 5000) {
        if (!connection_.fill(2, milliseconds)) return std::nullopt;
        const std::string head = connection_.take(2);
        std::uint64_t size = static_cast<unsigned char>(head[1]) & 127;
        const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
        if (!connection_.fill(more, milliseconds)) return std::nullopt;
        if (more > 0) size = 0;
        for (const char byte : connection_.take(more))
            size = size << 8 | static_cast<unsigned char>(byte);
        if (!connection_.fill(size, milliseconds)) return std::nullopt;
        const int opcode = head[0] & 15;
        if (opcode == 8) return std::nullopt;                                  // good-bye
        if (opcode == 9) return connection_.take(size), receive(milliseconds); // a ping
        return Received{opcode == 2, connection_.take(size)};
    }
    /// The next message of a type, others passed over; null when it does not come.
    json wait_for(const std::string& type, int milliseconds = 10000,
                  const std::function<bool(const json&)>& is_it = {}) {
        const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
        while (Clock::now() < end) {
            const auto received = receive(milliseconds);
            if (!received) return nullptr;
            if (received->binary) continue;
            json message = json::parse(received->text);
            if (message["type"] == type && (!is_it || is_it(message))) return message;
        }
        return nullptr;
    }
    /// The state after all requests of this client so far were handled.
    json state() {
        send({{"type", "pick"}, {"origin", {0, 0, 1000}}, {"direction", {0, 0, 1}}, {"id", 4711}});
        json last;
        for (bool handled = false; !handled || last.is_null();) {
            const auto received = receive();
            if (!received) break;
            if (received->binary) continue;
            const json message = json::parse(received->text);
            if (message["type"] == "state") last = message;
            handled = handled || (message["type"] == "picked" && message["id"] == 4711);
        }
        return last;
    }

  private:
    TcpConnection connection_;
    bool connected_ = false;
};

class LiveServer {
  public:
    explicit LiveServer(const std::string& token = "", const std::string& scenes = "") {
        namespace fs = std::filesystem;
        static std::atomic<int> count{0};
        folder_ = fs::temp_directory_path() /
                  ("rigor_viewer_" + std::to_string(getpid()) + "_" + std::to_string(++count));
        fs::create_directories(folder_ / "page");
        std::ofstream(folder_ / "page/index.html") << "<p>page";
        std::ofstream(folder_ / "secret.json") << "{}";
        const fs::path gallery = scenes.empty() ? RIGOR_SOURCE_DIR "/scenes" : scenes;
        simulation_ =
            std::make_unique<SimulationServer>(SimulationServerOptions{gallery, {}}, outbox_);
        HttpServerOptions options;
        options.token = token;
        options.scenes = gallery;
        options.page = folder_ / "page";
        options.log = [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            log_ += line + "\n";
        };
        server_ = HttpServer::make(options, *simulation_, outbox_).value();
        simulation_->start();
        thread_ = std::thread([this] { server_->run(); });
    }
    ~LiveServer() {
        server_->stop();
        thread_.join();
        server_.reset();
        simulation_.reset();
        std::filesystem::remove_all(folder_);
    }

    unsigned short port() const { return server_->port(); }
    std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
    std::string log() {
        const std::lock_guard lock(mutex_);
        return log_;
    }
    /// Waits until the log contains a text.
    bool logs(const std::string& text, int milliseconds = 10000) {
        for (int i = 0; i < milliseconds / 20; ++i) {
            if (log().find(text) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return false;
    }

    /// The whole answer, header and body.
    std::string get(const std::string& target, const std::string& fields = "",
                    const std::string& method = "GET") {
        TcpConnection connection(port());
        connection.send(method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + fields +
                        "Connection: close\r\n\r\n");
        while (connection.fill(1 << 30, 3000)) {}
        return connection.take(1 << 30);
    }

  private:
    std::filesystem::path folder_;
    Outbox outbox_;
    std::unique_ptr<SimulationServer> simulation_;
    std::unique_ptr<HttpServer> server_;
    std::thread thread_;
    std::mutex mutex_;
    std::string log_;
};

/// The status of an answer.
inline int status_of(const std::string& reply) {
    return reply.size() > 12 ? std::atoi(reply.c_str() + 9) : 0;
}

} // namespace rigor::viewer
