#include "plan/memory/memory_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/memory/step_builder.h"

namespace plimsoll {
namespace {

// Sizes in units of 64 bytes. Alive, without the parameter: 1+2, then 2+8, then 8+4.
Program three_operations() {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), w = step.value("w", 3, Role::parameter), a = step.value("a", 2),
                b = step.value("b", 8), c = step.value("c", 4);
  step.run("exp", {x}, {a});
  step.run("mul", {a, w}, {b});
  step.run("exp", {b}, {c});
  step.program.outputs = {c};
  return step.program;
}

Bytes units(int64_t count) { return Bytes(64 * count); }

TEST(MemoryPlan, AddsUpWhatIsAliveDuringEachOperation) {
  const MemoryPlan plan = plan_memory(three_operations(), plain_size_rules());
  EXPECT_EQ(plan.timeline, (std::vector{units(3 + 3), units(3 + 10), units(3 + 12)}));
  EXPECT_EQ(plan.peak_operation, 2);
  EXPECT_EQ(plan.persistent, units(3));
  EXPECT_EQ(plan.arena_bound, units(12));
  EXPECT_EQ(plan.arena, units(12));
  EXPECT_EQ(plan.peak(), units(15));
  EXPECT_EQ(plan.bound(), units(15));
}

TEST(MemoryPlan, TellsWhatIsAliveAtThePeakLargestFirst) {
  const MemoryPlan plan = plan_memory(three_operations(), plain_size_rules());
  ASSERT_EQ(plan.at_peak.size(), 3u);
  EXPECT_EQ(plan.at_peak[0].name, "b");
  EXPECT_EQ(plan.at_peak[0].bytes, units(8));
  EXPECT_EQ(plan.at_peak[0].type->shape, Shape{128});
  EXPECT_EQ(plan.at_peak[1].name, "c");
  EXPECT_EQ(plan.at_peak[2].name, "w");
  EXPECT_EQ(plan.at_peak[2].part, MemoryPart::parameters);
  ASSERT_TRUE(plan.largest);
  EXPECT_EQ(plan.largest->name, "b");
}

TEST(MemoryPlan, TheBreakdownAddsUpToThePeak) {
  Program program = three_operations();
  program.operations[2].op_name = "matmul";  // takes a workspace by these rules
  const MemoryPlan plan = plan_memory(program, RulesWithWorkspace());
  EXPECT_EQ(plan.breakdown[MemoryPart::parameters], units(3));
  EXPECT_EQ(plan.breakdown[MemoryPart::activations], units(12));
  EXPECT_EQ(plan.breakdown[MemoryPart::workspace], units(10));
  EXPECT_EQ(plan.breakdown[MemoryPart::input], Bytes(0));  // dead by then
  EXPECT_EQ(plan.breakdown[MemoryPart::fixed], Bytes(1000));
  EXPECT_EQ(plan.breakdown.total(), plan.peak());
  EXPECT_EQ(plan.peak(), units(25) + Bytes(1000));
  EXPECT_EQ(plan.workspace_of, (std::vector<int32_t>{-1, -1, 5}));
  EXPECT_EQ(plan.storages[5].size, units(10));
}

TEST(MemoryPlan, NamesTheTensorThatBreaksALimit) {
  const Program program = three_operations();
  const MemoryPlan plan = plan_memory(program, plain_size_rules());
  const auto breaking = [&](Bytes limit) {
    const auto tensor = first_over(program, plan, limit);
    return tensor ? tensor->name : "";
  };
  EXPECT_EQ(breaking(Bytes(0)), "w");
  EXPECT_EQ(breaking(units(3)), "x");
  EXPECT_EQ(breaking(units(5)), "a");
  EXPECT_EQ(breaking(units(6)), "b");
  EXPECT_EQ(breaking(units(12)), "b");
  EXPECT_EQ(breaking(units(13)), "c");
  EXPECT_EQ(breaking(units(15) - Bytes(1)), "c");
  EXPECT_EQ(breaking(units(15)), "");
}

TEST(MemoryPlan, AWorkspaceOrTheFixedPartMayBreakALimit) {
  Program program = three_operations();
  program.operations[1].op_name = "matmul";
  const MemoryPlan plan = plan_memory(program, RulesWithWorkspace());
  EXPECT_EQ(first_over(program, plan, Bytes(999))->part, MemoryPart::fixed);
  const auto scratch = first_over(program, plan, Bytes(1000) + units(3 + 10));
  ASSERT_TRUE(scratch);
  EXPECT_EQ(scratch->part, MemoryPart::workspace);
  EXPECT_EQ(scratch->name, "mul1 (workspace)");
}

// The best arena may be larger than the largest sum of live bytes. Between the two the limit is broken all the same.
TEST(MemoryPlan, GapsBreakALimitToo) {
  MemoryPlan plan = plan_memory(three_operations(), plain_size_rules());
  for (auto& storage : plan.storages)
    if (!storage.persistent && storage.size == units(8)) storage.offset = units(5);
  plan.arena = units(13);
  const auto tensor = first_over(three_operations(), plan, units(15));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->name, "b");
  EXPECT_FALSE(first_over(three_operations(), plan, units(16)));
}

TEST(MemoryPlan, AProgramWithoutOperationsStillHoldsItsParameters) {
  StepBuilder step;
  step.value("x", 1, Role::input);
  step.value("w", 2, Role::parameter);
  const MemoryPlan plan = plan_memory(step.program, plain_size_rules());
  EXPECT_EQ(plan.peak(), units(3));
  EXPECT_EQ(plan.breakdown.total(), plan.peak());
  EXPECT_EQ(plan_memory(Program{}, plain_size_rules()).peak(), Bytes(0));
}

TEST(MemoryPlan, MoreThanACountHoldsFitsNowhere) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), a = step.value("a", 1);
  step.run("exp", {x}, {a});
  for (const ValueId id : {x, a}) step.program.value(id).type->shape = Shape{int64_t{1} << 60, 1};
  step.program.outputs = {x, a};
  const MemoryPlan plan = plan_memory(step.program, plain_size_rules());
  EXPECT_TRUE(plan.peak().overflowed());
  EXPECT_EQ(first_over(step.program, plan, Bytes(int64_t{1} << 40))->name, "x");
}

TEST(MemoryPlan, PartsHaveTheirNames) {
  EXPECT_EQ(all_memory_parts().size(), MemoryBreakdown{}.bytes.size());
  EXPECT_EQ(part_name(all_memory_parts().front()), "parameters");
  EXPECT_EQ(part_name(all_memory_parts().back()), "fixed");
}

}  // namespace
}  // namespace plimsoll
