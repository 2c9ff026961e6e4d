#include "plan/ask/frozen_network.h"

#include <algorithm>

#include "base/rows/named.h"
#include "base/text.h"
#include "plan/llm/freeze_parameters.h"

namespace plimsoll {
namespace {

bool freezes(const TrainingRequest& training, Mode mode) {
  return mode == Mode::train && training.method && training.method->kind == TuningKind::freeze;
}

}  // namespace

std::shared_ptr<const Network> with_frozen(std::shared_ptr<const Network> network, const TrainingRequest& training,
                                           Mode mode) {
  if (!freezes(training, mode)) return network;
  const auto frozen = [patterns = training.method->pattern](Result<Program> program) -> Result<Program> {
    if (program.ok()) PLIM_TRY(freeze_parameters(*program, patterns));
    return program;
  };
  return std::make_shared<const Network>(
      network->name(),
      [=](std::optional<int64_t> batch, const NumberFormat& format) { return frozen(network->forward(batch, format)); },
      network->open_sizes(),
      [=](std::optional<int64_t> batch, const NumberFormat& format) { return frozen(network->listed(batch, format)); });
}

std::string frozen_text(const TrainingRequest& training, Mode mode) {
  if (!freezes(training, mode)) return "";
  const std::string& patterns = training.method->pattern;
  const int64_t commas = std::count(patterns.begin(), patterns.end(), ',');
  constexpr int64_t kMostShown = 4;
  return fmt::format("{} are not trained: they have no gradients and no optimizer state.",
                     commas < kMostShown ? "Parameters called " + in_quotes(patterns)
                                         : fmt::format("The parameters that {} names", named("method")));
}

}  // namespace plimsoll
