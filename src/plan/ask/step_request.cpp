#include "plan/ask/step_request.h"

#include "base/rows/named.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "plan/llm/token_optimizer.h"

namespace plimsoll {
namespace {

constexpr const char* kDefaultRecompute = "0.35";  // of the forward pass

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const auto& loss : all_losses()) names.emplace_back(loss.name);
  return names;
}

}  // namespace

Row optimizer_row() {
  return {.name = "optimizer",
          .subject = Subject::step,
          .help = optimizer_names() + "; presets: " + preset_names(),
          .value = "NAME",
          .fallback = std::string(kDefaultOptimizer),
          .page = true};
}

Row loss_row() {
  return {.name = "loss",
          .subject = Subject::step,
          .help = listed(loss_names()),
          .value = "NAME",
          .fallback = "chosen by the network's output"};
}

Row micro_batches_row() {
  return {.name = "micro_batches",
          .subject = Subject::step,
          .help = "split each step into this many parts and add up their gradients, in the memory of one part; " +
                  named("batch") + " is the batch of a part",
          .value = "N",
          .fallback = "1",
          .least = 1,
          .most = double(kMostMicroBatches),
          .page = true};
}

void StepRequest::describe(Fields& fields) {
  fields.add(mode, {.name = "mode",
                    .subject = Subject::step,
                    .help = "train, inference, or generate (a language model is served)",
                    .value = "MODE",
                    .page = true});
  Row row = optimizer_row();
  row.help += "; for language models on GPUs, where adamw is the default: " + token_optimizer_names();
  fields.add(optimizer, std::move(row));
  fields.add(loss, loss_row());
  fields.add(recompute, {.name = "recompute",
                         .subject = Subject::step,
                         .help = "drop activations and recompute them in the backward pass, up to this share of the "
                                 "forward pass (0.35 if no number is given)",
                         .value = "SHARE",
                         .least = 0,
                         .most = 1,
                         .bare = kDefaultRecompute,
                         .page = true});
  fields.add(micro_batches, micro_batches_row());
}

Result<StepOptions> StepRequest::options() const {
  if (mode == Mode::generate)
    return user_error(named("mode") + " is generate, expected train or inference",
                      "fit and place answer for text that is generated");
  StepOptions options;
  PLIM_ASSIGN(const OptimizerChoice chosen, choose_optimizer(optimizer.value_or(std::string(kDefaultOptimizer))));
  options.optimizer_settings = chosen.settings;
  if (mode == Mode::train) options.optimizer = chosen.optimizer;
  options.loss = loss.value_or(Loss::automatic);
  options.recompute = recompute.value_or(0);
  options.micro_batches = micro_batches.value_or(1);
  return options;
}

Result<Loss> Form<Loss>::parse(const Row&, const std::string& called, const std::string& text) {
  for (const auto& loss : all_losses())
    if (loss.name == text) return loss.loss;
  return user_error(
      fmt::format("{} is {}, expected one of {}", called, in_quotes(text), fmt::join(loss_names(), ", ")));
}

Result<Loss> Form<Loss>::read(const Row& row, const std::string& called, const Json& json) {
  if (!json.is_string()) return wrong_json(called, json, listed(loss_names()));
  return parse(row, called, json.get<std::string>());
}

Json Form<Loss>::write(Loss value) {
  for (const auto& loss : all_losses())
    if (loss.loss == value) return loss.name;
  return {};
}

Json Form<Loss>::schema(const Row&) { return {{"type", "string"}, {"enum", loss_names()}}; }

}  // namespace plimsoll
