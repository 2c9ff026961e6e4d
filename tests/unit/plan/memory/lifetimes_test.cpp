#include "plan/memory/lifetimes.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/memory/step_builder.h"

namespace plimsoll {
namespace {

Lifetimes plain(const Program& program) { return lifetimes(program, plain_size_rules()); }

const StorageLife& storage(const Lifetimes& lives, ValueId id) {
  return lives.storages.at(size_t(lives.storage_of.at(size_t(id.index))));
}

std::pair<int32_t, int32_t> life(const Lifetimes& lives, ValueId id) {
  return {storage(lives, id).first, storage(lives, id).last};
}

TEST(Lifetimes, FromTheProducerToTheLastReader) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), late = step.value("late", 1, Role::input);
  const ValueId a = step.value("a", 2), b = step.value("b", 2), c = step.value("c", 2), unread = step.value("u", 2);
  step.run("exp", {x}, {a});
  step.run("exp", {a}, {b});
  step.run("exp", {a}, {unread});
  step.run("add", {b, late}, {c});
  step.run("exp", {a}, {step.value("d", 2)});
  step.program.outputs = {b};
  const Lifetimes lives = plain(step.program);
  EXPECT_EQ(life(lives, x), std::pair(0, 0));
  EXPECT_EQ(life(lives, late), std::pair(0, 3));  // there from the start
  EXPECT_EQ(life(lives, a), std::pair(0, 4));
  EXPECT_EQ(life(lives, b), std::pair(1, 4));  // an output stays
  EXPECT_EQ(life(lives, unread), std::pair(2, 2));
  EXPECT_EQ(storage(lives, a).size, Bytes(128));
  EXPECT_EQ(storage(lives, a).part, MemoryPart::activations);
  EXPECT_EQ(storage(lives, x).part, MemoryPart::input);
  EXPECT_EQ(lives.unknown_values, 0);
}

TEST(Lifetimes, AViewLivesInItsInputsMemory) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), a = step.value("a", 4), flat = step.value("flat", 4),
                same = step.value("same", 4), y = step.value("y", 1);
  step.run("exp", {x}, {a});
  step.run("flatten", {a}, {flat});
  step.run("identity", {flat}, {same});
  step.run("exp", {same}, {y});
  const Lifetimes lives = plain(step.program);
  EXPECT_EQ(lives.storage_of[size_t(same.index)], lives.storage_of[size_t(a.index)]);
  EXPECT_EQ(storage(lives, same).value, a);
  EXPECT_EQ(life(lives, a), std::pair(0, 3));
  EXPECT_EQ(lives.storages.size(), 3u);
}

// The parts of a concatenation may be written where the whole will be, which comes later and is larger.
TEST(Lifetimes, AValueMayLiveInALaterOne) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), a = step.value("a", 1), b = step.value("b", 2),
                whole = step.value("whole", 3);
  step.run("exp", {x}, {a});
  step.run("exp", {x}, {b});
  step.run("concat", {a, b}, {whole});
  step.run("exp", {whole}, {step.value("y", 3)});
  step.program.value(a).storage = whole;
  step.program.value(b).storage = whole;
  const Lifetimes lives = plain(step.program);
  EXPECT_EQ(storage(lives, a).value, whole);
  EXPECT_EQ(storage(lives, b).size, Bytes(192));
  EXPECT_EQ(life(lives, b), std::pair(0, 3));
}

