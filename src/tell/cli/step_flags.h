// The flags that say what a step is: training or inference, optimizer, loss, recomputation, micro-batches.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model/passes/pipeline.h"

namespace plimsoll {

inline constexpr int64_t kMostMicroBatches = 1'000'000;

struct StepFlags {
  std::string mode = "train", optimizer, loss, recompute, micro_batches;

  void declare(CLI::App& app);
  Result<StepOptions> read() const;
};

}  // namespace plimsoll
