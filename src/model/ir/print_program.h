// A Program as text, for people: what is given, one line an operation, what comes out. The same Program always gives
// the same text, and values go by their ids, so that two texts can be compared line by line.
#pragma once

#include <string>

#include "model/ir/program.h"

namespace plimsoll {

std::string print(const Program& program);

}  // namespace plimsoll
