// ComputeFormat: in which format libtorch's products and convolutions compute. All that is stored is f32 in any case.
// PLIMSOLL_TORCH_FORMAT in the environment asks for one: tf32 (on GPUs), bf16, f16, channels-last, or
// bf16,channels-last.
#pragma once

#include <string>

#include "base/result.h"
#include "run/exec/run_device.h"

namespace plimsoll {

struct ComputeFormat {
  enum class Numbers : uint8_t { f32, tf32, bf16, f16 };
  Numbers numbers = Numbers::f32;
  bool channels_last = false;  // of what convolutions work on

  std::string name() const;  // "f32", "bf16,channels-last"
};

Result<ComputeFormat> asked_format(const RunDevice& device);

}  // namespace plimsoll
