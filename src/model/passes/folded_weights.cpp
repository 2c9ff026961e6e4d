#include "model/passes/folded_weights.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

Result<FoldedWeights> FoldedWeights::make(const Program& program, const Weights& source) {
  FoldedWeights weights(source);
  for (const FoldedNorm& folded : program.folded) PLIM_TRY(weights.add(program, folded));
  return weights;
}

Status FoldedWeights::add(const Program& program, const FoldedNorm& folded) {
  const auto channels = size_t(program.value(folded.bias).type->shape[0]);
  std::vector<float> scale(channels), shift(channels), mean(channels), variance(channels), bias(channels, 0.0f);
  const auto read_all = [&](ValueId id, std::vector<float>& into) -> Result<bool> {
    if (!id.present()) return true;
    const std::string& name = program.value(id).name;
    if (!source_->has(name)) return false;
    PLIM_TRY(source_->read(name, 0, into));
    return true;
  };
  const std::pair<ValueId, std::vector<float>*> all[] = {{folded.scale, &scale},
                                                         {folded.shift, &shift},
                                                         {folded.mean, &mean},
                                                         {folded.variance, &variance},
                                                         {folded.conv_bias, &bias}};
  for (const auto& [id, into] : all) {
    PLIM_ASSIGN(const bool there, read_all(id, *into));
    if (!there) return {};
  }
  for (size_t c = 0; c < channels; ++c) {
    const double factor = scale[c] / std::sqrt(double(variance[c]) + folded.epsilon);
    bias[c] = float(shift[c] + (double(bias[c]) - mean[c]) * factor);
    scale[c] = float(factor);
  }
  const Shape& shape = program.value(folded.weights).type->shape;
  scaled_[program.value(folded.weights).name] = {shape.elements(1, shape.rank()).value(), std::move(scale)};
  biases_[program.value(folded.bias).name] = std::move(bias);
  return {};
}

Status FoldedWeights::read(const std::string& name, int64_t first, std::span<float> into) const {
  if (const auto bias = biases_.find(name); bias != biases_.end()) {
    std::copy_n(bias->second.begin() + first, into.size(), into.begin());
    return {};
  }
  PLIM_TRY(source_->read(name, first, into));
  const auto found = scaled_.find(name);
  if (found == scaled_.end()) return {};
  const auto& [numbers, factors] = found->second;
  for (size_t i = 0; i < into.size(); ++i) into[i] *= factors[size_t((first + int64_t(i)) / numbers)];
  return {};
}

}  // namespace plimsoll
