// Starts the workers of a run through mpirun, watches over them, and starts them again from the last checkpoint when
// one is lost. All of them end with this process, however it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

// In the environment of workers whose standard error ends on a terminal.
inline constexpr const char* kTerminalVariable = "PLIMSOLL_TERMINAL";

struct LaunchOptions {
  int workers = 1;
  std::string hosts;               // "a:4,b:4", as mpirun takes them; empty: this machine, or what Slurm has given
  std::vector<std::string> words;  // what each worker runs: the program and its arguments
  Seconds silence;                 // after which a worker counts as lost
  int max_restarts = 0;
  bool terminal = false;  // what they print on standard error is shown on one
  std::function<void(const std::string& sentence)> say;
  std::function<void(const std::string& text)> pass;  // what workers print on standard error, as it comes
};

// The exit code that the workers agreed on. An Error when one of them was lost.
Result<int> launch(const LaunchOptions& options);

}  // namespace plimsoll
