// ONNX's own test cases, one a small model with inputs and the outputs that its authors state: each is
// imported, computed by reference maths and compared. What we cannot run is listed in
// onnx_node_not_run.txt, and that list must be right in both directions.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "model/ir/bind.h"
#include "model/ir/evaluate_graph.h"
#include "model/onnx/import.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr double kRelative = 1e-3, kAbsolute = 1e-5;

// input_0.pb, input_1.pb … as far as they go.
Result<std::vector<TensorPtr>> read_tensors(const fs::path& folder, const std::string& kind) {
  std::vector<TensorPtr> tensors;
  while (true) {
    const fs::path file = folder / (kind + "_" + std::to_string(tensors.size()) + ".pb");
    if (!fs::exists(file)) return tensors;
    PLIM_ASSIGN(Tensor tensor, read_tensor_file(file.string()));
    tensors.push_back(std::make_shared<Tensor>(std::move(tensor)));
  }
}

bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= kAbsolute + kRelative * std::abs(b);
}

void expect_close(const Tensor& found, const Tensor& expected) {
  ASSERT_EQ(name_of(found.type.dtype), name_of(expected.type.dtype));
  ASSERT_EQ(found.type.shape.text(), expected.type.shape.text());
  const auto a = found.doubles(), b = expected.doubles();
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_TRUE(close(a[i], b[i])) << "at " << i << ": " << a[i] << ", not " << b[i];
}

bool is_random(const Graph& graph) {
  for (const auto& node : graph.nodes)
    if (node.op && node.op->random) return true;
  return false;
}

void expect_bound_outputs(const Graph& graph, const std::vector<TensorPtr>& expected) {
  const auto program = bind(graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  std::set<ValueId> bounded;  // downstream of sizes that depend on data
  for (const auto& operation : program->operations)
    if (operation.certainty != Certainty::exact) bounded.insert(operation.outputs.begin(), operation.outputs.end());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto& type = program->value(program->outputs[i]).type;
    if (!type || bounded.count(program->outputs[i])) continue;
    EXPECT_EQ(type->shape.text(), expected[i]->type.shape.text()) << "bound shape of output " << i;
  }
}

// True when the case could be run; what it computed is then compared.
bool run_case(const fs::path& folder, std::string* why_not) {
  const auto graph = import_onnx((folder / "model.onnx").string(), {});
  if (!graph.ok()) return *why_not = graph.error().line(), false;
  EXPECT_TRUE(validate(*graph).ok());
  if (is_random(*graph)) return *why_not = "random", false;
  const auto inputs = read_tensors(folder / "test_data_set_0", "input");
  const auto expected = read_tensors(folder / "test_data_set_0", "output");
  if (!inputs.ok()) return *why_not = inputs.error().line(), false;
  if (!expected.ok()) return *why_not = expected.error().line(), false;
  for (size_t i = 0; i < std::min(inputs->size(), graph->inputs.size()); ++i)  // bf16 comes as plain 16-bit numbers
    if ((*inputs)[i]->type.dtype != graph->value(graph->inputs[i]).dtype)
      return *why_not = "input of another type", false;
  const auto outputs = evaluate_graph(*graph, *inputs);
  if (!outputs.ok() && outputs.error().kind == ErrorKind::undetermined) return *why_not = outputs.error().line(), false;
  EXPECT_TRUE(outputs.ok()) << outputs.error().line();
  if (!outputs.ok()) return true;
  EXPECT_EQ(outputs->size(), expected->size());
  for (size_t i = 0; i < std::min(outputs->size(), expected->size()); ++i) expect_close((*outputs)[i], *(*expected)[i]);
  expect_bound_outputs(*graph, *expected);
  return true;
}

std::set<std::string> read_list(const std::string& file) {
  std::ifstream in(file);
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') names.insert(line);
  return names;
}

// Every case of a folder runs and agrees, or is on the list.
void expect_agreement(const fs::path& folder, const std::set<std::string>& not_run, size_t at_least) {
  std::set<std::string> cases;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) cases.insert(entry.path().filename().string());
  ASSERT_GT(cases.size(), at_least);
  size_t run = 0;
  for (const auto& name : cases) {
    SCOPED_TRACE(name);
    std::string why_not;
    const bool could = run_case(folder / name, &why_not);
    run += could;
    if (could) EXPECT_FALSE(not_run.count(name)) << "runs now: take it off the list";
    else EXPECT_TRUE(not_run.count(name)) << "does not run: " << why_not;
  }
  std::cout << run << " of " << cases.size() << " cases run\n";
}

TEST(OnnxNodeCases, AgreeWithTheirAuthors) {
  expect_agreement(PLIM_ONNX_NODE_TESTS, read_list(std::string(PLIM_TEST_DATA) + "/../numeric/onnx_node_not_run.txt"),
                   800);
}

// Of opsets 23 and 24, which Debian's cases do not know. PLIMSOLL_ONNX_NODES=folder runs those of another folder.
TEST(OnnxNodeCases, OfNewOpsetsAgree) {
  const char* other = std::getenv("PLIMSOLL_ONNX_NODES");
  expect_agreement(other ? other : PLIM_TEST_DATA "/onnx_nodes", {}, 90);
}

}  // namespace
}  // namespace plimsoll
