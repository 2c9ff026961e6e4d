// JSON out: one document, keys in the order they are written, names made safe.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"

namespace plimsoll {

using Json = nlohmann::ordered_json;

// The text of a document, with a newline. Bytes that are not UTF-8 are replaced, never thrown at.
std::string json_text(const Json& document);

// {"schema": "plimsoll.error/1", …} with the exit code that goes with it.
std::string error_json(const Error& error, int exit_code);

}  // namespace plimsoll
