// Motion trace: the motion records of an island, kept while it advances.
#pragma once

#include "rigor/motion_record.h"

namespace rigor::contact_dynamics {

/// A value, as the island is: what is rolled back with it was not done. Costs nothing unless
/// wanted.
struct MotionTrace {
    bool is_wanted = false;
    std::vector<MotionRecord> records;

    void keep_last() {
        if (records.size() > 1) records.erase(records.begin(), records.end() - 1);
    }
    void add(const MotionTrace& other) {
        records.insert(records.end(), other.records.begin(), other.records.end());
    }
};

} // namespace rigor::contact_dynamics
