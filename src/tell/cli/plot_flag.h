// --plot FILE.svg: the same in every verb that draws.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

Status check_plot_name(const std::string& name);

}  // namespace plimsoll
