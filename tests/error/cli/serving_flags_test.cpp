// Mistakes in asking for a language model that is served: one line on stderr, exit code 2, nothing on stdout.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

void expect(const std::vector<std::string>& words, const std::string& message) {
  const Ran ran = run_plimsoll(words);
  EXPECT_EQ(ran.exit_code, 2) << message << "\n" << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
}

void expect_fit(std::vector<std::string> more, const std::string& message) {
  std::vector<std::string> words{"fit", "qwen2.5-0.5b", "--mode", "generate", "--device", "nvidia-l4"};
  words.insert(words.end(), more.begin(), more.end());
  expect(words, message);
}

TEST(ServingMistakes, Lengths) {
  expect_fit({"--context", "0"}, "--context is '0'");
  expect_fit({"--context", "1000000000"}, "--context is '1000000000'");
  expect_fit({"--context", "long"}, "--context is 'long'");
  expect_fit({"--concurrency", "0"}, "--concurrency is '0'");
  expect_fit({"--concurrency", "-3"}, "--concurrency is '-3'");
  expect_fit({"--prompt-tokens", "4000", "--output-tokens", "200", "--context", "4096"},
             "a prompt of 4,000 and an answer of 200 tokens do not go into a --context of 4,096");
}

TEST(ServingMistakes, Formats) {
  expect_fit({"--weights", "q4_k"}, "--weights is 'q4_k', expected one of");
  expect_fit({"--weights", "q4_km"}, "did you mean 'q4_k_m'");
  expect_fit({"--kv", "fp4"}, "--kv is 'fp4', expected one of bf16");
  expect_fit({"--weights", "q4_k_m", "--framework", "vllm"}, "--weights is q4_k_m, which vllm does not read");
  expect_fit({"--weights", "awq", "--framework", "llama.cpp"}, "--weights is awq, which llama.cpp does not read");
}

TEST(ServingMistakes, Devices) {
  expect_fit({"--tensor-parallel", "3"}, "--tensor-parallel is 3, which does not divide the 14 heads of attention");
  expect_fit({"--tensor-parallel", "0"}, "--tensor-parallel is '0'");
  expect_fit({"--weights", "q8_0", "--offload", "99"}, "--offload is '99'");
  expect({"fit", "llama-3.1-8b", "--mode", "generate", "--framework", "vllm", "--device", "apple-m3-max-gpu"},
         "vllm is not known to serve there");
}

TEST(ServingMistakes, Networks) {
  expect({"fit", "resnet50", "--mode", "generate", "--device", "nvidia-t4"}, "'resnet50' generates no text");
  expect({"place", "resnet50", "--mode", "generate"}, "'resnet50' generates no text");
  expect({"fit", "bert-large", "--mode", "generate", "--memory", "8GiB"}, "generates no text");
}

TEST(ServingMistakes, ModesAndFrameworksThatDoNotBelongTogether) {
  expect({"fit", "resnet50", "--framework", "vllm", "--device", "nvidia-t4"},
         "--framework is vllm, which only serves language models");
  expect_fit({"--framework", "pytorch"}, "--framework is pytorch, expected hf, vllm, llama.cpp or gpt-fast");
  expect({"weigh", "gpt2", "--mode", "generate"}, "--mode is generate, expected train or inference");
  expect({"scale", "gpt2", "--mode", "generate", "--device", "nvidia-t4"},
         "--mode is generate, expected train or inference");
}

}  // namespace
}  // namespace plimsoll
