// Reductions, arg_max, arg_min, cum_sum and det against numbers worked out by hand.
#include <limits>

#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Ints = std::vector<int64_t>;
Attributes along(const Ints& axes, int64_t keepdims = 1) { return {{"axes", axes}, {"keepdims", keepdims}}; }
Tensor table() { return f32({2, 3}, {1, -2, 3, 4, 5, -6}); }

TEST(Reduce, OverOneAxis) {
  const OpCase rows[] = {
      {"reduce_sum", {table()}, {2, 3}, along({1}), Shape{2, 1}},
      {"reduce_sum", {table()}, {5, 3, -3}, along({0}, 0), Shape{3}},
      {"reduce_sum", {table(), i64({-1})}, {2, 3}, {}, Shape{2, 1}},
      {"reduce_mean", {table()}, {2.0 / 3, 1}, along({-1}, 0), Shape{2}},
      {"reduce_mean", {i64({7, -8, 2})}, {0}, along({0})},
      {"reduce_max", {table()}, {3, 5}, along({1})},
      {"reduce_min", {table()}, {-2, -6}, along({1})},
      {"reduce_max", {f32({1, kNan, 3})}, {kNan}, along({0})},
      {"reduce_max", {bools({false, true})}, {1}, along({0})},
      {"reduce_prod", {table()}, {-6, -120}, along({1})},
      {"reduce_l1", {table()}, {6, 15}, along({1})},
      {"reduce_l2", {table()}, {3.741657387, 8.774964387}, along({1})},
      {"reduce_sum_square", {table()}, {14, 77}, along({1})},
      {"reduce_log_sum", {table()}, {0.693147181, 1.098612289}, along({1})},
      {"reduce_log_sum_exp", {f32({0, 1000, -kInf, 1000})}, {1000.693147181}, along({0})},
      {"reduce_log_sum_exp", {f32({-kInf, -kInf})}, {-kInf}, along({0})},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Reduce, OverEverythingOrNothing) {
  const OpCase rows[] = {
      {"reduce_sum", {table()}, {5}, {{"keepdims", int64_t{0}}}, Shape{}},
      {"reduce_sum", {table()}, {5}, {}, Shape{1, 1}},
      {"reduce_sum", {table(), i64({})}, {5}, {}, Shape{1, 1}},
      {"reduce_sum", {table(), i64({})}, {1, -2, 3, 4, 5, -6}, {{"noop_with_empty_axes", int64_t{1}}}, Shape{2, 3}},
      {"reduce_sum", {f32(Shape{}, {4})}, {4}, {}, Shape{}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Reduce, OfNoNumbers) {
  const Tensor nothing = f32({2, 0}, {});
  const OpCase rows[] = {
      {"reduce_sum", {nothing}, {0, 0}, along({1})},
      {"reduce_prod", {nothing}, {1, 1}, along({1})},
      {"reduce_max", {nothing}, {-kInf, -kInf}, along({1})},
      {"reduce_min", {nothing}, {kInf, kInf}, along({1})},
      {"reduce_max", {i8({})}, {-128}, along({0})},
      {"reduce_mean", {nothing}, {kNan, kNan}, along({1})},
      {"reduce_mean", {i64({})}, {0}, along({0})},
      {"reduce_log_sum_exp", {nothing}, {-kInf, -kInf}, along({1})},
      {"reduce_sum", {nothing}, {}, along({0}), Shape{1, 0}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Reduce, IntegersWrap) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  expect({"reduce_sum", {i8({100, 100})}, {-56}, along({0})});
  expect({"reduce_mean", {i8({100, 100})}, {100}, along({0})});
  expect({"reduce_l1", {i64({least, 0})}, {double(least)}, along({0})});
  expect({"reduce_prod", {i64({least, -1})}, {double(least)}, along({0})});
  expect({"reduce_l2", {i8({100, 100})}, {127}, along({0})});
  expect({"reduce_log_sum", {i64({0})}, {double(least)}, along({0})});
}

TEST(Reduce, WhereTheExtremeStands) {
  const auto axis = [](int64_t a, int64_t keep = 0, int64_t last = 0) {
    return Attributes{{"axis", a}, {"keepdims", keep}, {"select_last_index", last}};
  };
  const Tensor x = f32({2, 3}, {1, 5, 5, 7, 2, 7});
  const OpCase rows[] = {
      {"arg_max", {x}, {1, 0}, axis(1), Shape{2}},
      {"arg_max", {x}, {2, 2}, axis(-1, 1, 1), Shape{2, 1}},
      {"arg_max", {x}, {1, 0, 1}, axis(0), Shape{3}},
      {"arg_min", {x}, {0, 1}, axis(1), Shape{2}},
      {"arg_min", {i64({3, 1, 1})}, {2}, axis(0, 0, 1), Shape{}},
      {"arg_max", {f32({1, kNan, 3, kNan})}, {1}, axis(0), Shape{}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Reduce, RunningSums) {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  const Attributes exclusive{{"exclusive", int64_t{1}}}, reverse{{"reverse", int64_t{1}}};
  const OpCase rows[] = {
      {"cum_sum", {x, integer_scalar(1)}, {1, 3, 6, 4, 9, 15}},
      {"cum_sum", {x, integer_scalar(-2)}, {1, 2, 3, 5, 7, 9}},
      {"cum_sum", {x, i64({1})}, {0, 1, 3, 0, 4, 9}, exclusive},
      {"cum_sum", {x, integer_scalar(1)}, {6, 5, 3, 15, 11, 6}, reverse},
      {"cum_sum", {i8({100, 100}), integer_scalar(0)}, {100, -56}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Reduce, Determinants) {
  expect({"det", {f32({2, 2}, {1, 2, 3, 4})}, {-2}, {}, Shape{}});
  expect({"det", {f32({2, 2, 2}, {0, 1, 1, 0, 1, 2, 2, 4})}, {-1, 0}, {}, Shape{2}});
  expect({"det", {f32({3, 3}, {2, 0, 1, 1, 3, 2, 1, 1, 1})}, {0}, {}, Shape{}});
  expect({"det", {f32({0, 0}, {})}, {1}, {}, Shape{}});
}

TEST(Reduce, MistakesAreNamed) {
  expect_refused({"reduce_sum", {table()}, {}, along({2})}, {"2"});
  expect_refused({"reduce_sum", {table()}, {}, along({1, -1})}, {"1, -1", "twice"});
  expect_refused({"reduce_sum", {table(), f32({1})}, {}}, {"axes", "integers"});
  expect_refused({"arg_max", {f32({2, 0}, {})}, {}, {{"axis", int64_t{1}}}}, {"2x0"});
  expect_refused({"arg_min", {f32({1})}, {}, {{"axis", int64_t{-5}}}}, {"-5"});
  expect_refused({"cum_sum", {table(), integer_scalar(7)}, {}}, {"7"});
  expect_refused({"cum_sum", {table(), f32(Shape{}, {0})}, {}}, {"f32"});
  expect_refused({"cum_sum", {table(), i64({0, 1})}, {}}, {"one integer"});
  expect_refused({"det", {table()}, {}}, {"2x3"});
}

// Where the axes come with the data, so does the shape: the rule says so instead of guessing.
TEST(Reduce, UnknownAxesAreUndetermined) {
  const TensorType x{DType::f32, {2, 3}}, axes{DType::i64, {1}};
  const Attributes none;
  const OpCall call(none, {&x, &axes}, {}, 1);
  const auto types = infer(op_named("reduce_sum"), call);
  ASSERT_FALSE(types.ok());
  EXPECT_EQ(types.error().kind, ErrorKind::undetermined);
}

}  // namespace
}  // namespace plimsoll
