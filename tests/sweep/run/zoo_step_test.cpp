// Every network of the zoo, in training and inference, at its own input and at a small one: each operation has a
// kernel, and layouts are carried through. Lowered, not run: what the kernels compute is kernels_test's business.
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/onednn/onednn_backend.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

std::unique_ptr<Lowered> lowered(const Graph& graph, bool trains) {
  const auto program = bind(graph, {.batch = 2});
  if (!program.ok()) return nullptr;
  StepOptions options;
  if (trains) options.optimizer = find_optimizer("momentum").value();
  auto step = make_step(*program, options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  if (!step.ok()) return nullptr;
  auto result = onednn_backend().lowering(2)->lower(*step);
  EXPECT_TRUE(result.ok()) << result.error().line();
  return result.ok() ? std::move(*result) : nullptr;
}

void expect_kernels(const Graph& graph) {
  for (const bool trains : {true, false}) {
    const auto step = lowered(graph, trains);
    if (!step) continue;
    EXPECT_EQ(fmt::format("{}", fmt::join(step->by_reference, ", ")), "")
        << graph.name << (trains ? " in training" : " in inference");
  }
}

class EveryStep : public testing::TestWithParam<std::string> {};

TEST_P(EveryStep, HasAKernelForEachOperation) {
  const auto graph = build_model(GetParam(), {});
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  expect_kernels(*graph);
}

// Windows and bins are uneven there, and planes are a single place. Some networks do not take so small an image.
TEST_P(EveryStep, HasAKernelForEachOperationOfASmallImage) {
  const Shape input = find_model(GetParam())->input;
  if (input.rank() != 3) return;
  for (const int64_t size : {32, 72}) {
    const auto graph = build_model(GetParam(), {.input = Shape{input[0], size, size}, .classes = 10});
    if (graph.ok()) expect_kernels(*graph);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& model : all_models()) result.emplace_back(model.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryStep, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

// Reorders of anything but parameters: where two kernels did not agree on a layout.
int64_t activation_reorders(const std::string& model) {
  const auto graph = build_model(model, {});
  const auto step = lowered(*graph, true);
  int64_t count = 0;
  for (const auto& operation : step->program.operations)
    if (operation.op_name == "reorder" && step->program.value(operation.inputs[0]).role != Role::parameter) ++count;
  return count;
}

TEST(ZooLayouts, ChannelsStayInBlocksThroughConcatAndSplit) {
  EXPECT_LE(activation_reorders("densenet121"), 4);
  EXPECT_LE(activation_reorders("googlenet_bn"), 8);
}

// Transposes that really move numbers.
int64_t moving_transposes(const std::string& model) {
  const auto graph = build_model(model, {});
  const auto step = lowered(*graph, true);
  int64_t count = 0;
  for (const auto& operation : step->program.operations)
    if (operation.op->name == "transpose") ++count;
  return count;
}

TEST(ZooLayouts, ChannelsStayLastThroughBlocksOfConvNeXt) {
  EXPECT_LE(moving_transposes("convnext_tiny"), 8) << "of 92: at the beginning of each of four stages, both ways";
}

}  // namespace
}  // namespace plimsoll
