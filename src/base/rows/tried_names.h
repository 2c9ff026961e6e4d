// Names of fields that people bring from elsewhere (batch_size, gpu, precision), and what we call them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

struct TriedName {
  std::string_view name;   // as in JSON: batch_size
  std::string_view field;  // batch
  std::string_view value;  // what the name alone says: amp is dtype amp; empty: it takes a value as the field does
  bool taken = true;       // false: it is only answered with what is meant
};

// nullptr: nobody is known to try it.
const TriedName* tried_name(std::string_view name);

// "did you mean batch?", or the nearest of `known`, or "".
std::string meant_by(std::string_view name, std::span<const std::string> known);

}  // namespace plimsoll
