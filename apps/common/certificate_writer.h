// Certificate writer (run --certificate): JSON lines with all that is needed to check a run without
// the engine.
//
// The format is docs/certificates.md; apps/check reads it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/output_file.h"
#include "common/certificate_model.h"
#include "rigor/simulation.h"

namespace rigor::app {

class CertificateWriter {
  public:
    /// Writes the header, and makes the world keep motion records. Fails with one sentence when the
    /// scene has something that certificates cannot express.
    Result<void> open(const std::string& path, Simulation& simulation, double dt);
    /// After every step.
    Result<void> write_step(const Simulation& simulation, const StepReport& report);
    Result<void> close();

    /// Instead of open(): the certificate begins in the middle of a run, with these bodies as they
    /// are now. The caller makes the world keep motion records; close() is followed by text().
    Result<void> begin_window(const Simulation& simulation, CertifiedBodies bodies, double dt);
    /// What is not in a file.
    const std::string& text() const { return text_; }

  private:
    void write(CertificateLine& line);
    void write_record(const MotionRecord& record);
    void write_contacts(CertificateLine& line, const MotionRecord& record) const;
    void write_joints(CertificateLine& line, const MotionRecord& record) const;
    void write_impulses(const Simulation& simulation, double dt);
    void write_sums(const Simulation& simulation, const StepReport& report);
    int index_of(BodyId id) const { return body_index_.at(id); }
    Result<void> begin(const Simulation& simulation, CertifiedBodies bodies);
    Result<void> flush();

    OutputFile file_;
    std::string text_; // not yet written
    CertifiedBodies bodies_;
    std::map<BodyId, int> body_index_;   ///< into bodies_
    std::map<JointId, int> joint_index_; ///< among the joints that are there
    std::map<ShapeId, int> shape_index_; ///< among the shapes of its body
    std::vector<RecordedState> states_;  ///< of all bodies, after the last step
    std::set<BodyId> asleep_;            ///< likewise
    double start_ = 0;                   ///< s: of the next step
    bool is_fast_ = false, is_window_ = false;
    long long lines_ = 0, steps_ = 0;
};

} // namespace rigor::app
