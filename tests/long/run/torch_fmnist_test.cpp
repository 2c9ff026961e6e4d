// Fashion-MNIST as the demo trains on it: through PyTorch it ends as accurate as by our own kernels, and a run that was
// killed goes on with the same bits. Skipped, and shown as such, where the set cannot be obtained.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

constexpr double kPoint = 0.01;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

class TorchFmnist : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> words(const std::string& run, const std::string& device,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{PLIM_PROGRAM, "train",    "fmnist_cnn", "--data",      "fashion-mnist", "--epochs",
                                 "3",          "--batch",  "128",        "--optimizer", "adam",          "--lr",
                                 "1e-3",       "--device", device,       "--schedule",  "cosine",        "--threads",
                                 "1",          "--quiet",  "--json",     "--run-dir",   in(run)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  nlohmann::json trained(const std::vector<std::string>& words) const {
    const Ran ran = StartedProgram(words).wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out, nullptr, false);
  }

  void kill_after(const std::string& step, const std::string& run, const std::vector<std::string>& more) const {
    StartedProgram program(words(run, "torch:cpu", more));
    for (int i = 0; i < 4000 && bytes_of(in(run) + "/log.jsonl").find("\"step\":" + step) == std::string::npos; ++i)
      usleep(100'000);
    kill(program.pid(), SIGKILL);
    program.wait();
  }

  TemporaryFolder folder_;
};

#define PLIM_NEEDS_FASHION_MNIST() \
  if (const Ran data = run_plimsoll({"data", "fashion-mnist"}); data.exit_code != 0) GTEST_SKIP() << data.err

TEST_F(TorchFmnist, EndsAsAccurateAsOnTheProcessor) {
  PLIM_NEEDS_TORCH();
  PLIM_NEEDS_FASHION_MNIST();
  const auto ours = trained(words("ours", "cpu")), torch = trained(words("torch", "torch:cpu"));
  EXPECT_EQ(ours["backend"], "onednn");
  EXPECT_EQ(torch["backend"], "torch");
  EXPECT_EQ(torch["steps"], ours["steps"]);
  EXPECT_GT(torch["test_accuracy"].get<double>(), 0.88);
  EXPECT_NEAR(torch["test_accuracy"].get<double>(), ours["test_accuracy"].get<double>(), 0.3 * kPoint);
}

TEST_F(TorchFmnist, KilledItGoesOnWithTheSameBits) {
  PLIM_NEEDS_TORCH();
  PLIM_NEEDS_FASHION_MNIST();
  const std::vector<std::string> saving{"--save-every", "20steps"};
  auto whole = words("whole", "torch:cpu", saving);
  whole.insert(whole.end(), {"--max-steps", "100"});
  trained(whole);
  kill_after("50,", "killed", saving);
  trained({PLIM_PROGRAM, "train", "--resume", "--run-dir", in("killed"), "--max-steps", "100", "--quiet", "--json"});
  const std::string last = "/last-00000100.safetensors";
  ASSERT_FALSE(bytes_of(in("whole") + last).empty());
  EXPECT_TRUE(bytes_of(in("killed") + last) == bytes_of(in("whole") + last));
}

}  // namespace
}  // namespace plimsoll
