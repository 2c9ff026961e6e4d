// Two workers that compute through PyTorch (torch:cpu) train as one does: gradients and statistics are added up in
// copies on the host.
#include "tests/dist/workers.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

class TorchWorkers : public Workers {
 protected:
  static constexpr int64_t kParameters = 61'706 - 10 * 85 + 4 * 85;  // of LeNet-5 with 4 classes in place of 10

  static std::vector<std::string> logged(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  std::string said_;  // by the last run

  std::vector<double> run(const std::string& name, const std::string& network, int np, int batch,
                          const std::vector<std::string>& more) {
    auto all = words(name, np, batch, {"--optimizer", "sgd", "--max-steps", "4", "--device", "torch:cpu"});
    all[2] = network;
    std::erase_if(all, [](const std::string& word) { return word == "--quiet" || word == "--json"; });
    if (network != "lenet5")  // it learns within two steps
      std::replace(all.begin(), all.end(), std::string("0.05"), std::string("0.005"));
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = StartedProgram(all).wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    said_ = ran.out + ran.err;
    return losses(name);
  }

  static void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_GE(found.size(), 3u);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_NEAR(found[0], expected[0], 1e-6 * expected[0]);
    for (size_t i = 1; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4 * expected[i]) << "step " << i + 1;
  }
};

TEST_F(TorchWorkers, TwoAreOneAtTwiceTheBatch) {
  PLIM_NEEDS_TORCH();
  expect_near(run("two", "lenet5", 2, 16, {}), run("one", "lenet5", 1, 32, {}));
}

#ifdef PLIM_STAND_IN_NCCL
// The means are taken by what stands in for NCCL, in buckets that are the same on both, in the same order, while the
// backward pass still runs; the numbers are those of the host's own exchange, bit by bit.
TEST_F(TorchWorkers, NcclTakesTheSameBucketsInTheSameOrder) {
  PLIM_NEEDS_TORCH();
  const auto over_mpi = run("mpi", "lenet5", 2, 16, {});
  const std::string log = folder_.path() + "/nccl";
  setenv("PLIMSOLL_NCCL", PLIM_STAND_IN_NCCL, 1);
  setenv("STAND_IN_NCCL_LOG", log.c_str(), 1);
  const auto by_nccl = run("nccl_run", "lenet5", 2, 16, {});
  setenv("PLIMSOLL_TORCH_GUARD", "1", 1);
  const auto guarded = run("guarded", "lenet5", 2, 16, {});
  for (const char* name : {"PLIMSOLL_NCCL", "STAND_IN_NCCL_LOG", "PLIMSOLL_TORCH_GUARD"}) unsetenv(name);
  ASSERT_EQ(by_nccl.size(), 4u);
  EXPECT_NE(said_.find("Gradients are averaged by NCCL 2.28.9"), std::string::npos) << said_;
  EXPECT_EQ(by_nccl, over_mpi);
  EXPECT_EQ(guarded, over_mpi);
  EXPECT_EQ(weights("nccl_run"), weights("mpi"));
  const auto first = logged(log + "0"), second = logged(log + "1");
  EXPECT_EQ(first, second);
  const auto buckets = std::count(first.begin(), first.end(), "bucket");
  EXPECT_GE(buckets, 4 * 1);
  EXPECT_EQ(buckets % 4, 0) << "as many in each of four steps";
  int64_t numbers = 0;
  for (const auto& line : first) numbers += line == "bucket" || line == "end" ? 0 : std::stoll(line);
  EXPECT_EQ(numbers, 4 * kParameters);
}

#endif

TEST_F(TorchWorkers, WhatIsNoNcclIsSaidAndTheHostDoesIt) {
  PLIM_NEEDS_TORCH();
  setenv("PLIMSOLL_NCCL", "/no/such/library", 1);
  const auto over_mpi = run("two", "lenet5", 2, 16, {});
  unsetenv("PLIMSOLL_NCCL");
  EXPECT_EQ(over_mpi.size(), 4u);
  EXPECT_NE(said_.find("Gradients are averaged on the host, over MPI: NCCL is not found"), std::string::npos) << said_;
}

TEST_F(TorchWorkers, WithSynchronisedBatchNormToo) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> input{"--input", "1x28x28"};
  auto synchronised = input;
  synchronised.insert(synchronised.end(), {"--batchnorm", "sync"});
  expect_near(run("two", "convergence_bn", 2, 8, synchronised), run("one", "convergence_bn", 1, 16, input));
}

TEST_F(TorchWorkers, SixteenBitsOnTheWire) {
  PLIM_NEEDS_TORCH();
  const auto sent = run("two", "lenet5", 2, 16, {"--wire", "bf16"}), one = run("one", "lenet5", 1, 32, {});
  ASSERT_EQ(sent.size(), one.size());
  for (size_t i = 0; i < sent.size(); ++i) EXPECT_NEAR(sent[i], one[i], 1e-2 * one[i]) << "step " << i + 1;
}

}  // namespace
}  // namespace plimsoll
