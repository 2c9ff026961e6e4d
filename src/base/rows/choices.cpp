#include "base/rows/choices.h"

namespace plimsoll {

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  std::string text;
  for (size_t i = 0; i + 1 < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + " or " + names.back();
}

}  // namespace plimsoll
