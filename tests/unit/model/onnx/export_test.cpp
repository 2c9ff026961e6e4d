#include "model/onnx/export.h"

#include <filesystem>
#include <fstream>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"
#include "tests/exported.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

class Export : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/net.onnx"; }

  // Writes the graph, reads it back, and expects the same outputs for a batch of two.
  void expect_same(const Graph& graph, const ExportOptions& options = {}) {
    const auto exported = export_onnx(graph, weights_, path(), options);
    ASSERT_TRUE(exported.ok()) << exported.error().line();
    EXPECT_EQ(int64_t(std::filesystem::file_size(path())), exported->bytes);
    const auto imported = import_onnx_with_weights(path());
    ASSERT_TRUE(imported.ok()) << imported.error().line();
    EXPECT_EQ(imported->graph.batch_symbol, graph.batch_symbol);
    const Tensor sample = sample_for(graph, 2);
    expect_close(outputs_of(with_contents(graph, weights_), sample),
                 outputs_of(with_contents(imported->graph, *imported->weights), sample), 1e-5);
  }
  void expect_op(const std::string& op, const Shape& sample, const Attributes& attributes) {
    SCOPED_TRACE(op);
    Builder b("net", sample);
    expect_same(*b.finish(b.apply("layer", op, {b.input()}, attributes)));
  }

  TemporaryFolder folder_;
  PlainWeights weights_;
};

TEST_F(Export, ANetworkComesBack) { expect_same(*build_model("lenet5", {})); }

TEST_F(Export, WeightsPastTheLimitAreBesideTheFile) {
  expect_same(*build_model("lenet5", {}), {.largest_file = 10'000});
  EXPECT_GT(std::filesystem::file_size(path() + ".data"), 4 * 60'000U);
  EXPECT_LT(std::filesystem::file_size(path()), 10'000U);
}

TEST_F(Export, OperationsThatOnnxLacks) {
  expect_op("gelu", {3, 5}, {});
  expect_op("gelu", {3, 5}, {{"approximate", std::string("tanh")}});
  expect_op("silu", {3, 5}, {});
  expect_op("silu", {3, 5}, {{"alpha", 1.5}});
  expect_op("quick_gelu", {3, 5}, {});
  expect_op("mish", {3, 5}, {});
  expect_op("fast_gelu", {3, 5}, {});
  expect_op("softmax", {3, 5}, {{"axis", int64_t{1}}, {"flatten", int64_t{1}}});
}

TEST_F(Export, AdaptivePoolsBySize) {
  expect_op("adaptive_average_pool", {2, 7, 5}, {{"output_size", Sizes{1, 1}}});
  expect_op("adaptive_average_pool", {2, 6, 4}, {{"output_size", Sizes{3, 2}}});
  expect_op("adaptive_average_pool", {2, 7, 5}, {{"output_size", Sizes{3, 4}}});
  expect_op("adaptive_average_pool", {2, 7}, {{"output_size", Sizes{3}}});
  expect_op("adaptive_average_pool", {2, 3, 5, 4}, {{"output_size", Sizes{2, 3, 3}}});
  expect_op("adaptive_max_pool", {2, 6, 4}, {{"output_size", Sizes{3, 2}}});
}

TEST_F(Export, SettingsMoveToTheirPlaces) {
  expect_op("unsqueeze", {3, 5}, {{"axes", Sizes{1}}});
  expect_op("reduce_sum", {3, 5}, {{"axes", Sizes{1}}});
  expect_op("reduce_mean", {3, 5}, {{"axes", Sizes{1}}});
  expect_op("clip", {3, 5}, {{"min", -0.2}, {"max", 0.3}});
  expect_op("dropout", {3, 5}, {{"ratio", 0.5}});
  expect_op("upsample", {2, 3, 3}, {{"scales", std::vector<double>{1, 1, 2, 2}}});
  Builder b("net", {4});
  const ValueId axes = b.constant("axes", integer_tensor({1}));
  expect_same(*b.finish(b.apply("mean", "reduce_mean", {b.input(), axes})));
}

TEST_F(Export, FusedOperationsComeApart) {
  Builder b("net", {3, 4});
  ValueId x = b.apply("product", "matmul", {b.input(), b.parameter("weight", {5, 4})},
                      {{"transB", int64_t{1}}, {"alpha", 0.5}});
  x = b.flatten("flat", x);
  x = b.apply("gemm", "gemm", {x, b.parameter("w", {15, 2})}, {{"activation", std::string("Relu")}});
  expect_same(*b.finish(x));
}

// Layers of one name: ONNX tells values apart by name alone.
TEST_F(Export, NamesAreMadeUnique) {
  Builder b("net", {4});
  const ValueId x = b.relu("same", b.linear("fc", b.input(), 3));
  expect_same(*b.finish(b.apply("same", "sigmoid", {x})));
}

TEST_F(Export, WhatCannotBeWrittenIsNamedAndNothingIsLeft) {
  Builder b("net", {4, 3, 3});
  const ValueId x = b.apply("norm", "group_norm", {b.input(), b.parameter("s", {2}), b.parameter("t", {2})},
                            {{"num_groups", int64_t{2}}});
  const auto exported = export_onnx(*b.finish(x), weights_, path());
  ASSERT_FALSE(exported.ok());
  EXPECT_EQ(exported.error().line(),
            "node 'norm': 'group_norm' is GroupNormalization in ONNX, which opset 17 does not have");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Export, ShapesAlone) {
  const Graph graph = *build_model("vgg16", {});
  ASSERT_TRUE(export_onnx(graph, weights_, path(), {.numbers = false}).ok());
  EXPECT_LT(std::filesystem::file_size(path()), 100'000U);
}

}  // namespace
}  // namespace plimsoll
