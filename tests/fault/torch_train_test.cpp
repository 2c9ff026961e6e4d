// A training through PyTorch (--device torch:cpu) holds what one on the processor holds: it goes on with the same bits
// after it was stopped or killed, evaluates and predicts, and the host never touches the plan's memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

class TorchTrain : public testing::Test {
 protected:
  TorchTrain() { write_idx_set(data_, 240, 28, 4); }

  std::vector<std::string> words(const std::string& run, std::vector<std::string> more) const {
    std::vector<std::string> all{
        PLIM_PROGRAM, "train",      "lenet5",  "--input",   "1x28x28",     "--classes", "4",
        "--data",     data_.path(), "--batch", "8",         "--optimizer", "adam",      "--quiet",
        "--json",     "--threads",  "1",       "--loaders", "0",           "--run-dir", folder_.path() + "/" + run};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Ran train(const std::string& run, std::vector<std::string> more, const std::vector<std::string>& environment = {}) {
    return StartedProgram(words(run, std::move(more)), ".", environment).wait();
  }
  Ran resume(const std::string& run, const std::string& steps) {
    return StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", folder_.path() + "/" + run, "--max-steps",
                           steps, "--quiet", "--json"})
        .wait();
  }

  // All tensors of the last checkpoint, byte for byte.
  std::string saved(const std::string& run) const {
    std::string newest;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() + "/" + run))
      if (entry.path().extension() == ".safetensors" && entry.path().string() > newest) newest = entry.path().string();
    std::ifstream file(newest, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }

  TemporaryFolder data_, folder_;
};

const std::vector<std::string> kOnTorch{"--device", "torch:cpu"};

std::vector<std::string> on_torch(std::vector<std::string> more) {
  more.insert(more.end(), kOnTorch.begin(), kOnTorch.end());
  return more;
}

TEST_F(TorchTrain, GoesOnWithTheSameBits) {
  PLIM_NEEDS_TORCH();
  ASSERT_EQ(train("whole", on_torch({"--epochs", "3", "--max-steps", "40"})).exit_code, 0);
  ASSERT_EQ(train("parts", on_torch({"--epochs", "3", "--max-steps", "17"})).exit_code, 0);
  const Ran rest = resume("parts", "40");
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  ASSERT_FALSE(saved("whole").empty());
  EXPECT_EQ(saved("parts"), saved("whole"));
}

TEST_F(TorchTrain, KilledItGoesOnFromItsCheckpoint) {
  PLIM_NEEDS_TORCH();
  ASSERT_EQ(train("whole", on_torch({"--epochs", "1000", "--max-steps", "60", "--save-every", "5steps"})).exit_code, 0);
  StartedProgram program(words("killed", on_torch({"--epochs", "1000", "--save-every", "5steps"})));
  const std::string log = folder_.path() + "/killed/log.jsonl";
  for (int i = 0; i < 24'000; ++i) {
    std::ifstream file(log);
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().find("\"step\":8") != std::string::npos) break;
    usleep(10'000);
  }
  kill(program.pid(), SIGKILL);
  program.wait();
  const Ran rest = resume("killed", "60");
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(nlohmann::json::parse(rest.out)["steps"], 60);
  EXPECT_EQ(saved("killed"), saved("whole"));
}

TEST_F(TorchTrain, LearnsWhatTheProcessorLearns) {
  PLIM_NEEDS_TORCH();
  const Ran ours = train("ours", {"--epochs", "3"}), torch = train("torch", on_torch({"--epochs", "3"}));
  ASSERT_EQ(ours.exit_code, 0) << ours.err;
  ASSERT_EQ(torch.exit_code, 0) << torch.err;
  const auto a = nlohmann::json::parse(ours.out), b = nlohmann::json::parse(torch.out);
  EXPECT_EQ(a["backend"], "onednn");
  EXPECT_EQ(b["backend"], "torch");
  EXPECT_NEAR(a["test_loss"].get<double>(), b["test_loss"].get<double>(), 1e-3);
  EXPECT_NEAR(a["test_accuracy"].get<double>(), b["test_accuracy"].get<double>(), 0.003);
  const Ran judged = run_plimsoll({"eval", folder_.path() + "/ours", "--device", "torch:cpu", "--json"});
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  EXPECT_NEAR(nlohmann::json::parse(judged.out)["accuracy"].get<double>(), a["test_accuracy"].get<double>(), 0.003);
}

TEST_F(TorchTrain, TheHostNeverTouchesThePlansMemory) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> guard{"PLIMSOLL_TORCH_GUARD=1"};
  const Ran ran = train("guarded", on_torch({"--epochs", "2", "--micro-batches", "2"}), guard);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ran free = train("free", on_torch({"--epochs", "2", "--micro-batches", "2"}));
  ASSERT_EQ(free.exit_code, 0) << free.err;
  EXPECT_EQ(saved("guarded"), saved("free"));
}

// With a loader of its own thread the next batch is brought to the device beside the step: the same bits.
TEST_F(TorchTrain, BatchesThatArriveAheadChangeNothing) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> guard{"PLIMSOLL_TORCH_GUARD=1"};
  auto ahead = words("ahead", on_torch({"--epochs", "2"}));
  *(std::find(ahead.begin(), ahead.end(), "--loaders") + 1) = "1";
  const Ran ran = StartedProgram(ahead, ".", guard).wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  ASSERT_EQ(train("by_itself", on_torch({"--epochs", "2"})).exit_code, 0);
  ASSERT_FALSE(saved("ahead").empty());
  EXPECT_EQ(saved("ahead"), saved("by_itself"));
}

// A run keeps its format.
TEST_F(TorchTrain, GoesOnInItsFormat) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> narrow{"--compute", "bf16"};
  auto whole = on_torch({"--epochs", "2", "--max-steps", "20"}), part = on_torch({"--epochs", "2", "--max-steps", "9"});
  whole.insert(whole.end(), narrow.begin(), narrow.end());
  part.insert(part.end(), narrow.begin(), narrow.end());
  ASSERT_EQ(train("narrow", whole).exit_code, 0);
  ASSERT_EQ(train("parts", part).exit_code, 0);
  ASSERT_EQ(resume("parts", "20").exit_code, 0);
  ASSERT_EQ(train("f32", on_torch({"--epochs", "2", "--max-steps", "20"})).exit_code, 0);
  EXPECT_EQ(saved("parts"), saved("narrow"));
  EXPECT_NE(saved("narrow"), saved("f32"));
}

}  // namespace
}  // namespace plimsoll
