// What runs again is the same operation, result by result.
#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

// A split whose first half the backward pass reads, and whose second half it needs only to compute `c` again.
std::shared_ptr<const Graph> halves() {
  SmallGraph g;
  const ValueId x = g.input("x", {Dim("N"), Dim(4)});
  const ValueId h = g.node("h", "matmul", {x, g.parameter("w", {4, 6})});
  const ValueId a = g.node("a", "split", {h}, {{"axis", int64_t{1}}});
  const ValueId b = g.graph.add({"b", Role::activation, DType::f32, std::nullopt, nullptr});
  g.graph.nodes.back().outputs.push_back(b);
  const ValueId c = g.node("c", "exp", {b});
  const ValueId left = g.node("left", "mul", {a, g.parameter("u", {3})});
  const ValueId right = g.node("right", "mul", {c, g.parameter("v", {3})});
  return g.finish({g.node("y", "add", {left, right})});
}

Program step_of_halves(double share) {
  auto forward = bind(*halves(), {.batch = 2, .parameters = DType::f64, .activations = DType::f64});
  EXPECT_TRUE(forward.ok()) << forward.error().line();
  auto made = make_step(*forward, {.optimizer = *find_optimizer("sgd"), .recompute = share});
  EXPECT_TRUE(made.ok()) << made.error().line();
  return *made;
}

std::vector<double> gradient_numbers(const Program& program, const std::string& parameter) {
  ProgramRun run(program);
  run.fill(1);
  run.run();
  for (const auto& operation : program.operations)
    if (operation.phase == Phase::update && program.value(operation.inputs[0]).name == parameter)
      return run.get(operation.inputs[1]).doubles();
  return {};
}

TEST(Recompute, EachResultOfASplitIsItsOwn) {
  const Program kept = step_of_halves(0), again = step_of_halves(1);
  EXPECT_NE(operation_named(again, "a.again"), nullptr);
  EXPECT_NE(operation_named(again, "c.again"), nullptr);
  for (const std::string parameter : {"u", "v", "w"}) {
    const auto expected = gradient_numbers(kept, parameter), found = gradient_numbers(again, parameter);
    ASSERT_FALSE(expected.empty()) << parameter;
    ASSERT_EQ(found.size(), expected.size()) << parameter;
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]) << parameter << ' ' << i;
  }
}

}  // namespace
}  // namespace plimsoll
