// The memory plans and verdicts of the whole zoo, byte by byte: a change of the code that is not meant to change a plan
// leaves them as they are. After one that is: PLIMSOLL_GOLDEN=write build/tests/golden_tests
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "model/optim/all_optimizers.h"
#include "plan/memory/memory_plan.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/verdict.h"
#include "tests/zoo_network.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

void expect_golden(const std::string& file, const std::string& found) {
  const std::string path = std::string(PLIM_TEST_DATA "/../golden/plan/expected/") + file;
  if (std::getenv("PLIMSOLL_GOLDEN")) std::ofstream(path, std::ios::binary) << found;
  std::stringstream expected;
  expected << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(found, expected.str()) << path;
}

// Places and lifetimes of all storages in one number (FNV-1a).
uint64_t print_of(const MemoryPlan& plan) {
  uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ uint64_t(number >> shift & 255)) * 1099511628211ULL;
  };
  for (const auto& storage : plan.storages) {
    add(storage.offset.value());
    add(storage.size.value());
    add(storage.first);
    add(storage.last);
  }
  return hash;
}

TEST(GoldenPlans, AreWhatTheyWere) {
  std::string text = "network,mode,operations,storages,persistent,arena,bound,print\n";
  for (const auto& model : all_models()) {
    const Program forward = zoo_program(std::string(model.name), {}, 4);
    for (const bool trains : {true, false}) {
      StepOptions options;
      if (trains) options.optimizer = *find_optimizer("momentum");
      const auto step = make_step(forward, options);
      ASSERT_TRUE(step.ok()) << model.name << ": " << step.error().line();
      const MemoryPlan plan = plan_memory(*step, plain_size_rules());
      text += fmt::format("{},{},{},{},{},{},{},{:016x}\n", model.name, trains ? "train" : "inference",
                          step->operations.size(), plan.storages.size(), plan.persistent.value(), plan.arena.value(),
                          plan.arena_bound.value(), print_of(plan));
    }
  }
  expect_golden("plans.csv", text);
}

std::string verdict_text(const std::string& model, bool trains) {
  const Network network = zoo_network(model);
  Job job;
  job.network = &network;
  if (trains) job.step.optimizer = *find_optimizer("momentum");
  job.load_line = kLoadLine;
  job.samples = 100'000;
  job.epochs = trains ? 10 : 1;
  Placing placing(job);
  std::vector<JobPlacement> placements;
  for (const char* device : {"aws-g4dn.xlarge", "aws-c6i.4xlarge", "intel-i5-8250u", "nvidia-a100-40gb"}) {
    auto placement = placing.on(*find_candidate(device));
    EXPECT_TRUE(placement.ok()) << model << " on " << device << ": " << placement.error().line();
    if (placement.ok()) placements.push_back(std::move(*placement));
  }
  rank(placements, RankBy::time);
  const Verdict found = verdict(job, placements);
  std::string text = fmt::format("{}, {}: {} {}\n", model, trains ? "training" : "inference", found.kind, found.choice);
  for (const auto& reason : found.reasons) text += "  " + reason + "\n";
  return text;
}

TEST(GoldenVerdicts, AreWhatTheyWere) {
  std::string text;
  for (const auto& model : all_models()) text += verdict_text(std::string(model.name), true);
  for (const char* model : {"alexnet", "textcnn", "lenet5"}) text += verdict_text(model, false);
  expect_golden("verdicts.txt", text);
}

}  // namespace
}  // namespace plimsoll
