// KernelMachine: the figures of a GPU that the time of a single kernel follows from. Attention and experts are told by
// them (attention_kernel.h, expert_kernel.h).
#pragma once

#include <optional>

#include "plan/devices/device.h"

namespace plimsoll {

struct KernelMachine {
  double bandwidth = 0, products = 0;  // bytes and operations a second, of 16-bit products
  double units = 0, clock = 0;
  double l2 = 0;                      // bytes; 0: not known
  bool splits_heads_anyhow = false;   // FlashAttention 3: also where each head has keys of its own
  bool datacenter_blackwell = false;  // has kernels of its own (TensorRT-LLM's), which start and go round faster

  // Starts and round trips are slower on a slower card, but not in proportion: half of it is memory's latency.
  double slower() const;
};

// nullopt: a figure is missing, or the card is none that these kernels run on.
std::optional<KernelMachine> kernel_machine(const Device& device);

}  // namespace plimsoll
