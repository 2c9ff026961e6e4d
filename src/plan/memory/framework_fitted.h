// Written by tools/fit_memory_profile.py; a test holds it to the measurements. Do not edit.
#pragma once

#include <string_view>

#include "base/units.h"

namespace plimsoll {

// PyTorch's context: code of a GPU without and with tensor cores, and stacks of each multiprocessor.
inline constexpr Bytes kPlainCode(417 << 20);
inline constexpr Bytes kTensorCode(829 << 20);
inline constexpr Bytes kUnitStacks(6 << 20);

inline constexpr int64_t kFittedRows = 0;
inline constexpr double kFittedMedianError = 0;
inline constexpr double kFittedLargestError = 0;
inline constexpr double kFittedOutside = 0;
inline constexpr std::string_view kFittedSource = "";

}  // namespace plimsoll
