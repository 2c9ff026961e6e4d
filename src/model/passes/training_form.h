// Puts every operation that behaves differently in training into that form: batch norm with the batch's own
// statistics, dropout that drops, max pooling that remembers its places. Where something is random the step gets an
// input "random_counters": seed, step and the number of the batch's first sample, which decide all random numbers.
// Frozen, batch norms keep the statistics that they have and nothing is dropped: what a trained network's loss looks
// like around its weights.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

enum class TrainingForm : uint8_t { whole, frozen };

Status training_form(Program& program, TrainingForm form);

}  // namespace plimsoll
