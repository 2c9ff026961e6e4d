// Mistakes in how a network of tokens is to be trained: one line on stderr, exit code 2, nothing left behind.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

class TokenMistakes : public testing::Test {
 protected:
  void expect(std::vector<std::string> words, const std::string& message) {
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, 2) << message << "\n" << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
  }
  void expect_fit(const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> words{"fit", "llama-3.2-1b", "--memory", "24GiB"};
    words.insert(words.end(), more.begin(), more.end());
    expect(std::move(words), message);
  }
  TemporaryFolder folder_;
};

TEST_F(TokenMistakes, Methods) {
  expect_fit({"--method", "lola:8"}, "--method is 'lola:8', expected full, lora:R");
  expect_fit({"--method", "lora:0"}, "--method's rank is '0'");
  expect_fit({"--method", "lora:x"}, "--method's rank is 'x'");
  expect_fit({"--method", "lora:8:q,w"}, "--method has the target 'w', expected q, k, v, o, gate, up, down or all");
  expect_fit({"--method", "full:8"}, "full takes nothing after it");
  expect_fit({"--method", "freeze"}, "expected the names of parameters that rest");
  expect_fit({"--method", "freeze:*nothing_like_it*"}, "no parameter has a name like '*nothing_like_it*'");
  expect_fit({"--method", "freeze:*"}, "nothing is left to train");
  expect_fit({"--method", "qlora:8", "--dtype", "f32"}, "qlora does not go with --dtype f32");
}

TEST_F(TokenMistakes, TargetsThatTheNetworkLacks) {
  expect({"fit", "gpt2-small", "--memory", "24GiB", "--method", "lora:8:gate"}, "no layer of the network is a gate");
}

TEST_F(TokenMistakes, NetworksThatAreNotPlannedByToken) {
  expect({"fit", "gpt2", "--memory", "24GiB", "--device", "nvidia-rtx-4090", "--method", "lora"},
         "(as a language model it is called 'gpt2-small')");
  expect({"fit", "bert_base", "--device", "nvidia-rtx-4090", "--method", "lora"},
         "(as a language model it is called 'bert-base')");
  expect({"place", "resnet50", "--tokens", "1e8"}, "resnet50: it reads no tokens");
}

TEST_F(TokenMistakes, Degrees) {
  expect_fit({"--tensor-parallel", "3"}, "--tensor-parallel is 3, which does not divide the 32 heads");
  expect_fit({"--workers", "6", "--tensor-parallel", "4"}, "does not divide the 6 devices of --workers");
  expect_fit({"--pipeline", "17"}, "--pipeline is 17, the network has 16 blocks");
  expect_fit({"--context-parallel", "3"}, "--context-parallel is 3, which does not divide the 2048 tokens");
  expect_fit({"--expert-parallel", "2"}, "the network has no experts");
  expect_fit({"--shard", "fsdp"}, "there is one copy of the network");
  expect_fit({"--workers", "8", "--pipeline", "2", "--shard", "zero3"}, "zero3 does not go with --pipeline");
  expect_fit({"--tensor-parallel", "0"}, "--tensor-parallel is '0'");
  expect({"fit", "mixtral-8x7b", "--memory", "80GiB", "--expert-parallel", "3"},
         "--expert-parallel is 3, which does not divide the 8 experts");
}

TEST_F(TokenMistakes, Sequences) {
  expect_fit({"--sequence", "0"}, "--sequence is '0'");
  expect_fit({"--sequence", "1000000000"}, "--sequence is '1000000000'");
  expect({"fit", "gpt2-small", "--memory", "24GiB", "--sequence", "2048"}, "the network has positions for 1024");
}

TEST_F(TokenMistakes, OtherWords) {
  expect_fit({"--checkpointing", "some"}, "--checkpointing is 'some', expected none, full or selective");
  expect_fit({"--shard", "zero4"}, "--shard is 'zero4'");
  expect_fit({"--offload", "disk"}, "--offload is 'disk'");
  expect_fit({"--logits", "f64"}, "--logits is 'f64'");
  expect_fit({"--optimizer", "lars"}, "--optimizer is 'lars', expected adamw");
  expect_fit({"--dtype", "int8"}, "--dtype is 'int8', expected bf16, amp, f32 or fp8");
}

TEST_F(TokenMistakes, WhereNothingIsTrainedWithTokens) {
  expect({"fit", "resnet50", "--memory", "8GiB", "--method", "lora:8"}, "are for training language models");
  expect({"fit", "llama-3.2-1b", "--device", "intel-i5-8250u", "--method", "lora:8"},
         "are for training language models");
  expect({"scale", "resnet50", "--device", "nvidia-t4", "--search"}, "--search is for training language models");
}

}  // namespace
}  // namespace plimsoll
