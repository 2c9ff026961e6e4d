// The numbers of PyTorch's kernels on CPUs, in one table (torch_cpu_parameters.inc): each with its value, meaning and
// source. No number is a network's.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

struct TorchCpuParameters {
#define PLIM_TORCH_CPU(name, value, meaning, source) double name = value;
#include "plan/time/torch_cpu_parameters.inc"
#undef PLIM_TORCH_CPU
};

}  // namespace plimsoll
