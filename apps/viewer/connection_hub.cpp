#include "viewer/connection_hub.h"

namespace rigor::viewer {

void RateLimitedLog::operator()(const std::string& line) {
    const auto now = Clock::now();
    if (now - second_began_ > std::chrono::seconds(1)) {
        if (suppressed_ > 0 && write_) write_(std::to_string(suppressed_) + " more lines");
        second_began_ = now, written_ = suppressed_ = 0;
    }
    if (written_++ >= kLinesPerSecond) {
        ++suppressed_;
    } else if (write_) {
        write_(line);
    }
}

ConnectionHub::ConnectionHub(HttpServerOptions server_options, AccessOptions access_options,
                             SimulationServer& simulation_server)
    : options(std::move(server_options)),
      access(std::move(access_options)),
      simulation(simulation_server),
      gallery(options.scenes),
      assets(options.page),
      log(options.log) {}

void ConnectionHub::remove(ClientId id) {
    clients_.erase(id);
    simulation.submit({id, Disconnected{}});
    update_subscriptions();
}

void ConnectionHub::update_subscriptions() {
    Subscriptions all;
    for (const auto& [id, client] : clients_) {
        const Subscription& one = client->queue().subscription();
        all.overlays.add(one.overlays);
        if (one.color) all.colors.add(*one.color);
    }
    if (all == subscriptions_) return;
    subscriptions_ = all;
    simulation.submit({0, all});
}

void ConnectionHub::deliver(Outbox::Content content) {
    if (content.frames) frames_ = std::move(content.frames);
    // A client may disconnect while it is written to, so each is held until the end.
    std::vector<std::shared_ptr<Client>> all;
    for (const auto& [id, client] : clients_) all.push_back(client->hold());
    for (const OutgoingMessage& message : content.messages)
        for (const auto& client : all) client->queue().add_if_addressed(message);
    for (const auto& client : all) client->send_next();
}

} // namespace rigor::viewer
