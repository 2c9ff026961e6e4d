// How convolutions are computed: directly, or in a domain where they take fewer multiplications, more memory and a
// coarser rounding.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

enum class ConvWay {
  automatic,  // for each layer and direction whatever is fastest on this machine
  direct,
  winograd,  // wherever there is such a kernel, else direct
  fft,       // the same
};

Result<ConvWay> parse_conv_way(const std::string& text);
std::string to_string(ConvWay way);

}  // namespace plimsoll
