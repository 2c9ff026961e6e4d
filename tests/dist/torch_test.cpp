// Two workers that compute through PyTorch (torch:cpu) train as one does: gradients and statistics are added up in
// copies on the host.
#include "tests/dist/workers.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

class TorchWorkers : public Workers {
 protected:
  std::vector<double> run(const std::string& name, const std::string& network, int np, int batch,
                          const std::vector<std::string>& more) {
    auto all = words(name, np, batch, {"--optimizer", "sgd", "--max-steps", "4", "--device", "torch:cpu"});
    all[2] = network;
    if (network != "lenet5")  // it learns within two steps
      std::replace(all.begin(), all.end(), std::string("0.05"), std::string("0.005"));
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = StartedProgram(all).wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
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
