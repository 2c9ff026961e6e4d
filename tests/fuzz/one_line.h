// What every door must keep to: what it refuses, it refuses with a message of one line.
#pragma once

#include <string>

#include "base/check.h"
#include "base/result.h"

namespace plimsoll {

template <class Answer>
bool accepted(const Answer& answer) {
  if (answer.ok()) return true;
  PLIM_CHECK(answer.error().line().find('\n') == std::string::npos, "a message of more than one line");
  return false;
}

}  // namespace plimsoll
