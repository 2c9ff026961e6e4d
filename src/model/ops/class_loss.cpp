#include "model/ops/class_loss.h"

#include <fmt/format.h>

namespace plimsoll {

Result<TensorType> class_loss_type(const OpCall& call) {
  const Shape& scores = call.shape(0);
  if (scores.rank() < 2)
    return user_error(fmt::format("scores have the shape {}, expected batch, classes …", scores.text()));
  std::vector<int64_t> dims(scores.begin(), scores.end());
  dims.erase(dims.begin() + 1);
  const Shape labels(std::move(dims));
  if (call.shape(1) != labels)
    return user_error(fmt::format("labels have the shape {}, expected {} for scores {}", call.shape(1).text(),
                                  labels.text(), scores.text()));
  if (call.has(2) && call.shape(2) != Shape{scores[1]})
    return user_error(fmt::format("weights have the shape {}, expected {}", call.shape(2).text(), scores[1]));
  PLIM_ASSIGN(LossReduction reduction, reduction_of(call.attributes));
  return reduced_type(reduction, {call.dtype(0), labels});
}

std::vector<double> label_weights(const Attributes& attributes, int64_t classes, const std::vector<double>& labels,
                                  const std::vector<double>& class_weights) {
  const bool ignores = attributes.has("ignore_index");
  const auto ignored = double(attributes.integer("ignore_index", 0));
  std::vector<double> weights(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    if ((ignores && labels[i] == ignored) || !(labels[i] >= 0 && labels[i] < double(classes))) continue;
    weights[i] = class_weights.empty() ? 1 : class_weights[size_t(labels[i])];
  }
  return weights;
}

std::vector<double> class_loss(const OpCall& call, std::span<const TensorView> in,
                               const std::vector<double>& log_probabilities) {
  const Shape& shape = in[0].shape();
  const int64_t classes = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto labels = read_doubles(in[1]);
  const auto weights = label_weights(call.attributes, classes, labels, read_doubles(in, 2));
  std::vector<double> losses(labels.size());
  double total_weight = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (weights[i] == 0) continue;
    const int64_t sample = int64_t(i) / plane, place = int64_t(i) % plane;
    losses[i] = -weights[i] * log_probabilities[size_t((sample * classes + int64_t(labels[i])) * plane + place)];
    total_weight += weights[i];
  }
  return reduced(*reduction_of(call.attributes), std::move(losses), total_weight);
}

std::vector<OpExample> class_loss_examples(size_t outputs) {
  using example::f32, example::i64;
  return {{"mean", {}, {f32({2, 3}), i64({2})}, outputs},
          {"weighted, a label ignored", {{"ignore_index", int64_t{1}}}, {f32({2, 3}), i64({2}), f32({3})}, outputs},
          {"each pixel", {{"reduction", std::string("none")}}, {f32({2, 3, 4, 5}), i64({2, 4, 5})}, outputs}};
}

}  // namespace plimsoll
