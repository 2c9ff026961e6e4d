// Every network of the zoo as an .onnx file and back: nothing is declined, and what comes back weighs the same.
#include <gtest/gtest.h>

#include "model/zoo/all_models.h"
#include "plan/weight/weigh.h"
#include "tests/exported.h"
#include "tests/harness/run_program.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

class AllExports : public testing::TestWithParam<ZooModel> {};

TEST_P(AllExports, ComesBackWithItsWeights) {
  const ZooModel& model = GetParam();
  const Graph graph = *build_model(model.name, {});
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/net.onnx";
  const auto exported = export_onnx(graph, PlainWeights(), path, {.numbers = false});
  ASSERT_TRUE(exported.ok()) << exported.error().line();
  const auto imported = import_onnx(path);
  ASSERT_TRUE(imported.ok()) << imported.error().line();
  EXPECT_EQ(imported->batch_symbol, graph.batch_symbol);
  const Program before = *bind(graph, {.batch = 3});
  const auto bound = bind(*imported, {.batch = 3});
  ASSERT_TRUE(bound.ok()) << bound.error().line();
  // Heads that only training reads are not in the file.
  std::set<ValueId> read;
  for (const auto& operation : before.operations) read.insert(operation.inputs.begin(), operation.inputs.end());
  Count parameters_read, buffers_read;
  for (const ValueId id : read) {
    if (!id.present()) continue;
    if (before.value(id).role == Role::parameter) parameters_read += before.value(id).type->elements();
    if (before.value(id).role == Role::buffer) buffers_read += before.value(id).type->elements();
  }
  EXPECT_EQ(stored(*bound, Role::parameter), parameters_read.value());
  EXPECT_EQ(stored(*bound, Role::buffer), buffers_read.value());
  EXPECT_EQ(bound->value(bound->outputs[0]).type, before.value(before.outputs[0]).type);
  EXPECT_EQ(macs(*bound), macs(before));
}

INSTANTIATE_TEST_SUITE_P(Zoo, AllExports, testing::ValuesIn(all_models().begin(), all_models().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plimsoll
