// Every operation in every number format: what trains in f32 trains in 16 bits and in mixed precision, where a
// parameter of 32 bits meets activations of 16 in any of its inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "model/ir/bind.h"
#include "model/onnx/import.h"
#include "model/ops/all_ops.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"

namespace plimsoll {
namespace {

struct Format {
  const char* name;
  DType parameters, activations;
};
constexpr Format kFormats[] = {{"f16", DType::f16, DType::f16},
                               {"bf16", DType::bf16, DType::bf16},
                               {"amp", DType::f32, DType::f16},
                               {"f32 activations", DType::f16, DType::f32}};

// The example as a network of one node, its input `learned` being a parameter.
Graph network_of(const Op& op, const OpExample& example, size_t learned) {
  Graph graph;
  Node node{&op, std::string(op.name), "node", {}, {}, example.attributes};
  for (size_t i = 0; i < example.inputs.size(); ++i) {
    const auto& [type, constant] = example.inputs[i];
    const Role role = constant ? Role::constant : i == learned ? Role::parameter : Role::input;
    node.inputs.push_back(graph.add({"input" + std::to_string(i), role, type.dtype, fixed(type.shape), constant}));
    if (role == Role::input) graph.inputs.push_back(node.inputs.back());
  }
  for (size_t i = 0; i < example.outputs; ++i)
    node.outputs.push_back(graph.add({"output" + std::to_string(i), Role::activation, DType::f32, {}, nullptr}));
  graph.outputs = {node.outputs[0]};
  graph.nodes.push_back(std::move(node));
  return graph;
}

Result<Program> step_of(const Graph& graph, std::optional<DType> parameters, std::optional<DType> activations) {
  PLIM_ASSIGN(
      Program forward,
      bind(graph, {.dims = {{"sequence", 8}, {"seq", 8}}, .parameters = parameters, .activations = activations}));
  StepOptions options;
  options.optimizer = *find_optimizer("sgd");
  return make_step(std::move(forward), options);
}

class EveryFormat : public testing::TestWithParam<const Op*> {};

TEST_P(EveryFormat, TrainsWhatTrainsInF32) {
  const Op& op = *GetParam();
  for (const auto& example : op.examples())
    for (size_t i = 0; i < example.inputs.size(); ++i) {
      if (example.inputs[i].constant || !is_floating(example.inputs[i].type.dtype)) continue;
      const Graph graph = network_of(op, example, i);
      if (!step_of(graph, std::nullopt, std::nullopt).ok()) continue;
      for (const auto& format : kFormats) {
        const auto step = step_of(graph, format.parameters, format.activations);
        EXPECT_TRUE(step.ok()) << example.what << ", " << format.name << ", parameter " << i << ": "
                               << step.error().line();
      }
    }
}

std::vector<const Op*> ops_with_examples() {
  std::vector<const Op*> ops;
  for (const Op* op : all_ops())
    if (op->control == Control::none && op->examples) ops.push_back(op);
  return ops;
}

INSTANTIATE_TEST_SUITE_P(AllOps, EveryFormat, testing::ValuesIn(ops_with_examples()),
                         [](const auto& info) { return std::string(info.param->name); });

std::vector<std::string> exported_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(PLIM_TEST_DATA "/exports"))
    if (entry.path().extension() == ".onnx") files.push_back(entry.path().stem());
  std::sort(files.begin(), files.end());
  return files;
}

class EveryExportedFile : public testing::TestWithParam<std::string> {};

TEST_P(EveryExportedFile, TrainsInEveryFormatWhatTrainsInF32) {
  const auto graph = import_onnx(PLIM_TEST_DATA "/exports/" + GetParam() + ".onnx");
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  if (!step_of(*graph, std::nullopt, std::nullopt).ok()) return;
  for (const auto& format : kFormats) {
    const auto step = step_of(*graph, format.parameters, format.activations);
    EXPECT_TRUE(step.ok()) << format.name << ": " << step.error().line();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, EveryExportedFile, testing::ValuesIn(exported_files()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// The widest type wins, as under autocast, and the gradient comes back in the parameter's own.
TEST(MixedPrecision, AConcatOfAParameterAndDataIsInTheWiderType) {
  const Op& concat = op_named("concat");
  for (const size_t learned : {0, 1}) {
    const auto step = step_of(network_of(concat, concat.examples()[0], learned), DType::f32, DType::f16);
    ASSERT_TRUE(step.ok()) << step.error().line();
    const Operation* joined = nullptr;
    for (const auto& operation : step->operations)
      if (operation.op_name == "concat" && operation.phase == Phase::forward) joined = &operation;
    ASSERT_NE(joined, nullptr);
    for (const ValueId id : joined->inputs) EXPECT_EQ(step->value(id).type->dtype, DType::f32);
    EXPECT_EQ(step->value(joined->outputs[0]).type->dtype, DType::f32);
  }
}

}  // namespace
}  // namespace plimsoll
