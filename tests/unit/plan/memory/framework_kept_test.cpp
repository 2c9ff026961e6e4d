// What PyTorch's autograd keeps of single operations, held against saved_tensors_hooks of PyTorch 2.15.
#include <gtest/gtest.h>

#include <functional>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_profile.h"
#include "plan/memory/kept_for_backward.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 2, kF32 = 4, kIndex = 8;

Program step_of(const Shape& sample, const std::function<ValueId(Builder&, ValueId)>& network) {
  Builder b("small", sample);
  const ValueId scores = network(b, b.input());
  const auto graph = b.finish(scores);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  auto program = bind(*graph, {.batch = kBatch, .parameters = DType::f32, .activations = DType::f32});
  EXPECT_TRUE(program.ok()) << program.error().line();
  take_form(*program, {.pytorch = true, .fused_attention = true});
  StepOptions options = step_options(Framework::pytorch);
  options.optimizer = *find_optimizer("sgd");
  auto step = make_step(std::move(*program), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return *std::move(step);
}

int64_t kept(const Program& step) {
  return kept_for_backward(step, FrameworkProfile(Framework::pytorch, nullptr, false)).value();
}

// Two networks that differ in one thing, by what that thing keeps.
int64_t kept_more(const Shape& sample, const std::function<ValueId(Builder&, ValueId)>& more,
                  const std::function<ValueId(Builder&, ValueId)>& less) {
  return kept(step_of(sample, more)) - kept(step_of(sample, less));
}

const ConvOptions kSameSize{.kernel = {3, 3}, .padding = {1, 1}};

ValueId classified(Builder& b, ValueId x) { return b.flatten("flat", b.global_average_pool("mean", x)); }

// A sum is kept by nobody but the pooling that reads it.
ValueId summed(Builder& b, ValueId x) {
  return b.add("sum", b.conv("a", x, 8, kSameSize), b.conv("b", x, 8, kSameSize));
}

TEST(FrameworkKept, PoolingKeepsItsInput) {
  const PoolOptions halves{.kernel = {2, 2}};
  const Shape sample{3, 8, 8};
  const int64_t input = kBatch * 8 * 8 * 8 * kF32, output = kBatch * 8 * 4 * 4;
  const auto plain = [](Builder& b, ValueId x) { return classified(b, summed(b, x)); };
  const auto largest = [&](Builder& b, ValueId x) { return classified(b, b.max_pool("pool", summed(b, x), halves)); };
  const auto mean = [&](Builder& b, ValueId x) { return classified(b, b.average_pool("pool", summed(b, x), halves)); };
  EXPECT_EQ(kept_more(sample, largest, plain), input + output * kIndex);
  EXPECT_EQ(kept_more(sample, mean, plain), input);
}

TEST(FrameworkKept, APartKeepsTheWholeThatItIsPartOf) {
  const auto network = [](Builder& b, ValueId x, bool half) {
    ValueId features = b.add("sum", b.linear("a", x, 32), b.linear("b", x, 32));
    if (half)
      features = b.apply_many("part", "split", {features}, {{"axis", int64_t{1}}, {"split", Sizes{8, 24}}}, 2)[0];
    return b.linear("head", features, 4);
  };
  const auto whole = [&](Builder& b, ValueId x) { return network(b, x, false); };
  const auto part = [&](Builder& b, ValueId x) { return network(b, x, true); };
  EXPECT_EQ(kept_more({16}, part, whole), 0);
}

// x[:, :8], x[:, 0]: the layer that reads them keeps the memory of all of x.
TEST(FrameworkKept, ASliceKeepsTheWholeThatItIsPartOf) {
  const auto network = [](Builder& b, ValueId x, bool part, int64_t step) {
    ValueId features = b.add("sum", b.linear("a", x, 32), b.linear("b", x, 32));
    const Attributes how{{"starts", Sizes{step > 0 ? 0 : 31}},
                         {"ends", Sizes{step > 0 ? 8 : 23}},
                         {"axes", Sizes{1}},
                         {"steps", Sizes{step}}};
    if (part) features = b.apply("part", "slice", {features}, how);
    return b.linear("head", features, 4);
  };
  const auto whole = [&](Builder& b, ValueId x) { return network(b, x, false, 1); };
  const auto part = [&](Builder& b, ValueId x) { return network(b, x, true, 1); };
  const auto backwards = [&](Builder& b, ValueId x) { return network(b, x, true, -1); };
  EXPECT_EQ(kept_more({16}, part, whole), 0);
  EXPECT_EQ(kept_more({16}, backwards, whole), -kBatch * (32 - 8) * kF32) << "strides are never negative: a copy";
}

TEST(FrameworkKept, AnEntryOfAnAxisKeepsTheWholeThatItIsPartOf) {
  const auto network = [](Builder& b, ValueId x, const Tensor& index) {
    const ValueId row = b.apply("row", "gather", {summed(b, x), b.constant("index", index)}, {{"axis", int64_t{2}}});
    return b.linear("head", b.flatten("flat", row), 4);
  };
  const auto selected = [&](Builder& b, ValueId x) { return network(b, x, integer_scalar(0)); };
  const auto copied = [&](Builder& b, ValueId x) { return network(b, x, integer_tensor({0})); };
  EXPECT_EQ(kept_more({3, 8, 8}, selected, copied), kBatch * 8 * (8 - 1) * 8 * kF32);
}

TEST(FrameworkKept, WhatIsExpandedIsNotWrittenOut) {
  const auto network = [](Builder& b, ValueId x, bool expands) {
    const ValueId features = b.conv("a", x, 8, kSameSize);
    ValueId gate = b.apply("gate", "sigmoid", {b.global_average_pool("mean", features)});
    if (expands) gate = b.apply("wide", "expand", {gate, b.constant("shape", integer_tensor({1, 8, 8, 8}))});
    return classified(b, b.apply("gated", "mul", {features, gate}));
  };
  const auto wide = [&](Builder& b, ValueId x) { return network(b, x, true); };
  const auto narrow = [&](Builder& b, ValueId x) { return network(b, x, false); };
  EXPECT_EQ(kept_more({3, 8, 8}, wide, narrow), 0);
}

// As torch.onnx writes it: groups as one axis, an instance norm, apart again, weights cast to the format of what they
// meet.
ValueId norm_in_pieces(Builder& b, ValueId x, ValueId weight, ValueId bias) {
  const ValueId one = b.constant("one", float_tensor({2}, {1, 1})),
                zero = b.constant("zero", float_tensor({2}, {0, 0}));
  const ValueId grouped = b.apply("norm", "instance_norm", {b.reshape("together", x, {0, 2, -1}), one, zero});
  const ValueId apart = b.reshape("apart", grouped, {0, 8, 8, 8});
  const auto wide = [&](const std::string& name, ValueId vector, ValueId like) {
    return b.apply(name + ".cast", "cast_like", {b.reshape(name + ".wide", vector, {8, 1, 1}), like});
  };
  const ValueId scaled = b.apply("scale", "mul", {apart, wide("weight", weight, apart)});
  return b.add("shift", scaled, wide("bias", bias, scaled));
}

TEST(FrameworkKept, AGroupNormThatAnExporterTookApartIsOneAgain) {
  const auto network = [](Builder& b, ValueId x, bool pieces) {
    const ValueId features = b.conv("a", x, 8, kSameSize), weight = b.parameter("norm.weight", {8}),
                  bias = b.parameter("norm.bias", {8});
    const ValueId normed = pieces
                               ? norm_in_pieces(b, features, weight, bias)
                               : b.apply("norm", "group_norm", {features, weight, bias}, {{"num_groups", int64_t{2}}});
    return classified(b, b.conv("b", normed, 8, kSameSize));
  };
  const auto pieces = [&](Builder& b, ValueId x) { return network(b, x, true); };
  const auto whole = [&](Builder& b, ValueId x) { return network(b, x, false); };
  EXPECT_EQ(kept_more({3, 8, 8}, pieces, whole), 0);
}

// A view of a parameter is no memory of its own: weights that are standardised before they are used.
TEST(FrameworkKept, ViewsOfParametersAreNotKept) {
  const auto network = [](Builder& b, ValueId x, bool view) {
    const ValueId features = b.linear("a", x, 8), scale = b.parameter("scale", {2, 4});
    const ValueId flat = view ? b.reshape("view", scale, {8}) : b.parameter("flat", {8});
    return b.linear("head", b.apply("scaled", "mul", {features, flat}), 4);
  };
  const auto viewed = [&](Builder& b, ValueId x) { return network(b, x, true); };
  const auto plain = [&](Builder& b, ValueId x) { return network(b, x, false); };
  EXPECT_EQ(kept_more({16}, viewed, plain), 0);
}

// transformers' "gelu_new": beside its input the tanh, half the input, and 1 + the tanh.
TEST(FrameworkKept, AGeluInPiecesKeepsThreeTensorsMore) {
  const auto network = [](Builder& b, ValueId x, bool pieces) {
    Attributes attributes{{"approximate", std::string("tanh")}};
    if (pieces) attributes.set("written_as", std::string("pieces"));
    return b.linear("head", b.apply("gelu", "gelu", {b.linear("a", x, 32)}, attributes), 4);
  };
  const auto pieces = [&](Builder& b, ValueId x) { return network(b, x, true); };
  const auto whole = [&](Builder& b, ValueId x) { return network(b, x, false); };
  EXPECT_EQ(kept_more({16}, pieces, whole), 3 * kBatch * 32 * kF32);
}

}  // namespace
}  // namespace plimsoll
