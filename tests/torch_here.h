// Tests that need PyTorch find the one that was installed beside the build, unless PLIMSOLL_TORCH says another; where
// there is none they are skipped, and ctest shows it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "run/exec/engine_options.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {

inline Result<const TorchLibrary*> torch_here() {
  setenv("PLIMSOLL_TORCH", PLIM_TEST_TORCH, 0);
  return TorchLibrary::open({RunDevice::Kind::torch_cpu});
}

inline EngineOptions engine_in(const std::string& format, EngineOptions engine = 1) {
  engine.format = parse_compute_format("format", format).value();
  return engine;
}

}  // namespace plimsoll

#define PLIM_NEEDS_TORCH() \
  if (const auto plim_torch = torch_here(); !plim_torch.ok()) GTEST_SKIP() << plim_torch.error().line()
