#include "run/train/interruption.h"

#include <unistd.h>

#include <atomic>

namespace plimsoll {
namespace {

// Written by handlers and by the thread that hears of other workers. Both may only use what has no lock.
std::atomic<int> signal_seen = 0;
std::atomic<bool> says_nothing = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  if (signal == SIGINT && signal_seen == SIGINT) _exit(kExitInterrupted);
  // Word goes out at once: the step that is being finished may be a long one.
  constexpr char kOnce[] = "\nplimsoll: stopping after this step; Ctrl-C again ends it at once\n";
  constexpr char kTold[] = "\nplimsoll: told to stop; stopping after this step\n";
  const ssize_t ignored = says_nothing       ? 0
                          : signal == SIGINT ? write(STDERR_FILENO, kOnce, sizeof kOnce - 1)
                                             : write(STDERR_FILENO, kTold, sizeof kTold - 1);
  (void)ignored;
  signal_seen = signal;
}

}  // namespace

Interruption::Interruption(bool silent) {
  signal_seen = 0;
  says_nothing = silent;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_interrupt_);
  sigaction(SIGTERM, &action, &before_terminate_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &before_interrupt_, nullptr);
  sigaction(SIGTERM, &before_terminate_, nullptr);
}

StopAsked Interruption::asked() {
  if (signal_seen == SIGINT) return StopAsked::interrupted;
  return signal_seen == SIGTERM ? StopAsked::terminated : StopAsked::no;
}

void Interruption::ask(StopAsked how) { signal_seen = how == StopAsked::interrupted ? SIGINT : SIGTERM; }

}  // namespace plimsoll