TEST(Lifetimes, WhatIsStoredIsThereForTheWholeStep) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), w = step.value("w", 2, Role::parameter),
                unread = step.value("unread", 2, Role::parameter), m = step.value("m", 2, Role::state),
                shape = step.value("shape", 1, Role::constant), folded = step.value("folded", 1, Role::constant);
  const ValueId a = step.value("a", 1), b = step.value("b", 1);
  step.run("exp", {x}, {a});
  step.run("mul", {a, w}, {b});
  step.run("mul", {b, shape}, {step.value("c", 1)});
  const Lifetimes lives = plain(step.program);
  for (const ValueId id : {w, unread, m, shape}) {
    EXPECT_TRUE(storage(lives, id).persistent) << step.program.value(id).name;
    EXPECT_EQ(life(lives, id), std::pair(0, 2));
  }
  EXPECT_EQ(storage(lives, m).part, MemoryPart::optimizer);
  EXPECT_EQ(storage(lives, shape).part, MemoryPart::parameters);
  EXPECT_EQ(lives.storage_of[size_t(folded.index)], -1);
}

TEST(Lifetimes, GradientsWaitForTheUpdateAndForAllMicroBatches) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), g = step.value("g", 2),
                flat = step.value("flat", 2, Role::gradient);
  step.run("exp", {x}, {step.value("a", 1)});
  step.run("exp", {x}, {g});
  step.run("flatten", {g}, {flat});
  step.run("exp", {flat}, {step.value("b", 1)});
  step.run("exp", {x}, {step.value("c", 1)});
  Lifetimes lives = plain(step.program);
  EXPECT_EQ(storage(lives, g).part, MemoryPart::gradients);  // a gradient lives in it
  EXPECT_FALSE(storage(lives, g).persistent);
  EXPECT_EQ(life(lives, g), std::pair(1, 3));
  step.program.micro_batches = 2;
  lives = plain(step.program);
  EXPECT_TRUE(storage(lives, g).persistent);
  EXPECT_EQ(life(lives, g), std::pair(0, 4));
}

TEST(Lifetimes, AnUpdatedValueKeepsItsMemory) {
  StepBuilder step;
  const ValueId sum = step.value("sum", 1, Role::state), g = step.value("g", 1, Role::input);
  const ValueId after = step.value("after", 1);
  step.run("accumulate", {sum, g}, {after});
  const Lifetimes lives = plain(step.program);
  EXPECT_EQ(storage(lives, after).value, sum);
  EXPECT_TRUE(storage(lives, after).persistent);
}

TEST(Lifetimes, UnknownSizesAreCountedAndStillKeepWhatTheyView) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), a = step.value("a", 1), view = step.unknown("view"),
                nothing = step.unknown("nothing");
  step.run("exp", {x}, {a});
  step.run("identity", {a}, {view});
  step.run("exp", {x}, {nothing});
  step.run("exp", {view}, {step.value("b", 1)});
  const Lifetimes lives = plain(step.program);
  EXPECT_EQ(lives.unknown_values, 1);
  EXPECT_EQ(lives.storage_of[size_t(nothing.index)], -1);
  EXPECT_EQ(life(lives, a), std::pair(0, 3));
}

TEST(Lifetimes, AWorkspaceIsThereDuringItsOperation) {
  StepBuilder step;
  const ValueId x = step.value("x", 1, Role::input), a = step.value("a", 1), b = step.value("b", 1);
  step.run("exp", {x}, {a});
  step.run("matmul", {a, a}, {b});
  Lifetimes lives = lifetimes(step.program, RulesWithWorkspace());
  ASSERT_EQ(lives.storages.size(), 4u);
  const StorageLife& scratch = lives.storages.back();
  EXPECT_FALSE(scratch.value.present());
  EXPECT_EQ(scratch.part, MemoryPart::workspace);
  EXPECT_EQ(scratch.size, Bytes(640));
  EXPECT_EQ(std::pair(scratch.first, scratch.last), std::pair(1, 1));

  step.program.value(a).type->shape = Shape{32};
  set_sizes(lives, step.program, plain_size_rules());
  ASSERT_EQ(lives.storages.size(), 3u);
  EXPECT_EQ(storage(lives, a).size, Bytes(128));
  EXPECT_EQ(life(lives, a), std::pair(0, 1));
}

}  // namespace
}  // namespace plimsoll
