// Losses of scores (batch, classes, …) against one label (batch, …) each, with optional weights of
// the classes and a label that is ignored.
#pragma once

#include "model/ops/loss.h"

namespace plimsoll {

// The shape rule for the loss alone: labels like the scores without their axis 1, one weight a class.
Result<TensorType> class_loss_type(const OpCall& call);

// Minus the log probability of each label, weighted, reduced. A label that is ignored, or is no
// class at all, has the loss and the weight 0.
std::vector<double> class_loss(const OpCall& call, std::span<const TensorView> in,
                               const std::vector<double>& log_probabilities);

// The weight of each label: of its class, 1 without weights, 0 when it is ignored or no class at all.
std::vector<double> label_weights(const Attributes& attributes, int64_t classes, const std::vector<double>& labels,
                                  const std::vector<double>& class_weights);

std::vector<OpExample> class_loss_examples(size_t outputs);

}  // namespace plimsoll
