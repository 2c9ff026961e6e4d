// What holds for the memory plan of every network of the zoo, in training and inference, from one sample to many.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "plan/memory/memory_plan.h"
#include "tests/memory_overlap.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatches[] = {1, 3, 16, 64, 256};

// Found anew from the operations: whatever an operation reads or writes is there while it runs.
void expect_there_when_touched(const Program& step, const MemoryPlan& plan) {
  for (size_t t = 0; t < step.operations.size(); ++t) {
    std::vector<ValueId> touched = step.operations[t].inputs;
    touched.insert(touched.end(), step.operations[t].outputs.begin(), step.operations[t].outputs.end());
    for (const ValueId id : touched) {
      if (!id.present()) continue;
      const int32_t at = plan.storage_of[size_t(id.index)];
      ASSERT_GE(at, 0) << step.value(id).name;
      const PlannedStorage& storage = plan.storages[size_t(at)];
      ASSERT_TRUE(storage.first <= int32_t(t) && int32_t(t) <= storage.last) << step.value(id).name;
      ASSERT_GE(storage.size, step.value(id).type->bytes()) << step.value(id).name;
    }
  }
}

// Parameters and the like: for the whole step, so that only places matter.
void expect_well_placed(const MemoryPlan& plan) {
  std::vector<Block> arena, stored;
  std::vector<Bytes> arena_offsets, stored_offsets;
  for (const auto& storage : plan.storages) {
    (storage.persistent ? stored : arena).push_back({storage.size, storage.first, storage.last});
    (storage.persistent ? stored_offsets : arena_offsets).push_back(storage.offset);
  }
  EXPECT_TRUE(well_placed(arena, arena_offsets, plan.arena));
  EXPECT_TRUE(well_placed(stored, stored_offsets, plan.persistent));
}

// How many times its bound the arena is.
double checked_share(const Program& step) {
  const MemoryPlan plan = plan_memory(step, plain_size_rules());
  expect_there_when_touched(step, plan);
  expect_well_placed(plan);
  EXPECT_EQ(plan.unknown_values, 0);
  EXPECT_EQ(plan.breakdown.total(), plan.peak());
  EXPECT_EQ(*std::max_element(plan.timeline.begin(), plan.timeline.end()), plan.bound());
  EXPECT_EQ(plan.timeline[size_t(plan.peak_operation)], plan.bound());
  EXPECT_FALSE(first_over(step, plan, plan.peak()));
  EXPECT_TRUE(first_over(step, plan, plan.peak() - Bytes(1)));
  return double(plan.arena.value()) / double(plan.arena_bound.value());
}

struct Case {
  StepOptions options;
  size_t batches;  // of each network; all of kBatches come up over the zoo
};

void expect_tight_plans(const Case& tried) {
  std::vector<double> shares;
  for (size_t i = 0; i < all_models().size(); ++i) {
    const std::string name(all_models()[i].name);
    for (size_t k = 0; k < tried.batches; ++k) {
      const int64_t batch = kBatches[(i + 2 * k) % std::size(kBatches)];
      SCOPED_TRACE(name + " at batch " + std::to_string(batch));
      const auto step = make_step(zoo_program(name, {}, batch), tried.options);
      ASSERT_TRUE(step.ok()) << step.error().line();
      shares.push_back(checked_share(*step));
      EXPECT_LE(shares.back(), 1.05);
    }
  }
  const auto close = std::count_if(shares.begin(), shares.end(), [](double share) { return share <= 1.02; });
  EXPECT_GE(double(close), 0.95 * double(shares.size()));
}

const Optimizer* momentum() { return *find_optimizer("momentum"); }

TEST(AllPlans, Inference) { expect_tight_plans({{}, 5}); }
TEST(AllPlans, Training) { expect_tight_plans({{.optimizer = momentum()}, 5}); }
TEST(AllPlans, TrainingAsOthersWriteIt) {
  expect_tight_plans({{.optimizer = momentum(), .fuse = false, .overwriting = Overwriting::as_written}, 1});
}
TEST(AllPlans, Recomputation) { expect_tight_plans({{.optimizer = momentum(), .recompute = 0.3}, 1}); }
TEST(AllPlans, MicroBatches) { expect_tight_plans({{.optimizer = momentum(), .micro_batches = 4}, 1}); }

}  // namespace
}  // namespace plimsoll
