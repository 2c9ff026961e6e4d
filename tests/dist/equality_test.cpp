// The same samples on one, two or four workers are the same training.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

using Equality = Workers;

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_GE(found.size(), 3u);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_NEAR(found[0], expected[0], 1e-6 * expected[0]);
  for (size_t i = 1; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4 * expected[i]) << "step " << i + 1;
}

TEST_F(Equality, OneWorkerAtFourTimesTheBatchIsFourWorkers) {
  const std::vector<std::string> plain{"--optimizer", "sgd", "--max-steps", "4"};
  ASSERT_EQ(train("one", 1, 32, plain).exit_code, 0);
  const std::vector<double> one = losses("one");
  for (const int np : {2, 4}) {
    const std::string name = std::to_string(np);
    const Ran ran = train(name, np, 32 / np, plain);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    expect_near(losses(name), one);
    const auto json = nlohmann::json::parse(ran.out);
    EXPECT_EQ(json["workers"], np);
    EXPECT_EQ(json["global_batch"], 32);
    expect_nobody_left(name);
  }
}

// Batch norm over the samples of all workers, and dropout by the samples' own numbers.
TEST_F(Equality, WithSynchronisedBatchNormToo) {
  const auto run = [&](const std::string& name, int np, int batch, const std::string& norm) {
    auto all = words(name, np, batch, {"--optimizer", "sgd", "--max-steps", "3", "--batchnorm", norm});
    all[2] = "convergence_bn";
    std::replace(all.begin(), all.end(), std::string("0.05"), std::string("0.005"));  // it learns within two steps
    all.insert(all.end(), {"--input", "1x28x28"});
    const Ran ran = StartedProgram(all).wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return losses(name);
  };
  const auto one = run("one", 1, 16, "local");
  expect_near(run("two", 2, 8, "sync"), one);
  expect_near(run("four", 4, 4, "sync"), one);
  // Statistics of four samples are something else, but the same whether four workers or four groups have them.
  const auto local = run("local", 4, 4, "local");
  EXPECT_GT(std::abs(local.at(0) - one.at(0)), 1e-4 * one[0]);
  expect_near(run("ghosts", 1, 16, "ghost:4"), local);
}

TEST_F(Equality, ValidationAndTestAreThoseOfOneWorker) {
  // 40 validation and 100 test samples: neither is a multiple of anything here.
  const Ran one = train("one", 1, 24, {"--optimizer", "sgd", "--epochs", "1"});
  const Ran three = train("three", 3, 8, {"--optimizer", "sgd", "--epochs", "1"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_EQ(three.exit_code, 0) << three.err;
  const auto a = nlohmann::json::parse(one.out), b = nlohmann::json::parse(three.out);
  EXPECT_EQ(a["steps"], b["steps"]);
  EXPECT_NEAR(a["epochs"][0]["val_loss"].get<double>(), b["epochs"][0]["val_loss"].get<double>(), 1e-4);
  EXPECT_NEAR(a["epochs"][0]["train_loss"].get<double>(), b["epochs"][0]["train_loss"].get<double>(), 1e-4);
  EXPECT_NEAR(a["test_loss"].get<double>(), b["test_loss"].get<double>(), 1e-4);
  EXPECT_EQ(a["test_accuracy"], b["test_accuracy"]);
}

TEST_F(Equality, TheSameRunAgainHasTheSameBits) {
  const std::vector<std::string> flags{"--optimizer", "adam", "--max-steps", "8"};
  ASSERT_EQ(train("a", 2, 8, flags).exit_code, 0);
  ASSERT_EQ(train("b", 2, 8, flags).exit_code, 0);
  EXPECT_EQ(weights("a"), weights("b"));
}

TEST_F(Equality, OtherNumberOfWorkersGoesOnWithTheSameSamples) {
  ASSERT_EQ(train("run", 2, 16, {"--optimizer", "sgd", "--max-steps", "2"}).exit_code, 0);
  ASSERT_EQ(train("whole", 2, 16, {"--optimizer", "sgd", "--max-steps", "4"}).exit_code, 0);
  const Ran ran = StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "-np", "4", "--max-steps",
                                  "4", "--threads", "1", "--json"})
                      .wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("Started with 2 workers of batch 16, continuing with 4 of 8"), std::string::npos) << ran.err;
  const auto found = losses(), expected = losses("whole");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(found[3], expected[3], 1e-4 * expected[3]);

  const Ran uneven =
      StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "-np", "3", "--max-steps", "5"})
          .wait();
  EXPECT_EQ(uneven.exit_code, 2);
  EXPECT_NE(uneven.err.find("which 3 workers cannot share evenly"), std::string::npos) << uneven.err;
}

}  // namespace
}  // namespace plimsoll
