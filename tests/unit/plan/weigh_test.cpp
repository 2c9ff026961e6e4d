// The published layer examples and the arithmetic of weighing.
#include "plan/weight/weigh.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/time/time_to_result.h"
#include "plan/weight/layer_name.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

Weight weight_of(const Graph& graph, const BindOptions& options = {}, Mode mode = Mode::train,
                 std::string_view optimizer = kDefaultOptimizer) {
  return weigh(bind(graph, options).value(), mode, **find_optimizer(optimizer)).value();
}

Graph dense(int64_t n, int64_t k) {
  Builder b("dense", Shape{n});
  return b.finish(b.linear("fc", b.input(), k)).value();
}

Graph conv(int64_t kernels, int64_t size) {
  Builder b("conv", Shape{3, 224, 224});
  return b.finish(b.conv("conv", b.input(), kernels, {.kernel = {size, size}})).value();
}

TEST(Weigh, FullyConnectedLayers) {
  EXPECT_EQ(weight_of(dense(4096, 1000)).params.value(), 4'097'000);
  EXPECT_EQ(weight_of(dense(4096, 1000)).flops.value(), 8'192'000);
  const Weight small = weight_of(dense(100, 10));
  EXPECT_EQ(small.flops.value(), 2000);
  EXPECT_EQ(small.naive_bytes.value(), 2240 * 4);
  EXPECT_EQ(small.layers[0].naive_bytes.value(), 2240 * 4);
}

TEST(Weigh, NaiveSpaceOfABatchSumsTheWeightGradient) {  // 2(n+1)k + 2B(n+k)
  EXPECT_EQ(weight_of(dense(100, 10), {.batch = 7}).naive_bytes.value(), 4 * (2 * 101 * 10 + 2 * 7 * 110));
  EXPECT_EQ(weight_of(dense(100, 10), {.batch = 7}, Mode::inference).naive_bytes.value(), 4 * (101 * 10 + 7 * 110));
}

TEST(Weigh, ATransposedWeightIsAView) {
  SmallGraph made;
  const ValueId x = made.input("x", {Dim("N"), 3, 4}), w = made.parameter("w", {5, 4});
  const Weight weight = weight_of(*made.finish({made.node("y", "matmul", {x, made.node("turn", "transpose", {w})})}));
  EXPECT_EQ(weight.activation_bytes.value(), 4 * 3 * 5);
  EXPECT_EQ(weight.layers[0].moved.value(), 0);
  EXPECT_EQ(weight.params.value(), 20);
  const Weight data = weight_of(*made.finish({made.node("z", "transpose", {x})}));
  EXPECT_EQ(data.activation_bytes.value(), 4 * 3 * 5 + 4 * 3 * 4) << "other data is copied";
}

TEST(Weigh, Convolutions) {
  const Weight six = weight_of(conv(6, 5)), sixteen = weight_of(conv(16, 3));
  EXPECT_EQ(six.params.value(), 456);
  EXPECT_EQ(six.flops.value(), 43'560'000);
  EXPECT_EQ(sixteen.params.value(), 448);
  EXPECT_EQ(sixteen.flops.value(), 42'581'376);
  const int64_t output = 6 * 220 * 220;
  EXPECT_EQ(six.layers[0].naive_bytes.value(), 4 * (3 * 224 * 224 + 456 + 2 * output));
}

TEST(Weigh, BytesFollowTheFormat) {
  const struct {
    DType type;
    int64_t bytes;
  } kFormats[] = {{DType::f64, 8},  {DType::f32, 4}, {DType::tf32, 4},
                  {DType::bf16, 2}, {DType::f16, 2}, {DType::i8, 1}};
  for (const auto& format : kFormats) {
    const Weight w = weight_of(dense(100, 10), {.parameters = format.type, .activations = format.type});
    EXPECT_EQ(w.param_bytes.value(), 1010 * format.bytes) << name_of(format.type);
    EXPECT_EQ(w.activation_bytes.value(), 10 * format.bytes) << name_of(format.type);
  }
}

// As `fit` plans it for PyTorch and TensorFlow: both moments of Adam are tensors like the parameter.
TEST(Weigh, OptimizerStateIsInTheParametersFormat) {
  for (const DType type : {DType::f64, DType::f32, DType::bf16, DType::f16}) {
    const Weight w = weight_of(dense(100, 10), {.parameters = type, .activations = type}, Mode::train, "adam");
    EXPECT_EQ(w.optimizer_bytes, w.param_bytes * 2) << name_of(type);
  }
  const Weight amp =
      weight_of(dense(100, 10), {.parameters = DType::f32, .activations = DType::f16}, Mode::train, "adam");
  EXPECT_EQ(amp.optimizer_bytes.value(), 2 * 4 * 1010);
}

