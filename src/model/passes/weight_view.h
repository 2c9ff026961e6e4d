// Which values are a stored tensor looked at in another way: the same numbers under another shape, or with their axes
// in another order. Exporters write them between a weight and the product that it is for; nothing is computed there.
#pragma once

#include "model/passes/uses.h"

namespace plimsoll {

// The same numbers, in memory that some engine need not copy: a view, or a transpose.
bool only_looks(const Operation& operation);

// A parameter or buffer, or what operations that only look make of one.
bool is_weight_view(const Program& program, const Uses& uses, ValueId id);

}  // namespace plimsoll
