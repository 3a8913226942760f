// rigor-check: holds a certificate of a run (rigor run --certificate) against the laws it claims.
//
// It shares nothing with the engine: what it reads is text, and what it knows is mechanics.

#include <cstdlib>
#include <iostream>

#include "run.h"

namespace {

constexpr const char* kUsage =
    "usage: rigor-check FILE [--max-mb N]\n"
    "Checks a certificate (rigor run SCENE --certificate FILE) without the engine: prints each "
    "law\n"
    "with its worst residual, tolerance and place. Files of more than N MB (default 1000) are "
    "refused.\n"
    "exit codes: 0 all laws hold, 1 one fails, 2 the file is damaged or not a certificate\n";

int check_file(const std::string& path, double max_mb) {
    check::Reader reader(path, max_mb * 1e6);
    const check::Header& header = reader.header();
    check::Findings findings(header);
    check::Run run(header, findings);
    check::Record record;
    long long records = 0, steps = 0;
    while (reader.next(record)) {
        ++records;
        if (record.is == "step") ++steps;
        check_record(run, record);
    }
    std::cout << path << ": \"" << header.scene << "\" under " << header.method << ", "
              << header.bodies.size() << " bodies, " << steps << " steps, " << records
              << " records\n"
              << findings.table() << (findings.hold() ? "all laws hold\n" : "A LAW FAILS\n");
    return findings.hold() ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    std::string path;
    double max_mb = 1000;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--help" || argument == "-h") return std::cout << kUsage, 0;
        if (argument == "--max-mb" && i + 1 < count)
            max_mb = std::atof(arguments[++i]);
        else if (path.empty() && argument[0] != '-')
            path = argument;
        else
            return std::cerr << "rigor-check: \"" << argument << "\" is not understood\n"
                             << kUsage,
                   2;
    }
    if (path.empty()) return std::cerr << kUsage, 2;
    try {
        return check_file(path, max_mb);
    } catch (const check::BadFile& e) {
        std::cerr << "rigor-check: " << e.what() << "\n";
    } catch (const std::bad_alloc&) {
        std::cerr << "rigor-check: " << path
                  << ": a line is too large for the memory of this machine\n";
    }
    return 2;
}
