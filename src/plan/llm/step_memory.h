// step_memory: the memory of one device while it trains a network of tokens with PyTorch: a StepTrace replayed through
// PyTorch's allocator for a batch, with parameters, gradients and the optimizer's states as they are divided over
// devices. Devices of a pipeline differ; the fullest of its first and last stage is answered for.
#pragma once

#include <array>
#include <numeric>
#include <optional>

#include "base/units.h"
#include "plan/devices/device.h"
#include "plan/llm/step_trace.h"

namespace plimsoll {

enum class TokenPart : uint8_t {
  parameters,
  adapters,
  gradients,
  optimizer,
  activations,
  logits,
  communication,  // gathered parameters, buckets of gradients, tokens on their way to experts
  workspace,
  input,  // tokens and labels
  slack,  // held by the allocator, in use by nobody
  fixed,  // context of the driver, code of the kernels
};
inline constexpr size_t kTokenParts = 11;

// What gaps between tensors lose, as framework_peak.cpp has them.
inline constexpr double kGapsOfTensors = 1.02;

std::string_view name_of(TokenPart part);

struct TokenTensorAt {
  std::string name;
  Bytes bytes;
};

struct StepMemory {
  Bytes allocated;  // in tensors and scratch memory at the fullest moment
  Bytes reserved;   // by the allocator
  Bytes context;
  std::array<Bytes, kTokenParts> parts;  // at that moment
  std::string peak_operation;
  TokenTensorAt largest;  // tensor of the step
  TokenTensorAt over;     // whose allocation crosses the line first; an empty name: none
  bool last_stage = false;

  Bytes peak() const { return context + reserved; }
  Bytes needed() const;  // to run at all: the cache emptied, what gaps between tensors lose
  Bytes& operator[](TokenPart part) { return parts[size_t(part)]; }
  Bytes operator[](TokenPart part) const { return parts[size_t(part)]; }
};

// What is in the memory at the fullest moment of one operation, by what it is for.
struct TokenMoment {
  std::string operation;
  Phase phase = Phase::forward;
  std::array<Bytes, kTokenParts> parts;

  Bytes sum() const { return std::accumulate(parts.begin(), parts.end(), Bytes(0)); }
};

// Bytes that cuBLAS takes for itself: with the context all that depends on the device.
double product_workspace(const Device* device);

// `device`: nullptr where a memory size is all that is known. `moments`: where those of a step are written, if they are
// asked for; the largest sum is the peak.
StepMemory step_memory(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch,
                       const Device* device, std::optional<Bytes> line = std::nullopt,
                       std::vector<TokenMoment>* moments = nullptr);

}  // namespace plimsoll
