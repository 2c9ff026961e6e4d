#include "plan/time/torch_parameters.h"

namespace plimsoll {

std::span<const TorchParameter> all_torch_parameters() {
  static constexpr TorchParameter kAll[] = {
#define PLIM_TORCH(name, value, expected, low, high, meaning, source) \
  {#name, &TorchParameters::name, expected, low, high, meaning, source},
#include "plan/time/torch_parameters.inc"
#undef PLIM_TORCH
  };
  return kAll;
}

}  // namespace plimsoll
