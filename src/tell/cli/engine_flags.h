// --threads and --conv: what a step on this machine is lowered with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "run/exec/engine_options.h"

namespace plimsoll {

// The flags as typed; empty: not given.
struct EngineFlags {
  std::string threads, conv;

  void declare(CLI::App& app);
  void declare_conv(CLI::App& app);
  Result<EngineOptions> read() const;
};

// Without a flag: one for each core that this process may use, cgroup limits respected.
Result<int> read_threads(const std::string& flag);

}  // namespace plimsoll
