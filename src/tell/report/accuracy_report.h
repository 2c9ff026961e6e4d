// How far off predictions have been.
#pragma once

#include <string>

namespace plimsoll {

std::string accuracy_text();

}  // namespace plimsoll
