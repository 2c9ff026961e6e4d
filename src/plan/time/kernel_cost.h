// KernelCost: what one kernel of PyTorch takes, as products of what its shape asks of a card and of numbers of the
// table (torch_parameters.inc). Which numbers is kept, so that tools/fit_gpu_time.py can fit them to measured steps
// without a second form of the model.
#pragma once

#include <algorithm>
#include <array>

#include "plan/time/torch_parameters.h"

namespace plimsoll {

using TorchFactor = double TorchParameters::*;

struct KernelTerm {
  double seconds = 0;                    // at costs of 1
  std::array<TorchFactor, 4> factors{};  // nullptr: no further one

  double value(const TorchParameters& p) const {
    double value = seconds;
    for (const TorchFactor factor : factors)
      if (factor != nullptr) value *= p.*factor;
    return value;
  }
};

struct KernelCost {
  KernelTerm arithmetic, bytes;  // the longer one counts
  KernelTerm copies;             // copies to another layout, before and after
  double repeat = 0;             // 0: no kernel runs

  double longest(const TorchParameters& p) const {
    return std::max(arithmetic.value(p), bytes.value(p)) + copies.value(p);
  }
  double seconds(const TorchParameters& p) const { return (longest(p) + p.kernel_seconds) * repeat; }
};

}  // namespace plimsoll
