// ComputeFormat: in which format libtorch's products and convolutions compute, on cuda:N and torch:cpu. All that is
// stored is f32 in any case. Asked for by a row of the request: tf32 (on GPUs), bf16, f16, channels-last, or
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

  bool operator==(const ComputeFormat&) const = default;
  std::string name() const;  // "f32", "bf16,channels-last"
};

// `called`: what the user gave it as, for the error.
Result<ComputeFormat> parse_compute_format(const std::string& called, const std::string& text);

// Only some devices have some formats; the processor by our own kernels has f32 alone.
Status check_format(const ComputeFormat& format, const RunDevice& device);

}  // namespace plimsoll
