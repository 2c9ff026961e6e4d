// Losses by their definitions.
#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

const double kLn2 = std::log(2.0);

Attributes reduce(const char* how) { return {{"reduction", std::string(how)}}; }

TEST(Loss, CrossEntropyIsMinusTheLogProbabilityOfTheLabel) {
  const float ln3 = std::log(3.0f);
  const Tensor scores = f32({2, 2}, {0, ln3, 0, 0}), labels = i64({1, 0});
  const double first = -std::log(0.75), second = kLn2;
  expect({"softmax_cross_entropy", {scores, labels}, {first, second}, reduce("none")});
  expect({"softmax_cross_entropy", {scores, labels}, {(first + second) / 2}, {}, Shape{}});
  expect({"softmax_cross_entropy", {scores, labels, f32({3, 1})}, {(first + 3 * second) / 4}});
  expect({"softmax_cross_entropy", {scores, labels}, {second}, {{"ignore_index", int64_t{1}}}});
  expect({"softmax_cross_entropy", {scores, i64({1, -7})}, {first, 0}, reduce("none")});
  expect({"softmax_cross_entropy", {f32({1, 2}, {1e4f, 0}), i64({1})}, {1e4}});
}

TEST(Loss, NegativeLogLikelihoodPicksFromEachPixel) {
  const Tensor scores = f32({1, 2, 2}, {-1, -2, -3, -4});
  Tensor labels({DType::i64, {1, 2}});
  labels.as<int64_t>()[0] = 1;
  labels.as<int64_t>()[1] = 0;
  expect({"nll_loss", {scores, labels}, {3, 2}, reduce("none"), Shape{1, 2}});
  expect({"nll_loss", {scores, labels}, {5}, reduce("sum")});
}

TEST(Loss, BinaryCrossEntropyIsBounded) {
  expect({"binary_cross_entropy", {f32({0.5f, 0, 1}), f32({1, 1, 1})}, {kLn2, 100, 0}, reduce("none")});
  expect(
      {"binary_cross_entropy_with_logits", {f32({0, 1000, -1000}), f32({1, 0, 0})}, {kLn2, 1000, 0}, reduce("none")});
}

TEST(Loss, MeanSquaredError) {
  expect({"mse_loss", {f32({1, 2}), f32({3, 5})}, {6.5}, {}, Shape{}});
  expect({"mse_loss", {f32({1, 2}), f32({3, 5})}, {13}, reduce("sum")});
}

TEST(Loss, RefusesLabelsOfAnotherShape) {
  expect_refused({"softmax_cross_entropy", {f32({2, 2}, {0, 0, 0, 0}), i64({1, 0, 1})}, {}}, {"labels", "3", "2"});
  expect_refused({"mse_loss", {f32({1}), f32({1, 2})}, {}}, {"one shape"});
  expect_refused({"mse_loss", {f32({1}), f32({1})}, {}, reduce("median")}, {"median"});
}

}  // namespace
}  // namespace plimsoll
