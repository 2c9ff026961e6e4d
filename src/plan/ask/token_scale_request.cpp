#include "plan/ask/token_scale_request.h"

#include <algorithm>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/token_attention.h"
#include "plan/ask/token_fit_request.h"
#include "plan/ask/token_place_request.h"

namespace plimsoll {
namespace {

constexpr double kUsualGlobalTokens = 4'194'304;  // of a step, of large trainings

Result<Wiring> wiring_of(const ScaleRequest& request, const Candidate& device, int64_t most,
                         std::vector<std::string>& notes) {
  const WiringRequest& asked = request.wiring;
  Wiring wiring = usual_wiring(device, notes, asked.link ? 1 : most);
  if (asked.per_node) wiring.per_node = *asked.per_node;
  if (asked.inside) wiring.inside = *asked.inside;
  if (asked.link) wiring.between = *asked.link;
  return wiring;
}

std::string plan_reason(const TokenPlacement& best) {
  const TokenTime& time = best.time;
  const double step = time.step.value, micro = double(std::max<int64_t>(1, best.setup.micro_batches));
  const auto share = [&](double seconds) { return percent(seconds / step); };
  std::string text = fmt::format("{} devices: {}; of a step of {}", with_commas(best.setup.degrees.workers),
                                 plan_text(best.setup), human_time(time.step));
  const double within = micro * (time.tensor_exchange.value + time.expert_exchange.value + time.context_exchange.value);
  if (within > 0) text += fmt::format(", {} is exchange within the network", share(within));
  if (time.shard_exchange.value > 0)
    text +=
        fmt::format(", {} exchange of parameters and gradients that nothing hides", share(time.shard_exchange.value));
  if (time.bubble.value > 0) text += fmt::format(", {} the pipeline's bubble", share(time.bubble.value));
  if (time.recompute.value > 0) text += fmt::format(", {} recomputation", share(micro * time.recompute.value));
  return text + fmt::format(". Each device needs {}.", human_bytes(best.memory.needed()));
}

Result<TokenScaleRun> run_on(const ScaleRequest& request, const TokenJob& job, const Candidate& device,
                             const Wiring& wiring, int64_t workers, double global_tokens) {
  TokenScaleRun run;
  if (request.search) {
    PLIM_ASSIGN(TokenSearch found, token_search(job, device, wiring, workers, {global_tokens, 5}));
    run.tried = found.tried;
    run.fitting = found.fitting;
    if (found.best.empty()) {
      if (found.leanest) run.placement = *found.leanest;
      run.placement.setup.degrees.workers = workers;
      run.why_not = found.leanest
                        ? fmt::format("none of {} plans fits; the leanest ({}) needs {}", found.tried,
                                      plan_text(found.leanest->setup), human_bytes(found.leanest->memory.needed()))
                        : fmt::format("the network cannot be divided over {} devices", workers);
      return run;
    }
    run.placement = found.best.front();
    run.others.assign(found.best.begin() + 1, found.best.end());
    return run;
  }
  TokenJob one = job;
  one.setup.degrees.workers = workers;
  if (workers == 1 && !job.setup.degrees.within_model()) one.setup.shard = Shard::none;
  PLIM_ASSIGN(run.placement, token_place(one, device, wiring));
  run.why_not = run.placement.why_not;
  return run;
}

void add_efficiencies(TokenScaleOutcome& outcome) {
  const auto each = [](const TokenPlacement& p) {
    return p.time.tokens_per_second / double(std::max<int64_t>(1, p.setup.degrees.workers));
  };
  double first = 0;
  for (auto& run : outcome.runs) {
    if (!run.placement.fits) continue;
    if (first == 0) first = each(run.placement);
    run.efficiency = each(run.placement) / first;
  }
}

void add_reasons(TokenScaleOutcome& outcome, const ScaleRequest& request) {
  const TokenScaleRun* last = nullptr;
  for (const auto& run : outcome.runs) {
    if (run.placement.fits) last = &run;
    else
      outcome.reasons.push_back(
          fmt::format("{} devices: {}.", with_commas(run.placement.setup.degrees.workers), run.why_not));
  }
  if (!last) return;
  outcome.reasons.push_back(plan_reason(last->placement));
  if (last->tried > 0)
    outcome.reasons.push_back(fmt::format("{} plans were tried, {} of them fit.", last->tried, last->fitting));
  const TokenPlacement& p = last->placement;
  const bool late = request.deadline && p.total > *request.deadline;
  const bool dear = request.budget && p.cost && p.cost->value > *request.budget;
  outcome.aim_met = !late && !dear;
  if (late) outcome.reasons.push_back("The deadline is not met, even on the largest number of devices.");
  if (dear) outcome.reasons.push_back("The budget is not met.");
}

}  // namespace

bool TokenScaleOutcome::fits() const {
  return std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.placement.fits; });
}

Result<bool> is_token_scale(const ScaleRequest& request) {
  bool gpu = true;
  if (request.device) {
    PLIM_ASSIGN(const Candidate device, find_candidate(*request.device));
    gpu = device.is_gpu();
  }
  PLIM_ASSIGN(const bool tokens,
              trains_tokens(request.model, request.step.mode, request.framework, gpu, request.training));
  if (!tokens && request.search) return user_error(named("search") + " is for training language models on GPUs");
  return tokens;
}

Result<TokenScaleOutcome> ask_token_scale(const ScaleRequest& request) {
  if (!request.device)
    return user_error("no " + named("device") + " is given",
                      fmt::format("for example {} nvidia-dgx-h100", named("device")));
  TokenScaleOutcome outcome;
  outcome.model = request.model.source.name;
  outcome.device = *request.device;
  outcome.searched = request.search;
  TokenJob job;
  PLIM_ASSIGN(job.setup, request.training.setup(request.model.dtype, request.step.optimizer, request.step.micro_batches,
                                                request.attention));
  PLIM_TRY(take_possible_attention(job.setup, request.model, outcome.notes));
  job.chooses_shard = !request.training.shard;
  job.chooses_checkpointing = !request.training.checkpointing;
  PLIM_ASSIGN(const Candidate device, find_candidate(*request.device));
  PLIM_ASSIGN(outcome.wiring, wiring_of(request, device, request.workers.numbers.back(), outcome.notes));
  job.setup.degrees.per_node = outcome.wiring.per_node;
  PLIM_ASSIGN(job.sequence, sequence_of(request.model));
  TokenModel model = token_model(request.model);
  job.model = &model;
  job.batch = request.batch;
  job.load_line = request.load_line;
  job.tokens = tokens_of(request.work, job.sequence, outcome.notes);
  if (request.work.price) job.price = DollarsPerHour{*request.work.price};
  outcome.setup = job.setup;
  outcome.sequence = job.sequence;
  outcome.tokens = job.tokens;
  outcome.format = choice_name(job.setup.format);
  outcome.global_tokens =
      request.global_batch ? double(*request.global_batch) * double(job.sequence) : kUsualGlobalTokens;
  if (request.search && !request.global_batch)
    outcome.notes.push_back(fmt::format("A step of {} tokens was assumed ({} N samples).",
                                        with_commas(int64_t(outcome.global_tokens)), named("global_batch")));
  for (const int64_t workers : request.workers.numbers) {
    PLIM_ASSIGN(TokenScaleRun run, run_on(request, job, device, outcome.wiring, workers, outcome.global_tokens));
    outcome.runs.push_back(std::move(run));
  }
  add_efficiencies(outcome);
  add_reasons(outcome, request);
  outcome.notes.push_back(token_time_accuracy_text());
  return outcome;
}

}  // namespace plimsoll
