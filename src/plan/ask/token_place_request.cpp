#include "plan/ask/token_place_request.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/token_attention.h"
#include "plan/devices/all_devices.h"
#include "plan/llm/token_accuracy.h"

namespace plimsoll {
namespace {

// CPUs only where they were named.
Result<std::vector<Candidate>> gpus_of(const PlaceRequest& request, TokenPlaceOutcome& outcome) {
  std::vector<std::string> notes;
  PLIM_ASSIGN(std::vector<Candidate> candidates, candidates_of(request, notes));
  if (!request.devices.empty()) return candidates;
  const auto left_out = std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_gpu(); });
  if (left_out > 0)
    outcome.notes.push_back(
        fmt::format("{} CPUs were left out; {} NAME asks about one of them.", left_out, named("device")));
  return candidates;
}

void rank(std::vector<TokenPlacement>& ranked, RankBy by) {
  const auto key = [&](const TokenPlacement& p) {
    const double time = p.total.value, money = p.cost ? p.cost->value : HUGE_VAL;  // of two alike the other decides
    return by == RankBy::time ? std::tuple(!p.fits, time, money) : std::tuple(!p.fits, money, time);
  };
  std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

void add_reasons(TokenPlaceOutcome& outcome) {
  if (outcome.ranked.empty() || !outcome.ranked.front().fits) {
    if (!outcome.ranked.empty())
      outcome.reasons.push_back(fmt::format("No device carries it; the nearest is {}: {}.",
                                            outcome.ranked.front().device.whole.name, outcome.ranked.front().why_not));
    return;
  }
  const TokenPlacement& best = outcome.ranked.front();
  outcome.choice = best.device.whole.name;
  outcome.reasons.push_back(fmt::format(
      "{} tokens/s with a micro-batch of {}: {} tokens take {}{}.", with_commas(int64_t(best.time.tokens_per_second)),
      best.batch, with_commas(int64_t(outcome.tokens)), human_time(best.total),
      best.cost ? fmt::format(" and cost {} ({})", human_dollars(*best.cost), best.price->basis) : ""));
  if (best.time.mfu)
    outcome.reasons.push_back(fmt::format("Its products take {} of the {} peak of {}; it is bound by {}.",
                                          percent(*best.time.mfu), name_of(best.time.peak_format),
                                          human_rate(best.time.peak), best.time.bound_by));
  const auto fitting =
      std::count_if(outcome.ranked.begin(), outcome.ranked.end(), [](const auto& p) { return p.fits; });
  outcome.reasons.push_back(fmt::format("{} of {} devices carry it.", fitting, outcome.ranked.size()));
}

}  // namespace

Result<bool> is_token_place(const PlaceRequest& request) {
  bool gpu = request.devices.empty();
  for (const auto& name : named_devices(request)) {
    PLIM_ASSIGN(const Candidate device, find_candidate(name));
    gpu = gpu || device.is_gpu();
  }
  return trains_tokens(request.model, request.step.mode, request.framework, gpu, request.training);
}

double tokens_of(const JobRequest& work, int64_t sequence, std::vector<std::string>& notes) {
  if (work.tokens) return *work.tokens;
  if (!work.samples)
    notes.push_back(fmt::format("{} samples of {} tokens were assumed ({} N, or {} N).", with_commas(kDefaultSamples),
                                with_commas(sequence), named("tokens"), named("samples")));
  return double(work.samples.value_or(kDefaultSamples)) * double(work.epochs.value_or(1)) * double(sequence);
}

std::string token_time_accuracy_text() {
  const TokenAccuracy& checked = training_speed_accuracy();
  return fmt::format("Against {} measured runs of {} ({}) tokens/s were off by {} in the median, {} at worst.",
                     checked.rows, checked.kind, checked.source, percent(checked.median_error),
                     percent(checked.largest_error));
}

Result<TokenPlaceOutcome> ask_token_place(const PlaceRequest& request) {
  TokenPlaceOutcome outcome;
  outcome.model = request.model.source.name;
  outcome.load_line = request.load_line;
  outcome.top = size_t(request.top);
  TokenJob job;
  PLIM_ASSIGN(job.setup, request.training.setup(request.model.dtype, request.step.optimizer, request.step.micro_batches,
                                                request.run.attention));
  PLIM_TRY(take_possible_attention(job.setup, request.model, outcome.notes));
  if (!request.training.split.workers && !job.setup.degrees.within_model()) job.setup.degrees.workers = 0;
  job.chooses_shard = !request.training.shard;
  job.chooses_checkpointing = !request.training.checkpointing;
  job.chooses_logits = !request.training.logits;
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
  PLIM_ASSIGN(const auto candidates, gpus_of(request, outcome));
  for (const auto& candidate : candidates) {
    std::vector<std::string> ignored;
    auto placement = token_place(job, candidate, usual_wiring(candidate, ignored, 1));
    if (placement.ok()) {
      outcome.ranked.push_back(*std::move(placement));
      continue;
    }
    if (candidates.size() == 1) return std::move(placement).error();
    outcome.not_placed.push_back(candidate.whole.name + ": " + placement.error().line());
    if (outcome.not_placed.size() == candidates.size()) return std::move(placement).error();
  }
  rank(outcome.ranked, request.by);
  add_reasons(outcome);
  outcome.notes.push_back(token_time_accuracy_text());
  return outcome;
}

}  // namespace plimsoll
