// How long the engine's kernel for one operation takes here, with its values in the layouts that it likes best.
#pragma once

#include "base/result.h"
#include "model/ir/program.h"
#include "run/exec/engine_options.h"

namespace plimsoll {

struct KernelEffort {
  int least_runs = 2;
  Seconds time{0.004};  // goes on until it has taken so long
};

struct KernelTime {
  Seconds shortest;
  std::optional<ConvMethod> method;  // of a convolution: how it was computed
};

// Of the Program's last operation. Values that nothing in it computes are made up. nullopt: it has no fast kernel.
Result<std::optional<KernelTime>> kernel_time(Program program, const EngineOptions& engine, const KernelEffort& effort);

}  // namespace plimsoll
