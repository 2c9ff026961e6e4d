#include "base/result.h"

#include "base/text.h"

namespace plimsoll {

std::string Error::line() const {
  std::string line = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) line += " (" + hint + ")";
  return printable(line);
}

}  // namespace plimsoll
