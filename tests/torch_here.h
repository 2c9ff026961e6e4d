// Tests that need PyTorch find the one that was installed beside the build, unless PLIMSOLL_TORCH says another; where
// there is none they are skipped, and ctest shows it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "run/exec/torch/torch_library.h"

namespace plimsoll {

inline Result<const TorchLibrary*> torch_here() {
  setenv("PLIMSOLL_TORCH", PLIM_TEST_TORCH, 0);
  return TorchLibrary::open({RunDevice::Kind::torch_cpu});
}

// What PLIMSOLL_TORCH_FORMAT asks for, as long as it lives.
class AskedFormat {
 public:
  explicit AskedFormat(const char* format) { setenv("PLIMSOLL_TORCH_FORMAT", format, 1); }
  ~AskedFormat() { unsetenv("PLIMSOLL_TORCH_FORMAT"); }
};

}  // namespace plimsoll

#define PLIM_NEEDS_TORCH() \
  if (const auto plim_torch = torch_here(); !plim_torch.ok()) GTEST_SKIP() << plim_torch.error().line()
