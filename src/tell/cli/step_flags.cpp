#include "tell/cli/step_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "tell/cli/numbers.h"

namespace plimsoll {
namespace {

constexpr const char* kDefaultRecompute = "0.35";  // of the forward pass

Result<Loss> loss_of(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& loss : all_losses()) {
    if (loss.name == name) return loss.loss;
    names.push_back(loss.name);
  }
  return user_error(fmt::format("--loss is {}, expected one of {}", plimsoll::in_quotes(name), fmt::join(names, ", ")));
}

}  // namespace

void StepFlags::declare(CLI::App& app) {
  app.add_option("--mode", mode, "train or inference")->capture_default_str();
  app.add_option("--optimizer", optimizer,
                 fmt::format("{} (default {}); presets: {}", optimizer_names(), kDefaultOptimizer, preset_names()))
      ->type_name("NAME");
  app.add_option("--loss", loss,
                 "softmax-cross-entropy, binary-cross-entropy, mean-squared-error (default: by the output)")
      ->type_name("NAME");
  app.add_option(
         "--recompute", recompute,
         "drop activations and compute them again, up to this share of the forward pass (0.35 without a number)")
      ->expected(0, 1)
      ->default_str(kDefaultRecompute)
      ->type_name("SHARE");
  app.add_option("--micro-batches", micro_batches, "run a batch in so many parts; --batch is that of a part")
      ->type_name("N");
}

Result<StepOptions> StepFlags::read() const {
  StepOptions options;
  if (mode != "train" && mode != "inference")
    return user_error(fmt::format("--mode is {}, expected train or inference", plimsoll::in_quotes(mode)));
  PLIM_ASSIGN(const OptimizerChoice chosen,
              choose_optimizer(optimizer.empty() ? std::string(kDefaultOptimizer) : optimizer));
  options.optimizer_settings = chosen.settings;
  if (mode == "train") options.optimizer = chosen.optimizer;
  if (!loss.empty()) {
    PLIM_ASSIGN(options.loss, loss_of(loss));
  }
  if (!recompute.empty()) {
    PLIM_ASSIGN(options.recompute, parse_number("--recompute", recompute, 0, Edge::included, 1));
  }
  if (!micro_batches.empty()) {
    PLIM_ASSIGN(options.micro_batches, parse_integer("--micro-batches", micro_batches, 1, kMostMicroBatches));
  }
  return options;
}

}  // namespace plimsoll
