// Operations that make numbers (constant, range, one_hot …) and that pick them by value (top_k,
// unique, non_zero …): by hand, with hostile sizes.
#include <limits>

#include "tests/unit/model/ops/op_table.h"

namespace plimsoll::detail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

TensorPtr shared(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

TEST(Make, Constants) {
  check({{"tensor", "constant", {{"value", shared(bools({2}, {true, false}))}}, {}, {bools({2}, {true, false})}},
         {"integer", "constant", {{"value_int", int64_t{-7}}}, {}, {integer_scalar(-7)}},
         {"integers", "constant", {{"value_ints", Ints{1, 2}}}, {}, {i64({1, 2})}},
         {"float", "constant", {{"value_float", 0.5}}, {}, {f32({}, {0.5})}},
         {"floats", "constant", {{"value_floats", std::vector<double>{0.5, 2}}}, {}, {f32({2}, {0.5, 2})}},
         {"zeros", "constant_of_shape", {}, {i64({2, 2})}, {f32({2, 2}, {0, 0, 0, 0})}},
         {"sevens", "constant_of_shape", {{"value", shared(i64({7}))}}, {i64({3})}, {i64({7, 7, 7})}},
         {"scalar", "constant_of_shape", {}, {i64(Ints{})}, {f32({}, {0})}},
         {"size", "size", {}, {counting({2, 3})}, {integer_scalar(6)}},
         {"eye", "eye_like", {{"k", int64_t{1}}}, {counting({2, 3})}, {f32({2, 3}, {0, 1, 0, 0, 0, 1})}},
         {"eye outside",
          "eye_like",
          {{"k", kMin}, {"dtype", int64_t{9}}},
          {counting({1, 2})},
          {bools({1, 2}, {false, false})}}});
}

TEST(Make, Ranges) {
  const auto n = integer_scalar;
  const auto x = [](float number) { return f32({}, {number}); };
  check({{"up", "range", {}, {n(1), n(8), n(3)}, {i64({1, 4, 7})}},
         {"down", "range", {}, {n(5), n(0), n(-2)}, {i64({5, 3, 1})}},
         {"the wrong way", "range", {}, {n(5), n(8), n(-2)}, {i64(Ints{})}},
         {"from end to end", "range", {}, {n(kMin), n(kMax), n(kMax)}, {i64({kMin, -1, kMax - 1})}},
         {"by the smallest step", "range", {}, {n(5), n(kMin), n(kMin)}, {i64({5, kMin + 5})}},
         {"floats", "range", {}, {x(1), x(2), x(0.3F)}, {f32({4}, {1, 1.3F, 1.6F, 1.9F})}}},
        1e-6);
}

TEST(Make, OneHot) {
  const auto values = f32({2}, {1, 3});
  check({{"last axis",
          "one_hot",
          {},
          {i64({0, 2, -1, 9}), integer_scalar(3), values},
          {f32({4, 3}, {3, 1, 1, 1, 1, 3, 1, 1, 3, 1, 1, 1})}},
         {"first axis",
          "one_hot",
          {{"axis", int64_t{0}}},
          {i64({1, 0}), integer_scalar(2), values},
          {f32({2, 2}, {1, 3, 3, 1})}},
         {"float indices",
          "one_hot",
          {},
          {f32({2}, {1, std::numeric_limits<float>::quiet_NaN()}), f32({1}, {2}), values},
          {f32({2, 2}, {1, 3, 1, 1})}}});
}

TEST(Make, Windows) {
  check(
      {{"periodic", "hann_window", {}, {integer_scalar(4)}, {f32({4}, {0, 0.5F, 1, 0.5F})}},
       {"symmetric", "hann_window", {{"periodic", int64_t{0}}}, {integer_scalar(5)}, {f32({5}, {0, 0.5F, 1, 0.5F, 0})}},
       {"step", "hamming_window", {}, {integer_scalar(2)}, {f32({2}, {0.0869565F, 1})}},
       {"two cosines", "blackman_window", {}, {integer_scalar(2)}, {f32({2}, {0, 1})}},
       {"one number", "hann_window", {{"periodic", int64_t{0}}}, {integer_scalar(1)}, {f32({1}, {0})}}},
      1e-6);
}

TEST(Make, AffineGrid) {
  const auto identity = f32({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  check({{"pixels",
          "affine_grid",
          {},
          {identity, i64({1, 1, 2, 2})},
          {f32({1, 2, 2, 2}, {-0.5F, -0.5F, 0.5F, -0.5F, -0.5F, 0.5F, 0.5F, 0.5F})}},
         {"corners",
          "affine_grid",
          {{"align_corners", int64_t{1}}},
          {identity, i64({1, 1, 1, 2})},
          {f32({1, 1, 2, 2}, {-1, -1, 1, -1})}}});
}

TEST(Pick, TopK) {
  const auto x = f32({2, 3}, {1, 3, 2, 5, 5, 4});
  check({{"largest", "top_k", {}, {x, i64({2})}, {f32({2, 2}, {3, 2, 5, 5}), i64({2, 2}, {1, 2, 0, 1})}},
         {"smallest, by column",
          "top_k",
          {{"axis", int64_t{0}}, {"largest", int64_t{0}}},
          {x, i64({1})},
          {f32({1, 3}, {1, 3, 2}), i64({1, 3}, {0, 0, 0})}},
         {"none", "top_k", {{"k", int64_t{0}}}, {x}, {f32({2, 0}, {}), i64({2, 0}, Ints{})}},
         {"int64", "top_k", {{"k", int64_t{1}}}, {i64({2, 4, 3})}, {i64({4}), i64({1})}}});
}

TEST(Pick, NonZeroAndCompress) {
  check({{"places", "non_zero", {}, {bools({2, 2}, {true, false, true, true})}, {i64({2, 3}, {0, 1, 1, 0, 0, 1})}},
         {"none", "non_zero", {}, {i64({0, 0})}, {i64({1, 0}, Ints{})}},
         {"scalar", "non_zero", {}, {integer_scalar(3)}, {i64({1, 1}, {0})}},
         {"rows",
          "compress",
          {{"axis", int64_t{0}}},
          {counting({3, 2}), bools({3}, {false, true, true})},
          {f32({2, 2}, {2, 3, 4, 5})}},
         {"columns, short condition",
          "compress",
          {{"axis", int64_t{1}}},
          {counting({2, 3}), bools({2}, {false, true})},
          {f32({2, 1}, {1, 4})}},
         {"flattened, long condition",
          "compress",
          {},
          {counting({1, 2}), bools({4}, {false, true, true, true})},
          {f32({1}, {1})}}});
}

TEST(Pick, Unique) {
  const auto x = f32({6}, {2, 1, 1, 3, 4, 3});
  check({{"sorted",
          "unique",
          {},
          {x},
          {f32({4}, {1, 2, 3, 4}), i64({1, 0, 3, 4}), i64({1, 0, 0, 2, 3, 2}), i64({2, 1, 2, 1})}},
         {"as they come",
          "unique",
          {{"sorted", int64_t{0}}},
          {x},
          {f32({4}, {2, 1, 3, 4}), i64({0, 1, 3, 4}), i64({0, 1, 1, 2, 3, 2}), i64({1, 2, 2, 1})}},
         {"rows",
          "unique",
          {{"axis", int64_t{0}}},
          {i64({3, 2}, {1, 0, 1, 0, 0, 5})},
          {i64({2, 2}, {0, 5, 1, 0}), i64({2, 0}), i64({1, 1, 0}), i64({1, 2})}},
         {"columns",
          "unique",
          {{"axis", int64_t{1}}},
          {i64({2, 3}, {1, 1, 0, 2, 2, 3})},
          {i64({2, 2}, {0, 1, 3, 2}), i64({2, 0})}}});
}

// ONNX's own example: two pairs of boxes that overlap, and one far away.
TEST(Pick, NonMaxSuppression) {
  const auto boxes = f32(
      {1, 6, 4}, {0, 0, 1, 1, 0, 0.1F, 1, 1.1F, 0, -0.1F, 1, 0.9F, 0, 10, 1, 11, 0, 10.1F, 1, 11.1F, 0, 100, 1, 101});
  const auto scores = f32({1, 1, 6}, {0.9F, 0.75F, 0.6F, 0.95F, 0.5F, 0.3F});
  const auto half = f32({1}, {0.5F});
  check({{"by overlap",
          "non_max_suppression",
          {},
          {boxes, scores, i64({3}), half, f32({1}, {0})},
          {i64({3, 3}, {0, 0, 3, 0, 0, 0, 0, 0, 5})}},
         {"by score",
          "non_max_suppression",
          {},
          {boxes, scores, i64({3}), half, f32({1}, {0.4F})},
          {i64({2, 3}, {0, 0, 3, 0, 0, 0})}},
         {"two at most", "non_max_suppression", {}, {boxes, scores, i64({2}), half}, {i64({2, 3}, {0, 0, 3, 0, 0, 0})}},
         {"none by default", "non_max_suppression", {}, {boxes, scores}, {i64({0, 3}, Ints{})}},
         {"absurd limits",
          "non_max_suppression",
          {},
          {boxes, scores, i64({kMax}), f32({1}, {2})},
          {i64({6, 3}, {0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0, 5})}},
         {"negative limits", "non_max_suppression", {}, {boxes, scores, i64({kMin})}, {i64({0, 3}, Ints{})}}});
}

TEST(Pick, TheMostIsTakenBeforeARun) {
  const TensorType boxes{DType::f32, {2, 100, 4}}, scores{DType::f32, {2, 80, 100}}, limit{DType::i64, {1}};
  const Tensor ten = i64({10});
  const Attributes none;
  const OpCall known(none, {&boxes, &scores, &limit}, {nullptr, nullptr, &ten}, 1);
  EXPECT_EQ(infer(op_named("non_max_suppression"), known).value()[0].shape, (Shape{2 * 80 * 10, 3}));
  const OpCall open(none, {&boxes, &scores, &limit}, {}, 1);
  EXPECT_EQ(infer(op_named("non_max_suppression"), open).value()[0].shape, (Shape{2 * 80 * 100, 3}));
  const OpCall places(none, {&scores}, {}, 1);
  EXPECT_EQ(infer(op_named("non_zero"), places).value()[0].shape, (Shape{3, 16000}));
  EXPECT_EQ(infer(op_named("unique"), places).value()[0].shape, (Shape{16000}));
}

TEST(Make, MistakesAreRefused) {
  const auto x = counting({2, 3});
  const auto n = integer_scalar;
  const auto values = f32({2}, {0, 1});
  check_refused(
      {{"constant", {}, {}, "has no value"},
       {"constant_of_shape", {}, {i64({2, -1})}, "negative"},
       {"constant_of_shape", {}, {i64({1'000'000'000'000'000'000})}, "overflow"},
       {"constant_of_shape", {}, {f32({1}, {2})}, "expected integers"},
       {"constant_of_shape", {{"value", shared(i64({1, 2}))}}, {i64({2})}, "expected one number"},
       {"range", {}, {n(0), n(5), n(0)}, "the step is 0"},
       {"range", {}, {n(kMin), n(kMax), n(1)}, "overflow"},
       {"range", {}, {f32({}, {0}), f32({}, {1e30F}), f32({}, {1})}, "not a finite range"},
       {"range", {}, {f32({}, {0}), f32({}, {std::numeric_limits<float>::quiet_NaN()}), f32({}, {1})}, "not a finite"},
       {"range", {}, {n(0), i64({1, 2}), n(1)}, "expected one int64"},
       {"range", {}, {n(0), f32({}, {1}), n(1)}, "expected one int64"},
       {"one_hot", {}, {i64({0}), n(-1), values}, "depth is -1"},
       {"one_hot", {}, {i64({0}), n(1'000'000'000'000'000'000), values}, "overflow"},
       {"one_hot", {}, {i64({0}), i64({1, 2}), values}, "expected one number"},
       {"one_hot", {}, {i64({0}), n(3), f32({3}, {0, 1, 2})}, "expected off and on"},
       {"one_hot", {{"axis", int64_t{5}}}, {i64({0}), n(3), values}, "axis 5 is outside"},
       {"eye_like", {}, {i64({1})}, "expected a matrix"},
       {"eye_like", {{"dtype", int64_t{99}}}, {x}, "99 is not a number type"},
       {"hann_window", {}, {n(-1)}, "at least 0"},
       {"hann_window", {}, {n(kMax)}, "overflow"},
       {"affine_grid", {}, {f32({1, 2, 3}, {1, 0, 0, 0, 1, 0}), i64({1, 1, 2, -2})}, "negative"},
       {"affine_grid", {}, {x, i64({1, 1})}, "do not agree"},
       {"random_normal", {{"shape", Ints{-1}}}, {}, "negative"},
       {"random_uniform", {{"shape", Ints{kMax, kMax}}}, {}, "overflow"},
       {"multinomial", {{"sample_size", int64_t{-1}}}, {x}, "draws -1"},
       {"top_k", {{"k", int64_t{4}}}, {x}, "k is 4 but axis 1 of 2x3 has size 3"},
       {"top_k", {}, {x, i64({-1})}, "k is -1"},
       {"top_k", {{"axis", int64_t{2}}}, {x, i64({1})}, "axis 2 is outside"},
       {"compress", {}, {x, i64({1})}, "expected a vector of bool"},
       {"compress", {{"axis", int64_t{2}}}, {x, bools({1}, {true})}, "axis 2 is outside"},
       {"unique", {{"axis", int64_t{2}}}, {x}, "axis 2 is outside"},
       {"non_max_suppression", {}, {x, x}, "do not agree"}});
}

}  // namespace
}  // namespace plimsoll::detail
