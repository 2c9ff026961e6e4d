#include "base/result.h"

#include "base/field_mark.h"

namespace plimsoll {

std::string Error::line() const {
  std::string line = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) line += " (" + hint + ")";
  return printable_but_for_marks(line);
}

}  // namespace plimsoll
