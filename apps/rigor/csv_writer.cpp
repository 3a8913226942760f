#include "csv_writer.h"

#include <cstdio>
#include <utility>

#include "output.h"

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
    to_standard_output_ = path == "-";
    if (!to_standard_output_) {
        Result<OutputFile> file = OutputFile::create(path);
        if (!file) return file.error();
        file_ = std::move(*file);
    }
    rows_ = "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    return flush();
}

Result<void> CsvWriter::write(const Simulation& simulation) {
    if (!to_standard_output_ && !file_.is_open()) return {};
    constexpr std::size_t kBlock = 1 << 16; // bytes written at a time
    const World& world = simulation.world();
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
    return rows_.size() < kBlock ? Result<void>() : flush();
}

Result<void> CsvWriter::flush() {
    const Result<void> written = to_standard_output_ ? print(rows_) : file_.write(rows_);
    rows_.clear();
    return written;
}

Result<void> CsvWriter::close() {
    if (!to_standard_output_ && !file_.is_open()) return {};
    if (const auto written = flush(); !written) return written;
    return to_standard_output_ ? Result<void>() : file_.commit();
}

} // namespace rigor::app
