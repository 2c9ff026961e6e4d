// The flags that say where samples come from: their files, the disk, decoding, the host's cores and the loader workers.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plan/time/loader.h"

namespace plimsoll {

struct LoadingFlags {
  std::string sample_bytes, decode_rate, host_cores, disk, loaders;

  void declare(CLI::App& app);

  // Without any of them nothing is loaded: the samples are in memory. Without --host-cores they are 0: the
  // device's; without --loaders they are -1: one for each core.
  Result<LoadingSetup> read() const;
};

}  // namespace plimsoll
