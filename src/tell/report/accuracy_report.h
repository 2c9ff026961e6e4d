// How far off predictions have been, as text and as JSON.
#pragma once

#include <string>

#include "tell/report/json.h"

namespace plimsoll {

std::string accuracy_text();
Json accuracy_json(const std::string& verb);

}  // namespace plimsoll
