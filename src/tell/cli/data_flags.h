// The flags that say which data, how it is prepared and how it is loaded. Shared by every verb that reads data, so that
// they mean the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "run/data/loader.h"
#include "run/data/prepare.h"

namespace plimsoll {

struct DataFlags {
  std::string data, loaders, validation, normalise, mean, deviation, augment, bad_samples;

  void declare(CLI::App& app);

  // The flags as numbers, each checked. Without --loaders: one for each core that is allowed, at most 8.
  Result<int> read_loaders() const;
  Result<BadSamples> read_bad_samples() const;
  Result<PrepareOptions> read_preparation(uint64_t seed) const;

  // Opens the set (a known one that is missing is obtained, with lines on stderr unless `quiet`), prints its warnings
  // and prepares it for the network.
  Result<PreparedData> open(const NetworkInput& network, uint64_t seed, bool quiet) const;
};

// Says on stderr what is downloaded.
ObtainProgress obtain_lines(bool quiet);

}  // namespace plimsoll
