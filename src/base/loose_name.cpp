#include "base/loose_name.h"

#include <cctype>

namespace plimsoll {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = char(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string loose_name(std::string_view name) {
  std::string loose;
  for (const char c : name.substr(0, 200))
    if (const auto letter = static_cast<unsigned char>(c); std::isalnum(letter) || c == '.')
      loose += char(std::tolower(letter));
  return loose;
}

}  // namespace plimsoll
