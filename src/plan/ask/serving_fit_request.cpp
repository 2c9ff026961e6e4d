#include "plan/ask/serving_fit_request.h"

#include "base/rows/named.h"
#include "base/text.h"
#include "plan/serving/serving_accuracy.h"

namespace plimsoll {
namespace {

std::string sequences_of(int64_t count) { return count == 1 ? "1 sequence" : with_commas(count) + " sequences"; }

std::string verdict_sentence(const ServingFitOutcome& o) {
  const ServingSetup& setup = o.question.setup;
  const std::string what = fmt::format("{} in {} with {} of {} tokens", printable(o.model, 80), setup.weights->name,
                                       sequences_of(setup.concurrency), with_commas(setup.context));
  const std::string each = setup.devices > 1 ? fmt::format(" on each of {} devices", setup.devices) : "";
  if (o.answer.fits)
    return fmt::format("{} fits: {}{}, {} are left under the line.", what, human_bytes(o.answer.memory.total()), each,
                       human_bytes(o.answer.left));
  return fmt::format("{} does not fit: {} are needed{}, {} more than are under the line. What crosses it: {}.", what,
                     human_bytes(o.answer.memory.total()), each, human_bytes(o.answer.shortfall), o.answer.breaks);
}

std::string limits_sentence(const ServingFitOutcome& o) {
  const ServingSetup& setup = o.question.setup;
  if (o.answer.largest_concurrency == 0 && o.answer.largest_context == 0)
    return "Not even one sequence of one token fits.";
  if (o.answer.largest_concurrency == 0)
    return fmt::format("Not one sequence of {} tokens fits; with {} the longest has {} tokens.",
                       with_commas(setup.context), sequences_of(setup.concurrency),
                       with_commas(o.answer.largest_context));
  const std::string longest = o.answer.largest_context >= kLongestContext
                                  ? "sequences may be of any length"
                                  : fmt::format("the longest has {} tokens", with_commas(o.answer.largest_context));
  return fmt::format("At {} tokens {} fit at most; with {} {}.", with_commas(setup.context),
                     sequences_of(o.answer.largest_concurrency), sequences_of(setup.concurrency), longest);
}

std::string speed_sentence(const ServingFitOutcome& o) {
  const ServingTime& time = *o.answer.time;
  const StepParts& step = time.step;
  return fmt::format("A token {} {} ({:.1f} tokens/s each, {:.1f} for all), bound by {}: a step reads {}.",
                     o.answer.fits ? "takes" : "would take", human_time(time.per_token), time.one,
                     double(o.question.setup.concurrency) * time.one, name_of(step.bound),
                     human_bytes(Bytes(int64_t(step.bytes))));
}

std::string offload_sentence(const ServingFitOutcome& o) {
  const ServingSetup& setup = o.question.setup;
  ServingSetup all = setup;
  all.layers_on_host = 0;
  std::string text = fmt::format("{} of {} layers are on the CPU, with {} of weights and cache", setup.layers_on_host,
                                 setup.network->blocks, human_bytes(o.answer.memory.on_host));
  const auto without = setup.device ? step_time(all, double(setup.context)) : Result<StepParts>(StepParts{});
  if (!o.answer.time || !without.ok() || without->total.value <= 0) return text + ".";
  return text + fmt::format(": a token takes {:.1f} times as long as with all of them on the device.",
                            o.answer.time->per_token.value / without->total.value);
}

// Of a million tokens written by all sequences: as it was asked where that fits, else by the nearest that does.
std::optional<std::string> money_sentence(const ServingFitOutcome& o) {
  if (!o.rental) return std::nullopt;
  std::optional<double> rate;
  int64_t devices = o.question.setup.devices;
  if (o.answer.fits && o.answer.time) rate = double(o.question.setup.concurrency) * o.answer.time->one;
  if (!o.answer.fits && !o.answer.alternatives.empty()) {
    const ServingAlternative& nearest = o.answer.alternatives.front();
    if (nearest.per_token) rate = double(nearest.concurrency) / nearest.per_token->value;
    devices = nearest.devices;
  }
  if (!rate || *rate <= 0) return std::nullopt;
  const Seconds million{1e6 / *rate};
  return fmt::format("{} million written tokens take {} and {}.", o.answer.fits ? "A" : "So served, a",
                     human_time(million), rental_text(*o.rental, devices, million));
}

}  // namespace

Result<ServingFitOutcome> ask_serving_fit(const FitRequest& request, const Network& network) {
  ServingFitOutcome outcome;
  PLIM_ASSIGN(const FitMemory memory, memory_of(request));
  PLIM_ASSIGN(outcome.network, read_served_network(network));
  const Candidate* candidate = memory.device ? &*memory.device : nullptr;
  const ServingRequest serving = with_own_weights(request.serving, request.model.source.name, request.framework);
  PLIM_ASSIGN(outcome.question.setup,
              serving_setup(serving, request.training.split, request.framework, *outcome.network, candidate));
  outcome.question.memory = memory.bytes;
  outcome.question.load_line = request.load_line;
  outcome.question.alternatives = !request.brief;
  outcome.answer = serving_fit(outcome.question);
  outcome.model = request.model.source.name;
  if (candidate) {
    outcome.device = candidate->whole.name;
    outcome.rental = rental_of(candidate->whole, candidate->count, outcome.question.setup.devices);
  }
  return outcome;
}

std::vector<std::string> sentences(const ServingFitOutcome& o) {
  std::vector<std::string> lines{verdict_sentence(o), limits_sentence(o)};
  if (o.answer.time) lines.push_back(speed_sentence(o));
  if (o.question.setup.layers_on_host > 0) lines.push_back(offload_sentence(o));
  if (!o.answer.alternatives.empty()) {
    const ServingAlternative& nearest = o.answer.alternatives.front();
    lines.push_back(
        fmt::format("Nearest that fits: {}, {} for {} of {} tokens{}.", nearest.change, human_bytes(nearest.total),
                    sequences_of(nearest.concurrency), with_commas(nearest.context),
                    nearest.per_token ? fmt::format(", {:.1f} tokens/s each", 1 / nearest.per_token->value) : ""));
  }
  if (auto money = money_sentence(o)) lines.push_back(*std::move(money));
  for (const auto& note : o.answer.notes) lines.push_back(note);
  if (o.question.setup.profile->framework == Framework::vllm)
    lines.push_back(
        fmt::format("vLLM itself takes 90 % of a card and gives the cache what is left: {} 0.9 asks for that.",
                    named("load_line")));
  lines.push_back(accuracy_sentence(o.question.setup.profile->framework, o.question.setup.profile->on));
  return lines;
}

}  // namespace plimsoll
