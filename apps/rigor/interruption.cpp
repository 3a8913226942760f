#include "interruption.h"

namespace rigor::app {
namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) {
    noted_signal = signal;
}

} // namespace

Interruption::Interruption() {
    noted_signal = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second one acts as usual
    sigaction(SIGINT, &action, &previous_interrupt_);
    sigaction(SIGTERM, &action, &previous_terminate_);
}

Interruption::~Interruption() {
    sigaction(SIGINT, &previous_interrupt_, nullptr);
    sigaction(SIGTERM, &previous_terminate_, nullptr);
}

const char* Interruption::signal_name() {
    switch (noted_signal) {
        case SIGINT:
            return "SIGINT";
        case SIGTERM:
            return "SIGTERM";
        default:
            return nullptr;
    }
}

} // namespace rigor::app
