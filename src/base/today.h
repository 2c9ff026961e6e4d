// The date of today, as files of ours have it.
#pragma once

#include <string>

namespace plimsoll {

std::string today();  // 2025-03-21, in UTC

}  // namespace plimsoll
