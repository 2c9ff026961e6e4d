// The command line of a sweep's runs, and the file that says what they have in common.
#include "run/sweep/child_words.h"

#include <gtest/gtest.h>

#include "run/sweep/sweep_folder.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

using Words = std::vector<std::string>;

TrainRequest small_training() {
  TrainRequest request;
  request.model.source.name = "mlp";
  request.model.input = Shape{1, 8, 8};
  request.data.mean = {-0.5, 0.25};
  request.memory = Bytes(1000);
  request.max_steps = 7;
  request.save_best = true;
  request.run_dir = "out";
  return request;
}

TEST(ChildWords, NameEachFieldThatDiffersFromItsDefault) {
  EXPECT_EQ(words_of_training(small_training()),
            (Words{"train", "mlp", "--json", "--input=1x8x8", "--mean=-0.5,0.25", "--max-steps=7", "--save-best",
                   "--memory=1000B", "--run-dir=out"}));
}

TEST(ChildWords, AResumedRunIsToldOnlyWhatMayChange) {
  EXPECT_EQ(words_of_resuming(small_training()),
            (Words{"train", "--json", "--max-steps=7", "--memory=1000B", "--run-dir=out", "--resume"}));
}

TEST(SweepFolder, ReadsWhatSweepsKeptAsFlags) {
  const TemporaryFolder folder;
  folder.write(
      "sweep.json",
      R"({"MODEL": "mlp", "--input": "1x8x8", "--mean": "-0.5,0.25", "--max-steps": "7", "--save-best": true})");
  SweepRequest request;
  request.train = small_training();
  request.train.run_dir = folder.path();
  const auto same = open_sweep_folder(request);
  EXPECT_TRUE(same.ok()) << same.error().line();
  request.train.max_steps = 8;
  EXPECT_FALSE(open_sweep_folder(request).ok());
}

}  // namespace
}  // namespace plimsoll
