// Verdict on a certificate: the worst residual of each law, and where it is.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace check {

struct LawVerdict {
    std::string law, says;
    double residual = 0, tolerance = 0;
    double time = 0;                 ///< s: of the worst residual
    std::vector<std::string> bodies; ///< between which it was

    bool holds() const { return residual <= tolerance; }
};

struct Verdict {
    std::string scene, method;
    std::size_t bodies = 0;
    long long steps = 0, records = 0;
    std::vector<LawVerdict> laws;
    bool is_complete = true; ///< false: it was stopped

    bool holds() const;
    std::string table() const;
};

/// Throws BadFile, in whose sentence `name` stands for the file. It is stopped as soon as
/// `should_stop` is true, which is asked before each record.
Verdict check_certificate(std::istream& file, const std::string& name,
                          const std::function<bool()>& should_stop = {});

} // namespace check
