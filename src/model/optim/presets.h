// Presets: an optimizer as one of its implementations has it, "lamb:tfa". Programs that bear the same name differ in
// what they decay and which parameters they adapt, and that changes what a rate means.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/optim/optimizer.h"

namespace plimsoll {

struct OptimizerPreset {
  std::string_view name;       // "lamb:tfa"
  std::string_view optimizer;  // "lamb"
  std::string_view summary;    // one line, with the source
  Attributes settings;
};

std::span<const OptimizerPreset> all_optimizer_presets();
std::string preset_names();  // "lamb:paper, lamb:tfa, …"

struct OptimizerChoice {
  const Optimizer* optimizer = nullptr;
  Attributes settings;
};

// By the name of an optimizer, with its usual settings, or of a preset.
Result<OptimizerChoice> choose_optimizer(std::string_view name);

// The settings of one parameter. With the setting `exclude_vectors` biases and the parameters of norms, which are those
// with one axis at most, are neither decayed nor adapted.
Attributes settings_for(const TensorType& parameter, const Attributes& settings);

}  // namespace plimsoll
