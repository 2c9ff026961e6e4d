// Looking things up in a Program, one walk each: for set-up, not for loops over all values.
#pragma once

#include <string_view>

#include "model/ir/program.h"

namespace plimsoll {

// The input of that name: "targets", "learning_rate" …; absent when there is none.
ValueId input_named(const Program& program, std::string_view name);

// The operation that writes a value; nullptr for one that comes from outside.
const Operation* producer_of(const Program& program, ValueId id);

}  // namespace plimsoll
