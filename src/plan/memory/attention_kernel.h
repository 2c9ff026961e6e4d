// AttentionKernel: how a framework computes attention.
#pragma once

#include <cstdint>

namespace plimsoll {

enum class AttentionKernel : uint8_t {
  as_it_is,  // by the framework's own kernel, unless a file says that its network computes it from single operations
  flash,     // FlashAttention: scores are never written to memory
  sdpa,      // PyTorch's scaled_dot_product_attention, which takes such a kernel
  eager,     // from single operations: scores and their softmax are written and kept
};

}  // namespace plimsoll
