// The load as a bar, as the page draws it: what is in the memory at the peak, part by part, with the load line and the
// memory's end where they are, and the range of the peak beneath.
#pragma once

#include "plan/verdict/fit.h"

namespace plimsoll {

std::string load_bar_svg(const FitAnswer& answer, Bytes memory);

}  // namespace plimsoll
