// Where a step's time goes, as a table.
#pragma once

#include <string>

#include "run/bench/profile.h"

namespace plimsoll {

std::string profile_text(const Profile& profile);

}  // namespace plimsoll
