// Where a step's time goes, as a table and as JSON.
#pragma once

#include <string>

#include "run/bench/profile.h"
#include "tell/report/json.h"

namespace plimsoll {

std::string profile_text(const Profile& profile);
Json profile_json(const Profile& profile);

}  // namespace plimsoll
