// all_reduce: the sum of every worker's numbers, the same on all. By itself, and by its reference maths, a worker is
// alone: its numbers stay as they are. Whoever runs a Program with others gives the Executor a way to add them up.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& all_reduce();

}  // namespace plimsoll
