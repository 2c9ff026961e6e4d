// Interruption: how a run is asked to stop. The first SIGINT or SIGTERM is only noted, and the trainer finishes its
// step and saves; a second SIGINT ends the process at once. The handlers that were there before come back at the end.
#pragma once

#include <csignal>

namespace plimsoll {

enum class StopAsked { no, interrupted, terminated };

class Interruption {
 public:
  // `silent`: a worker of several; whoever started them says what happens.
  explicit Interruption(bool silent = false);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static StopAsked asked();
  // As the signal would, from whichever thread: for a worker that is told so by others.
  static void ask(StopAsked how);

 private:
  struct sigaction before_interrupt_ {
  }, before_terminate_{};
};

inline constexpr int kExitInterrupted = 130, kExitTerminated = 75;

}  // namespace plimsoll
