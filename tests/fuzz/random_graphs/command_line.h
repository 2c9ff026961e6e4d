// train_from_outside: random networks as .onnx files through `plimsoll train`, as a stranger would send them, on every
// backend: they train, stop because of a loss that is not a number, or are refused in one line; all backends alike.
#pragma once

#include <cstdint>

namespace plimsoll {

// How many of the networks from `first` on went wrong; tells of each.
int64_t train_from_outside(uint64_t first, uint64_t count);

}  // namespace plimsoll
