// run --csv: one row per body per output step.
#pragma once

#include <fstream>
#include <string>

#include "rigor/simulation.h"

namespace rigor::app {

class CsvWriter {
  public:
    /// "-" is standard output. Writes the header.
    Result<void> open(const std::string& path);
    /// The state of all bodies now; nothing when not open.
    void write(const Simulation& simulation);
    /// Fails when something could not be written.
    Result<void> close();

  private:
    std::ostream* out_ = nullptr;
    std::ofstream file_;
    std::string path_;
    std::string rows_;
};

} // namespace rigor::app
