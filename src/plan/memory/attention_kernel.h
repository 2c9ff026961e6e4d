// AttentionKernel: how a framework computes attention.
#pragma once

#include "base/rows/choices.h"

namespace plimsoll {

enum class AttentionKernel : uint8_t {
  as_it_is,  // by the framework's own kernel, unless a file says that its network computes it from single operations
  flash,     // FlashAttention: scores are never written to memory
  sdpa,      // PyTorch's scaled_dot_product_attention, which takes such a kernel
  eager,     // from single operations: scores and their softmax are written and kept
};

template <>
struct Choices<AttentionKernel> {
  static constexpr std::pair<AttentionKernel, std::string_view> kAll[] = {
      {AttentionKernel::flash, "flash"}, {AttentionKernel::sdpa, "sdpa"}, {AttentionKernel::eager, "eager"}};
};

}  // namespace plimsoll
