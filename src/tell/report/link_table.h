// The links that are known by name, with their figures and sources.
#pragma once

#include <string>

namespace plimsoll {

std::string link_table();

}  // namespace plimsoll
