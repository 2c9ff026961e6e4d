// The losses a network can be trained with, and the pass that puts one after its first output.
#pragma once

#include <span>
#include <string_view>

#include "model/ir/program.h"

namespace plimsoll {

enum class Loss {
  automatic,              // by the last operation: sigmoid or one output → binary, else softmax cross-entropy
  softmax_cross_entropy,  // scores against class labels
  binary_cross_entropy,   // a probability, or a score, against 0 or 1
  mean_squared_error,
};

struct LossName {
  std::string_view name;  // "softmax-cross-entropy"
  Loss loss;
};
std::span<const LossName> all_losses();

// Adds the loss, its targets (an input called "targets") and Program::loss. A softmax at the end is part of
// the loss and goes; what was before it is the step's output then. `label_smoothing` is for softmax cross-entropy;
// other losses have none.
Status add_loss(Program& program, Loss loss, double label_smoothing = 0);

}  // namespace plimsoll
