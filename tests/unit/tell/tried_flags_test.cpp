// Flags that people bring from elsewhere mean what they mean there, or are answered with ours.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::string json_of(const std::vector<std::string>& words) {
  const Ran ran = run_plimsoll(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.out;
}

TEST(TriedFlags, AreTakenAsOurs) {
  const std::vector<std::string> ours = {"fit", "lenet5",  "--device", "nvidia-t4", "--batch",
                                         "4",   "--dtype", "amp",      "--brief",   "--json"};
  const std::string expected = json_of(ours);
  EXPECT_EQ(json_of({"fit", "lenet5", "--gpu", "T4", "--batch-size", "4", "--amp", "--brief", "--json"}), expected);
  EXPECT_EQ(json_of({"fit", "lenet5", "--gpu=t4", "--batch-size=4", "--precision=amp", "--brief", "--json"}), expected);
  EXPECT_EQ(json_of({"weigh", "gpt2", "--seq-len", "64", "--json"}),
            json_of({"weigh", "gpt2", "--sequence", "64", "--json"}));
}

// GPT-2 as one of the networks that are planned by steps: tokens are as many samples as they fill.
TEST(TriedFlags, TokensOfANetworkThatIsPlannedBySteps) {
  EXPECT_EQ(json_of({"place", "gpt2", "--device", "apple-m2-max", "--tokens", "102400", "--json"}),
            json_of({"place", "gpt2", "--device", "apple-m2-max", "--samples", "100", "--json"}));
}

TEST(TriedFlags, OfTraining) {
  const Ran ran = run_plimsoll(
      {"train", "lenet5", "--data", "/no/such/set", "--learning-rate", "0.1", "--patience", "2", "--batch-size", "32"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("/no/such/set"), std::string::npos) << ran.err;  // the flags were taken
}

TEST(TriedFlags, WhatAVerbDoesNotHaveIsRefused) {
  const Ran ran = run_plimsoll({"weigh", "lenet5", "--learning-rate", "0.1"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "plimsoll: weigh has no flag '--learning-rate' (nothing of the kind is planned here)\n");
  const Ran lora = run_plimsoll({"fit", "lenet5", "--lora", "16"});
  EXPECT_EQ(lora.exit_code, 2);
  EXPECT_NE(lora.err.find("fit has no flag '--lora' ("), std::string::npos) << lora.err;
}

}  // namespace
}  // namespace plimsoll
