// A parameter of a Program and the value that is its complete gradient.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct ParameterGradient {
  ValueId parameter, gradient;
};

}  // namespace plimsoll
