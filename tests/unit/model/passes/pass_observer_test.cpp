#include "model/passes/pass_observer.h"

#include <gtest/gtest.h>

#include <map>

#include "model/ir/print_program.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

TEST(PassObserver, SeesEachPassOnceWithItsReason) {
  std::map<std::string, bool> changed;
  std::string last;
  const auto step =
      make_step(zoo_program("resnet18", {}, 2), {.optimizer = *find_optimizer("sgd")}, [&](const PassRun& run) {
        EXPECT_TRUE(changed.emplace(run.name, run.changed).second) << run.name << " was told twice";
        EXPECT_GT(run.reason.size(), 10u) << run.name;
        EXPECT_GE(run.time.value, 0) << run.name;
        last = print(run.program);
      });
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(last, print(*step)) << "the last pass leaves the step";
  for (const char* name : {"loss", "differentiate", "updates", "fuse", "fuse-gradients", "share-storage"})
    EXPECT_TRUE(changed.at(name)) << name;
  for (const char* name : {"micro-batches", "recompute", "fold-batch-norm", "batch-norm-groups"})
    EXPECT_FALSE(changed.at(name)) << name;
}

TEST(PassObserver, TheStepIsTheSameWithAndWithoutOne) {
  const StepOptions options{.optimizer = *find_optimizer("momentum")};
  const Program forward = zoo_program("lenet5", {}, 2);
  EXPECT_EQ(print(*make_step(forward, options)), print(*make_step(forward, options, [](const PassRun&) {})));
}

TEST(PassObserver, APassIsPrintedWithWhatItChanged) {
  std::string text;
  const auto step = make_step(zoo_program("lenet5", {}, 2), {}, [&](const PassRun& run) { text += print(run); });
  ASSERT_TRUE(step.ok());
  EXPECT_NE(text.find("share-storage (last: it relies on the final order): changed, "), std::string::npos) << text;
  EXPECT_NE(text.find(" ms\nprogram lenet5"), std::string::npos) << text;
  EXPECT_NE(text.find("loss (after the forward pass, whose last operation decides which): nothing to do, "),
            std::string::npos);
}

TEST(PassObserver, APassIsPrintedWithItsTime) {
  const Program program;
  const PassRun run{"fuse", "because", false, Seconds{0.00125}, program};
  EXPECT_EQ(print(run), "fuse (because): nothing to do, 1.250 ms\n");
}

}  // namespace
}  // namespace plimsoll
