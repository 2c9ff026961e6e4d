// Attention as a graph of matrix products, against its definition written out.
#include "model/zoo/attention_layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "model/ir/bind.h"
#include "model/ir/evaluate.h"

namespace plimsoll {
namespace {

constexpr int64_t kTokens = 3, kWidth = 4, kHeads = 2, kHeadWidth = kWidth / kHeads;

// The output of a graph without weights for one input.
std::vector<double> run(const Graph& graph, const Tensor& input) {
  const Program program = bind(graph, {.batch = input.type.shape[0]}).value();
  std::map<ValueId, Tensor> computed{{program.inputs[0], input}};
  for (const auto& operation : program.operations) {
    std::vector<const Tensor*> inputs;
    for (const ValueId id : operation.inputs)
      inputs.push_back(program.value(id).constant ? program.value(id).constant.get() : &computed.at(id));
    auto outputs = evaluate(*operation.op, operation.attributes, inputs, operation.outputs.size()).value().value();
    for (size_t i = 0; i < outputs.size(); ++i) computed[operation.outputs[i]] = std::move(outputs[i]);
  }
  return computed.at(program.outputs[0]).doubles();
}

Tensor samples(int64_t batch) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < batch * kTokens * kWidth; ++i) numbers.push_back(std::sin(float(3 * i + 1)));
  return float_tensor({batch, kTokens, kWidth}, numbers);
}

// For every sample and head: each token mixes all, by the softmax of their products plus a mask (head, from, to).
template <class Mask>
std::vector<double> by_definition(const Tensor& x, const Mask& mask) {
  std::vector<double> out(x.size());
  const auto numbers = x.doubles();
  const auto at = [&](int64_t sample, int64_t token, int64_t channel) {
    return size_t((sample * kTokens + token) * kWidth + channel);
  };
  for (int64_t n = 0; n < x.type.shape[0]; ++n)
    for (int64_t h = 0; h < kHeads; ++h)
      for (int64_t from = 0; from < kTokens; ++from) {
        double weight[kTokens], sum = 0;
        for (int64_t to = 0; to < kTokens; ++to) {
          double score = 0;
          for (int64_t c = h * kHeadWidth; c < (h + 1) * kHeadWidth; ++c)
            score += numbers[at(n, from, c)] * numbers[at(n, to, c)];
          weight[to] = std::exp(score / std::sqrt(double(kHeadWidth)) + mask(n, h, from, to));
          sum += weight[to];
        }
        for (int64_t to = 0; to < kTokens; ++to)
          for (int64_t c = h * kHeadWidth; c < (h + 1) * kHeadWidth; ++c)
            out[at(n, from, c)] += weight[to] / sum * numbers[at(n, to, c)];
      }
  return out;
}

void expect_near(const std::vector<double>& ours, const std::vector<double>& expected) {
  ASSERT_EQ(ours.size(), expected.size());
  for (size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 1e-6) << i;
}

TEST(Attention, IsItsDefinition) {
  Builder b("attention", {kTokens, kWidth});
  const auto graph =
      b.finish(attention(b, b.input(), b.input(), b.input(), {.width = kWidth, .heads = kHeads})).value();
  const Tensor x = samples(2);
  expect_near(run(graph, x), by_definition(x, [](int64_t, int64_t, int64_t, int64_t) { return 0.0; }));
}

TEST(Attention, AMaskHidesTokens) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  Builder b("attention", {kTokens, kWidth});
  const ValueId mask = b.constant("mask", float_tensor({3, 3}, {0, kHidden, kHidden, 0, 0, kHidden, 0, 0, 0}));
  const auto graph =
      b.finish(attention(b, b.input(), b.input(), b.input(), {.width = kWidth, .heads = kHeads, .mask = mask})).value();
  const Tensor x = samples(2);
  expect_near(run(graph, x), by_definition(x, [](int64_t, int64_t, int64_t from, int64_t to) {
                return to > from ? double(kHidden) : 0.0;
              }));
}

TEST(Attention, AMaskOfItsOwnForEachGroup) {
  constexpr int64_t kGroups = 2;
  const auto number = [](int64_t group, int64_t head, int64_t from, int64_t to) {
    return 0.1 * double(((group * kHeads + head) * kTokens + from) * kTokens + to);
  };
  std::vector<float> numbers;
  for (int64_t g = 0; g < kGroups; ++g)
    for (int64_t h = 0; h < kHeads; ++h)
      for (int64_t i = 0; i < kTokens * kTokens; ++i) numbers.push_back(float(number(g, h, i / kTokens, i % kTokens)));
  Builder b("attention", {kTokens, kWidth});
  // The builder works with a batch of 1, the smallest that two groups divide is 2: the samples are doubled.
  const ValueId x = b.concat("twice", {b.input(), b.input()}, 0);
  const ValueId mask = b.constant("mask", float_tensor({kGroups, kHeads, kTokens, kTokens}, numbers));
  const AttentionOptions options{.width = kWidth, .heads = kHeads, .mask = mask, .groups = kGroups, .tokens = kTokens};
  const auto graph = b.finish(attention(b, x, x, x, options)).value();
  const Tensor one = samples(1);
  Tensor two(TensorType{DType::f32, {2, kTokens, kWidth}});
  for (size_t i = 0; i < two.size(); ++i) two.as<float>()[i] = one.as<float>()[i % one.size()];
  expect_near(run(graph, one), by_definition(two, number));
}

TEST(Attention, PositionsAreLimited) {
  Builder b("sequence", {6, 4});
  b.add("add", b.input(), learned_positions(b, "positions", 6, 5, 4));
  const auto graph = b.finish(b.input());
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().line().find("6 tokens"), std::string::npos) << graph.error().line();
}

}  // namespace
}  // namespace plimsoll
