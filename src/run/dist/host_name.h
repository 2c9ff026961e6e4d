// The name of this machine, as it calls itself.
#pragma once

#include <string>

namespace plimsoll {

std::string host_name();

}  // namespace plimsoll
