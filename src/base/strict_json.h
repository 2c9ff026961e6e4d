// JSON as a stranger may have written it: a document, or the one thing that is wrong with it. Nesting is
// bounded, a key that appears twice is a mistake, and a byte order mark is named as one.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

Result<nlohmann::ordered_json> parse_strict_json(std::string_view text);

}  // namespace plimsoll
