// How convolutions are computed: directly, or in a domain where they take fewer multiplications, more memory and a
// coarser rounding.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

enum class ConvSetting {
  automatic,  // for each layer and direction whatever is fastest on this machine
  direct,
  winograd,  // wherever there is such a kernel, else direct
  fft,       // the same
};

Result<ConvSetting> parse_conv_setting(const std::string& text);
std::string to_string(ConvSetting way);

}  // namespace plimsoll
