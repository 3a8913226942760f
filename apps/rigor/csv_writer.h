// run --csv: one row per body per output step.
#pragma once

#include <string>

#include "base/output_file.h"
#include "rigor/simulation.h"

namespace rigor::app {

class CsvWriter {
  public:
    /// "-" is standard output. Writes the header.
    Result<void> open(const std::string& path);
    /// The state of all bodies now; nothing when not open.
    Result<void> write(const Simulation& simulation);
    /// Gives the file its name: before, there is none.
    Result<void> close();

  private:
    Result<void> flush();

    bool to_standard_output_ = false;
    OutputFile file_;
    std::string rows_; // not yet written
};

} // namespace rigor::app
