// Mistakes in the flags and files of train and eval: one line on stderr, exit code 2, nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

class TrainMistakes : public testing::Test {
 protected:
  TrainMistakes() { write_idx_set(data_, 40); }

  void expect(std::vector<std::string> words, const std::string& message) {
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, 2) << message << "\n" << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << message;
  }
  std::vector<std::string> train(std::vector<std::string> more) const {
    std::vector<std::string> all{"train", "logistic", "--input", "1x8x8", "--classes", "4", "--data", data_.path()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  TemporaryFolder data_, folder_;
};

TEST_F(TrainMistakes, NumbersOutOfRange) {
  for (const char* batch : {"0", "-1", "1e18", "many"}) expect(train({"--batch", batch}), "--batch");
  for (const char* rate : {"nan", "inf", "-1", "0"}) expect(train({"--lr", rate}), "--lr");
  expect(train({"--epochs", "0"}), "--epochs");
  expect(train({"--max-steps", "0"}), "--max-steps");
  expect(train({"--micro-batches", "0"}), "--micro-batches is '0'");
  expect(train({"--batch", "8", "--micro-batches", "1000000"}), "fewer than 1,000,000 micro-batches of 8");
  expect(train({"--momentum", "2"}), "--momentum");
  expect(train({"--weight-decay", "-1"}), "--weight-decay");
  expect(train({"--label-smoothing", "1"}), "--label-smoothing");
  expect(train({"--threads", "0"}), "--threads");
  expect(train({"--seed", "-1"}), "--seed");
  expect(train({"--early-stop", "0"}), "--early-stop");
  expect(train({"--load-line", "2"}), "--load-line");
  expect(train({"--memory", "80 apples"}), "--memory");
  expect(train({"-np", "0"}), "--np");
  expect(train({"--max-restarts", "-1"}), "--max-restarts");
  expect(train({"--silence", "0"}), "--silence");
  for (const char* when : {"0steps", "-1s", "soon", "5", "steps"})
    expect(train({"--save-every", when}), "--save-every");
  expect(train({"--batchnorm", "ghost:0"}), "--batchnorm");
}

TEST_F(TrainMistakes, WordsThatAreNotKnown) {
  expect(train({"--optimizer", "adma"}), "did you mean 'adam'");
  expect(train({"--optimizer", "lamb:apple"}), "known: lamb:paper, lamb:tfa, lamb:nvidia");
  expect(train({"--schedule", "linear"}), "--schedule is 'linear'");
  expect(train({"--warmup", "soon"}), "--warmup is 'soon'");
  expect(train({"--on-nan", "pray"}), "--on-nan is 'pray'");
  expect(train({"--monitor", "luck"}), "--monitor is 'luck'");
  expect(train({"--backend", "cuda"}), "unknown backend 'cuda'");
  expect(train({"--batchnorm", "ghostly"}), "--batchnorm is 'ghostly'");
  expect(train({"--scale-lr", "twice"}), "--scale-lr is 'twice'");
  expect(train({"--warmup-from", "here"}), "--warmup-from is 'here'");
  expect(train({"--wire", "int8"}), "--wire is 'int8', expected f32, bf16 or f16");
  expect(train({"--hosts", ":4"}), "--hosts is ':4'");
  expect(train({"--loss", "hinge"}), "--loss is 'hinge'");
  expect(train({"--dtype", "f16"}), "training here is in f32");
  expect(train({"--optimizer", "adam", "--momentum", "0.9"}), "--momentum is for momentum, nesterov and lars");
}

TEST_F(TrainMistakes, WhatIsMissing) {
  expect({"train"}, "no MODEL is given");
  expect({"train", "logistic"}, "no data is given");
  expect(train({"--resume"}), "--resume does not say which run");
  expect(train({"--resume", "--run-dir", "nowhere"}), "has no run to continue");
  expect(train({"--save-best", "--validation", "0"}), "need a validation set");
}

TEST_F(TrainMistakes, DataThatDoesNotMatch) {
  expect(train({"--batch", "64"}), "fewer than a batch of 64");
  expect({"train", "logistic", "--input", "1x8x8", "--classes", "3", "--data", data_.path()}, "classes");
}

TEST_F(TrainMistakes, CheckpointsThatAreNone) {
  const TemporaryFolder files;
  const std::string pickle = files.write("model.safetensors", std::string("\x80\x02}q\x00X\x01\x00\x00\x00", 10));
  const std::string zip = files.write("model.pt", "PK\x03\x04 zip");
  expect({"eval", pickle}, "may run code");
  expect({"eval", zip}, "model.pt");
  expect({"eval", files.path()}, "has no checkpoint");
  expect({"eval", files.path() + "/missing"}, "no such file");
}

}  // namespace
}  // namespace plimsoll
