// Attention's and experts' kernels against those measured by NVIDIA's aiconfigurator in vLLM. Each card is held out in
// turn: the constants are fitted again, here, to the other cards, from round numbers, and held to it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "plan/devices/all_devices.h"
#include "plan/serving/expert_kernel.h"
#include "tests/accuracy/measured_steps.h"
#include "tests/facts.h"
#include "tests/measured_cards.h"

namespace plimsoll {
namespace {

KernelMachine machine_of(const std::string& card) {
  static std::map<std::string, KernelMachine> known;
  if (!known.count(card)) known[card] = kernel_machine(*load_device(measured_cards().at(card))).value();
  return known.at(card);
}

template <typename Call>
struct Measured {
  std::string card;
  KernelMachine machine;
  Call call;
  double seconds = 0;
};

double number(const FactRow& row, const char* column) { return std::stod(row.at(column)); }

std::vector<Measured<AttentionCall>> attention_calls(const std::string& file) {
  std::vector<Measured<AttentionCall>> calls;
  for (const auto& row : facts(file)) {
    AttentionCall call{.sequences = number(row, "batch"), .tokens = number(row, "isl")};
    call.seen = call.tokens + number(row, "past");
    call.heads = number(row, "heads");
    call.kv_heads = number(row, "kv_heads");
    call.head = number(row, "head_dim");
    call.bytes = row.at("kv_dtype") == "fp8" ? 1 : 2;
    calls.push_back({row.at("gpu"), machine_of(row.at("gpu")), call, number(row, "latency_ms") * 1e-3});
  }
  return calls;
}

// Two matrices an expert where it has no gate: Nemotron's.
std::vector<Measured<ExpertCall>> expert_calls() {
  std::vector<Measured<ExpertCall>> calls;
  for (const auto& row : facts("expert_kernels.csv")) {
    ExpertCall call{.tokens = number(row, "tokens"), .chosen = number(row, "topk"), .experts = number(row, "experts")};
    call.read = call.experts * (1 - std::pow(1 - call.chosen / call.experts, call.tokens));
    call.width = number(row, "hidden");
    const double inner = number(row, "inter");
    const bool gated = !(inner == 1856 && call.width == 2688) && !(inner == 2688 && call.width == 4096);
    call.numbers = (gated ? 3 : 2) * call.width * inner / number(row, "tp");
    calls.push_back({row.at("gpu"), machine_of(row.at("gpu")), call, number(row, "latency_ms") * 1e-3});
  }
  return calls;
}

template <typename Call, typename Constants>
struct Study {
  std::vector<Measured<Call>> rows;
  CallTime (*time)(const Call&, const KernelMachine&, const Constants&);
  std::vector<double Constants::*> members;
  Constants round_numbers;

  double ratio(const Measured<Call>& row, const Constants& c) const {
    return time(row.call, row.machine, c).total().value / row.seconds;
  }

  // Squares of the logarithms' errors, less than squares where they are large.
  double loss(const std::string& without, const Constants& c) const {
    double sum = 0;
    for (const auto& row : rows)
      if (row.card != without) sum += std::sqrt(1 + std::pow(std::log(ratio(row, c)) / 0.1, 2));
    return sum;
  }

  Constants fitted(const std::string& without) const {
    Constants best = round_numbers;
    double least = loss(without, best);
    for (double step = 0.3; step > 0.003;) {
      bool better = false;
      for (const auto member : members)
        for (const double factor : {1 + step, 1 / (1 + step)}) {
          Constants tried = best;
          tried.*member *= factor;
          const double of_it = loss(without, tried);
          if (of_it >= least) continue;
          best = tried;
          least = of_it;
          better = true;
        }
      if (!better) step /= 2;
    }
    return best;
  }

  double median_error(const std::string& card, const Constants& c) const {
    std::vector<double> errors;
    for (const auto& row : rows)
      if (card.empty() || row.card == card) errors.push_back(std::abs(ratio(row, c) - 1));
    return median(errors);
  }

  double held_out(const std::string& card) const { return median_error(card, fitted(card)); }
};

Study<AttentionCall, DecodeConstants> decode() {
  using C = DecodeConstants;
  return {attention_calls("attention_decode.csv"),
          decode_attention,
          {&C::start, &C::bandwidth_share, &C::l2_times, &C::key_tile, &C::round, &C::row, &C::copies, &C::combine,
           &C::blackwell_round, &C::blackwell_start},
          {10e-6, 0.9, 1.5, 5e-9, 3e-6, 50e-9, 4e-6, 2e-6, 0.5, 0.8}};
}

Study<AttentionCall, PromptConstants> prompts() {
  using C = PromptConstants;
  return {attention_calls("attention_prompt.csv"),
          prompt_attention,
          {&C::start, &C::products_share, &C::round, &C::bandwidth_share, &C::write_share},
          {10e-6, 0.6, 2e-6, 1, 0.2}};
}

Study<ExpertCall, ExpertConstants> experts() {
  using C = ExpertConstants;
  return {expert_calls(),
          expert_products,
          {&C::start, &C::bandwidth_share, &C::products_share, &C::states_share, &C::expert},
          {30e-6, 0.9, 0.5, 0.5, 100e-9}};
}

// `most`: percent by card; what docs/serving.md says.
template <typename S>
void hold_out(const S& study, const std::map<std::string, double>& most) {
  for (const auto& [card, percent] : most) {
    const double error = 100 * study.held_out(card);
    EXPECT_LT(error, percent) << card << " held out";
    std::printf("  %-20s held out %5.1f %%, by the constants of the program %5.1f %%\n", card.c_str(), error,
                100 * study.median_error(card, {}));
  }
  std::printf("  %-20s by the constants of the program %5.1f %%\n", "all cards", 100 * study.median_error("", {}));
}

TEST(ServingKernels, DecodingAttentionHoldsOnACardThatWasLeftOut) {
  hold_out(decode(), {{"a100_sxm", 15}, {"h200_sxm", 15}, {"rtx_pro_6000_server", 17}, {"b300_sxm", 30}});
}

TEST(ServingKernels, AttentionOfPromptsHoldsOnACardThatWasLeftOut) {
  hold_out(prompts(), {{"a100_sxm", 15}, {"h200_sxm", 15}, {"rtx_pro_6000_server", 16}, {"b300_sxm", 20}});
}

TEST(ServingKernels, ExpertsHoldOnACardThatWasLeftOut) {
  hold_out(experts(), {{"a100_sxm", 20}, {"h200_sxm", 15}, {"rtx_pro_6000_server", 15}, {"b300_sxm", 20}});
}

// The constants in the program are those of this fit to all cards: no better ones lie beside them.
template <typename S>
void expect_fitted(const S& study) {
  EXPECT_LT(study.median_error("", {}), 0.15);
  EXPECT_LT(study.loss("", {}), 1.01 * study.loss("", study.fitted("")));
}

TEST(ServingKernels, ConstantsAreThoseOfTheFit) {
  expect_fitted(decode());
  expect_fitted(prompts());
  expect_fitted(experts());
}

TEST(ServingKernels, CardsOfOtherMakersHaveNoMachine) {
  EXPECT_FALSE(kernel_machine(*load_device("amd-mi250x")).has_value());
  EXPECT_FALSE(kernel_machine(*load_device("amd-epyc-9654")).has_value());
}

}  // namespace
}  // namespace plimsoll
