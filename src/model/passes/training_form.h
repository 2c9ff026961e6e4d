// Puts every operation that behaves differently in training into that form: batch norm with the batch's own
// statistics, dropout that drops, max pooling that remembers its places. Where something is random the step gets an
// input "random_counters": seed, step and the number of the batch's first sample, which decide all random numbers.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

Status training_form(Program& program);

}  // namespace plimsoll
