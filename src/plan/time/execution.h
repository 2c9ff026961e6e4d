// Execution: how a program is run, as far as its time depends on it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/dtype.h"
#include "plan/devices/conv_rates.h"
#include "plan/devices/framework.h"

namespace plimsoll {

// How images lie in memory under PyTorch.
enum class ImageLayout : uint8_t { nchw, nhwc };

struct TorchVersion {
  int major = 2, minor = 4;
  auto operator<=>(const TorchVersion&) const = default;
};

struct Execution {
  Framework framework = Framework::pytorch;
  // As asked for. A Program's own types say what is stored; this tells f32 from tf32, which are stored alike. With f32,
  // PyTorch and TensorFlow use tf32 for convolutions where a device has it.
  DType dtype = DType::f32;
  double cudnn = 8;                // version of NVIDIA's library: 4.0, 5.1 …
  std::optional<int64_t> threads;  // of a CPU; all by default
  // Of PyTorch on a GPU.
  ImageLayout layout = ImageLayout::nchw;
  bool compiled = false;  // torch.compile: chains of element-wise operations become one kernel
  TorchVersion torch;
  double host_factor = 0;  // the host's time for an operation against the measured hosts of 2018; 0: by the GPU's age
  // Of our engine on a CPU whose convolutions were measured: how they may be computed, where one of these can.
  std::vector<ConvMethod> conv_methods{std::begin(kConvMethods), std::end(kConvMethods)};
};

}  // namespace plimsoll
