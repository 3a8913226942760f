// rigor-check: checks the certificate of a run (rigor run --certificate) against the laws that it
// claims.
//
// It shares nothing with the engine: what it reads is text, and what it knows is mechanics.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "certificate.h"
#include "verdict.h"

namespace {

constexpr const char* kUsage = R"(usage: rigor-check FILE [--max-mb N]
Checks a certificate (rigor run SCENE --certificate FILE) without the engine: prints each law
with its worst residual, tolerance and place. Files of more than N MB (default 1000) are refused.
exit codes: 0 all laws hold, 1 one fails, 2 the file is damaged or not a certificate
)";

bool check_file(const std::string& path, double max_mb) {
    std::error_code error;
    const auto mb = static_cast<double>(std::filesystem::file_size(path, error)) / 1e6;
    check::require(!error, path + ": the file cannot be read"); // nor is a pipe waited for
    std::ifstream file(path, std::ios::binary);
    check::require(file.good(), path + ": the file cannot be read");
    check::require(mb <= max_mb, path + ": the file has " + std::to_string(std::llround(mb)) +
                                     " MB, more than the " + std::to_string(std::llround(max_mb)) +
                                     " MB that are read (--max-mb)");
    const check::Verdict verdict = check::check_certificate(file, path);
    std::cout << path << ": \"" << verdict.scene << "\" under " << verdict.method << ", "
              << verdict.bodies << " bodies, " << verdict.steps << " steps, " << verdict.records
              << " records\n"
              << verdict.table() << (verdict.holds() ? "all laws hold\n" : "A LAW FAILS\n");
    return verdict.holds();
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
            return std::cerr << "rigor-check: \"" << argument << "\" is not understood\n", 2;
    }
    if (path.empty()) return std::cerr << kUsage, 2;
    try {
        return check_file(path, max_mb) ? 0 : 1;
    } catch (const check::BadFile& e) {
        std::cerr << "rigor-check: " << e.what() << "\n";
    } catch (const std::bad_alloc&) {
        std::cerr << "rigor-check: " << path << ": a line is too large for this machine\n";
    }
    return 2;
}
