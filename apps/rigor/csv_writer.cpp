#include "csv_writer.h"

#include <cstdio>
#include <iostream>

namespace rigor::app {
namespace {

// 17 significant digits: enough for the same bits to be read back.
void append(std::string& text, double value) {
    char buffer[40];
    text.append(buffer,
                static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, ",%.17g", value)));
}

void append(std::string& text, const Vec3d& v) {
    append(text, v.x);
    append(text, v.y);
    append(text, v.z);
}

// A name with a comma, a quote or a line break is quoted, its quotes doubled. [RFC 4180]
std::string field(std::string_view name) {
    if (name.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(name);
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace

Result<void> CsvWriter::open(const std::string& path) {
    path_ = path;
    if (path == "-") {
        out_ = &std::cout;
    } else {
        file_.open(path, std::ios::binary);
        if (!file_) return Error{ErrorCode::io, path, "cannot be written"};
        out_ = &file_;
    }
    *out_ << "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    return {};
}

void CsvWriter::write(const Simulation& simulation) {
    if (out_ == nullptr) return;
    const World& world = simulation.world();
    rows_.clear();
    for (const BodyId id : simulation.bodies()) {
        const BodyState s = world.state(id);
        char time[40];
        std::snprintf(time, sizeof time, "%.17g,", world.time());
        rows_ += time;
        rows_ += field(world.name(id));
        append(rows_, s.position);
        append(rows_, s.orientation.w);
        append(rows_, s.orientation.vec());
        append(rows_, s.velocity);
        append(rows_, s.angular_velocity);
        rows_ += '\n';
    }
    *out_ << rows_;
}

Result<void> CsvWriter::close() {
    if (out_ == nullptr) return {};
    out_->flush();
    if (!*out_) return Error{ErrorCode::io, path_, "cannot be written"};
    return {};
}

} // namespace rigor::app
