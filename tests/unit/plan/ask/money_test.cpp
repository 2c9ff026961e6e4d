// What answers about language models say of money: where a card has no price, by the instances that have it.
#include <gtest/gtest.h>

#include "plan/ask/network_loader.h"
#include "plan/ask/serving_fit_request.h"
#include "plan/ask/serving_place_request.h"
#include "plan/ask/token_fit_request.h"
#include "plan/ask/token_place_request.h"

namespace plimsoll {
namespace {

bool says(const std::vector<std::string>& lines, const std::string& words) {
  for (const auto& line : lines)
    if (line.find(words) != std::string::npos) return true;
  return false;
}

std::vector<std::string> trained_on(const std::string& device) {
  FitRequest request;
  request.model.source.name = "gpt2-small";
  request.device = device;
  request.brief = true;
  const auto outcome = ask_token_fit(request);
  EXPECT_TRUE(outcome.ok()) << outcome.error().line();
  return outcome.ok() ? sentences(*outcome) : std::vector<std::string>();
}

std::vector<std::string> served_by(const std::string& device) {
  FitRequest request;
  request.model.source.name = "gpt2-small";
  request.device = device;
  request.step.mode = Mode::inference;
  const auto network = load_shared_network(request.model);
  EXPECT_TRUE(network.ok()) << network.error().line();
  const auto outcome = ask_serving_fit(request, **network);
  EXPECT_TRUE(outcome.ok()) << outcome.error().line();
  return outcome.ok() ? sentences(*outcome) : std::vector<std::string>();
}

TEST(Money, OfATrainingIsThePriceOrTheRent) {
  EXPECT_TRUE(says(trained_on("nvidia-rtx-4090"), "USD (bought for"));
  EXPECT_TRUE(says(trained_on("nvidia-a100-80gb"), "USD (rented as "));
  EXPECT_TRUE(says(trained_on("aws-p4de.24xlarge"), "USD (rented, "));
}

TEST(Money, OfServingIsThatOfAMillionTokens) {
  EXPECT_TRUE(says(served_by("nvidia-a100-80gb"), "A million written tokens take "));
  EXPECT_TRUE(says(served_by("nvidia-a100-80gb"), "USD (rented as "));
  EXPECT_TRUE(says(served_by("nvidia-rtx-4090"), "USD (bought for"));
}

TEST(Money, OfAPlacementIsTheSameAsOfAFit) {
  PlaceRequest request;
  request.model.source.name = "gpt2-small";
  request.devices = {"nvidia-a100-80gb,nvidia-rtx-4090", "nvidia-dgx-h100"};
  const auto outcome = ask_token_place(request);
  ASSERT_TRUE(outcome.ok()) << outcome.error().line();
  ASSERT_EQ(outcome->ranked.size(), 3U);
  for (const auto& placement : outcome->ranked) {
    ASSERT_TRUE(placement.cost && placement.price) << placement.device.whole.name;
    const bool bought = placement.device.whole.name == "nvidia-rtx-4090";
    EXPECT_EQ(placement.price->basis.starts_with("rented as "), !bought) << placement.price->basis;
  }
}

TEST(Money, OfServingOnACardWithoutAPriceIsTheRent) {
  PlaceRequest request;
  request.model.source.name = "qwen3-30b-a3b";
  request.step.mode = Mode::generate;
  request.devices = {"nvidia-a100-80gb", "nvidia-rtx-5090"};
  const auto network = load_shared_network(request.model);
  ASSERT_TRUE(network.ok()) << network.error().line();
  const auto outcome = ask_serving_place(request, **network);
  ASSERT_TRUE(outcome.ok()) << outcome.error().line();
  for (const auto& placement : outcome->ranked) EXPECT_TRUE(placement.price) << placement.device.whole.name;
  // In 16 bits it has no room on a 5090, in four it has.
  EXPECT_TRUE(says(outcome->verdict.reasons, "nvidia-rtx-5090 has room with weights "));
}

}  // namespace
}  // namespace plimsoll
