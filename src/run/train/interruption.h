// Interruption: how a run is asked to stop. The first SIGINT or SIGTERM is only noted, and the trainer finishes its
// step and saves; a second SIGINT ends the process at once. The handlers that were there before come back at the end.
#pragma once

#include <csignal>

namespace plimsoll {

enum class StopAsked { no, interrupted, terminated };

class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static StopAsked asked();

 private:
  struct sigaction before_interrupt_ {
  }, before_terminate_{};
};

inline constexpr int kExitInterrupted = 130, kExitTerminated = 75;

}  // namespace plimsoll
