// Sizes of memory in words, with powers of ten and powers of two told apart: a maker's 8 GB are 7.45 GiB.
#pragma once

#include <string>

#include "base/units.h"

namespace plimsoll {

std::string decimal_bytes(Bytes bytes);  // "6.1 GB", "300 MB": powers of 1000, three digits
std::string in_both_units(Bytes bytes);  // "8 GB = 7.45 GiB"; "700 B" when both are the same
std::string percent(double share);       // "80 %", "99.5 %"

}  // namespace plimsoll
