#include "model/optim/presets.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "model/optim/all_optimizers.h"

namespace plimsoll {

std::span<const OptimizerPreset> all_optimizer_presets() {
  static const std::vector<OptimizerPreset> kPresets = {
      {"lamb:paper", "lamb", "every parameter adapted and decayed by 0.01 (You et al. 2020, algorithm 2)", {}},
      {"lamb:tfa", "lamb", "every parameter adapted, no decay (TensorFlow Addons' defaults)", {{"weight_decay", 0.0}}},
      {"lamb:nvidia",
       "lamb",
       "biases and norms neither adapted nor decayed, the rest decayed by 0.01 (NVIDIA Apex, FusedLAMB; without its "
       "clipping of the gradient's length)",
       {{"exclude_vectors", int64_t{1}}}},
      {"lars:paper", "lars", "every parameter adapted (You et al. 2017)", {}},
      {"lars:exclude",
       "lars",
       "biases and norms as momentum would, neither adapted nor decayed, as ResNets are usually trained with it",
       {{"exclude_vectors", int64_t{1}}}},
  };
  return kPresets;
}

std::string preset_names() {
  std::string names;
  for (const auto& preset : all_optimizer_presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

Result<OptimizerChoice> choose_optimizer(std::string_view name) {
  const std::string_view base = name.substr(0, name.find(':'));
  PLIM_ASSIGN(const Optimizer* optimizer, find_optimizer(base));
  if (base == name) return OptimizerChoice{optimizer, {}};
  std::vector<std::string> known;
  for (const auto& preset : all_optimizer_presets()) {
    if (preset.name == name) return OptimizerChoice{optimizer, preset.settings};
    if (preset.optimizer == base) known.emplace_back(preset.name);
  }
  return user_error(
      fmt::format("no preset of {} is called {}", base, in_quotes(name)),
      known.empty() ? fmt::format("{} has none", base) : fmt::format("known: {}", fmt::join(known, ", ")));
}

Attributes settings_for(const TensorType& parameter, const Attributes& settings) {
  Attributes own;
  for (const auto& [name, value] : settings)
    if (name != "exclude_vectors") own.set(name, value);
  if (settings.integer("exclude_vectors", 0) == 0 || parameter.shape.rank() > 1) return own;
  own.set("weight_decay", 0.0);
  own.set("adapt", int64_t{0});
  return own;
}

}  // namespace plimsoll
