// Written by tools/fit_memory_profile.py; a test holds it to the measurements. Do not edit.
#pragma once

#include <string_view>

#include "base/units.h"

namespace plimsoll {

// PyTorch's context: code of a GPU without and with tensor cores, and stacks of each multiprocessor.
inline constexpr Bytes kPlainCode(454828491);
inline constexpr Bytes kTensorCode(915165676);
inline constexpr Bytes kUnitStacks(6485180);

inline constexpr int64_t kFittedRows = 108;
inline constexpr double kFittedMedianError = 0.021519998;
inline constexpr double kFittedLargestError = 0.221394441;
inline constexpr double kFittedOutside = 0.027777778;
inline constexpr std::string_view kFittedSource = "SchedTune, PyTorch f32 training on 3 GPUs";

}  // namespace plimsoll
