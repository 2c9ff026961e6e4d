#include "plan/ask/serving_place_request.h"

#include "base/rows/named.h"
#include "plan/serving/serving_accuracy.h"

namespace plimsoll {
namespace {

Status add_placements(const PlaceRequest& request, const std::vector<Candidate>& candidates,
                      ServingPlaceOutcome& outcome) {
  std::optional<DollarsPerHour> price;
  if (request.work.price) price = DollarsPerHour{*request.work.price};
  ServingRequest asked = with_own_weights(request.serving, outcome.model, request.framework);
  asked.prompt_tokens = outcome.prompt;
  asked.output_tokens = outcome.output;
  for (const auto& candidate : candidates) {
    auto setup = serving_setup(asked, request.training.split, request.framework, *outcome.network, &candidate);
    auto placement =
        setup.ok() ? serving_placement(candidate, *setup, outcome.prompt, outcome.output, request.load_line, price)
                   : Result<ServingPlacement>(setup.error());
    if (placement.ok()) {
      outcome.ranked.push_back(std::move(*placement));
      continue;
    }
    if (candidates.size() == 1) return std::move(placement).error();
    outcome.not_placed.push_back(candidate.whole.name + ": " + placement.error().line());
    if (outcome.not_placed.size() == candidates.size()) return std::move(placement).error();
  }
  return {};
}

void add_accuracy(ServingPlaceOutcome& outcome) {
  std::vector<std::string> said;
  for (const auto& placement : outcome.ranked) {
    std::string line = accuracy_sentence(placement.setup.profile->framework, placement.setup.profile->on);
    if (std::find(said.begin(), said.end(), line) == said.end()) said.push_back(std::move(line));
  }
  outcome.notes.insert(outcome.notes.end(), said.begin(), said.end());
}

}  // namespace

Result<ServingPlaceOutcome> ask_serving_place(const PlaceRequest& request, const Network& network) {
  ServingPlaceOutcome outcome;
  outcome.model = request.model.source.name;
  outcome.weights = with_own_weights(request.serving, outcome.model, request.framework).weights.value_or("bf16");
  outcome.kv = request.serving.kv.value_or("bf16");
  outcome.prompt = request.serving.prompt_tokens.value_or(kDefaultPrompt);
  outcome.output = request.serving.output_tokens.value_or(kDefaultOutput);
  outcome.concurrency = request.serving.concurrency.value_or(1);
  outcome.load_line = request.load_line;
  outcome.top = size_t(request.top);
  PLIM_ASSIGN(const auto candidates, candidates_of(request, outcome.notes));
  PLIM_ASSIGN(outcome.network, read_served_network(network));
  PLIM_TRY(add_placements(request, candidates, outcome));
  rank(outcome.ranked, request.by == RankBy::money ? ServingOrder::money : ServingOrder::speed);
  outcome.verdict = serving_verdict(outcome.ranked);
  if (std::any_of(outcome.ranked.begin(), outcome.ranked.end(),
                  [](const auto& placement) { return placement.price && !placement.price->rented; }))
    outcome.notes.push_back(
        fmt::format("Of devices that are bought the cost is their price over {} years of use.", kYearsOfUse));
  add_accuracy(outcome);
  return outcome;
}

}  // namespace plimsoll