TEST(Weigh, TrainingStepOfOneLayer) {
  // The data needs no gradient: forward and the weights' gradient, 2nk each, the bias gradient's sums and the update;
  // the loss has 5 for each score and 2 for the label, its gradient 6 for each score.
  const int64_t loss = 5 * 10 + 2 + 6 * 10, bias = 10;
  EXPECT_EQ(weight_of(dense(100, 10), {}, Mode::train, "sgd").train_flops.value(), 2 * 2000 + 2 * 1010 + loss + bias);
  EXPECT_EQ(weight_of(dense(100, 10), {}, Mode::train, "adam").optimizer_bytes.value(), 2 * 4 * 1010);
}

TEST(Weigh, TheSecondLayerPaysForItsInputGradientToo) {
  Builder b("two", Shape{8});
  const Graph graph = b.finish(b.linear("b", b.linear("a", b.input(), 8, false), 8, false)).value();
  const Weight w = weight_of(graph, {}, Mode::train, "sgd");
  const int64_t loss = 5 * 8 + 2 + 6 * 8;
  EXPECT_EQ(w.train_flops.value(), (2 + 3) * 2 * 64 + 2 * 128 + loss);
}

TEST(Weigh, SharedParametersCountOnce) {
  Builder b("tied", Shape{8});
  const ValueId w = b.parameter("w", Shape{8, 8});
  const ValueId once = b.apply("one", "gemm", {b.input(), w});
  EXPECT_EQ(weight_of(b.finish(b.apply("two", "gemm", {once, w})).value()).params.value(), 64);
}

TEST(Weigh, OverflowIsAnErrorNotANumber) {
  const auto program = bind(dense(1'000'000'000, 1'000'000'000), {.batch = 1'000'000});
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("overflow"), std::string::npos);
}

TEST(Rounds, CoresMatter) {
  EXPECT_EQ(rounds(Count(81), 4).value(), 21);
  EXPECT_EQ(rounds(Count(81), 36).value(), 3);
  EXPECT_EQ(rounds(Count(80), 4).value(), 20);
  EXPECT_EQ(rounds(Count(0), 4).value(), 0);
}

TEST(TimeToResult, FewEpochsCanLose) {
  const Training slow{10, {2.4 * 3600}}, quick{100, {90}};
  EXPECT_EQ(first_done(std::vector{slow, quick}), 1u);
  EXPECT_DOUBLE_EQ(slow.total().value, 24 * 3600);
  EXPECT_DOUBLE_EQ(quick.total().value, 2.5 * 3600);
}

TEST(Names, PrefixesOfBothKinds) {
  EXPECT_EQ(name_prefix("layer1.0.conv1", 1), "layer1");
  EXPECT_EQ(name_prefix("layer1.0.conv1", 2), "layer1.0");
  EXPECT_EQ(name_prefix("layer1.0.conv1", 9), "layer1.0.conv1");
  EXPECT_EQ(name_prefix("/layer1/layer1.0/conv1/Conv", 1), "layer1");
  EXPECT_EQ(name_prefix("/layer1/layer1.0/conv1/Conv", 2), "layer1/layer1.0");
  EXPECT_EQ(name_prefix("", 1), "");
}

TEST(Grouped, AddsUpAndKeepsTheOrder) {
  const Weight w = weight_of(build_model("resnet18", {}).value());
  const auto groups = grouped(w.layers, 1);
  Count params;
  Macs macs;
  for (const auto& group : groups) {
    params += group.params;
    macs += group.macs;
  }
  EXPECT_EQ(params, w.params);
  EXPECT_EQ(macs, w.macs);
  EXPECT_EQ(groups.front().name, "conv1");
  EXPECT_EQ(groups.back().name, "fc");
}

TEST(Certainty, ParametersNobodyReadsStillWeigh) {
  Builder b("aux", Shape{4});
  b.parameter("head.weight", Shape{5});
  const Weight w = weight_of(b.finish(b.linear("fc", b.input(), 2, false)).value());
  EXPECT_EQ(w.params.value(), 8 + 5);
  EXPECT_EQ(w.layers.back().name, "(stored, not run)");
}

}  // namespace
}  // namespace plimsoll
