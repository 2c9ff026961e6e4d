// By how much the sum of a window is divided.
#pragma once

#include "model/ops/window.h"

namespace plimsoll {

// count_include_pad: the window's size without what hangs over the padding's end (ceil_mode); else the
// numbers inside the input.
int64_t averaged_taps(const Attributes& attributes, const Window& window, const std::vector<int64_t>& input_size,
                      const std::vector<int64_t>& at);

}  // namespace plimsoll
