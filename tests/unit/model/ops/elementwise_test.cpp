// Element-wise operations against numbers worked out by hand, and on data chosen to hurt.
#include <limits>

#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(Elementwise, FunctionsOfOneNumber) {
  const OpCase rows[] = {
      {"exp", {f32({0, 1, -kInf})}, {1, 2.718281828, 0}},
      {"log", {f32({1, 10, 0, -1})}, {0, 2.302585093, -kInf, kNan}},
      {"sqrt", {f32({0, 2.25f, -1})}, {0, 1.5, kNan}},
      {"erf", {f32({0, 1, -0.5f})}, {0, 0.842700793, -0.520499878}},
      {"neg", {f32({1.5f, -2})}, {-1.5, 2}},
      {"neg", {i8({5, -128})}, {-5, -128}},
      {"abs", {f32({1.5f, -2})}, {1.5, 2}},
      {"abs", {i64({-7, kLeast})}, {7, double(kLeast)}},
      {"abs", {u8({200})}, {200}},
      {"reciprocal", {f32({4, -0.5f})}, {0.25, -2}},
      {"floor", {f32({1.5f, -1.5f})}, {1, -2}},
      {"ceil", {f32({1.5f, -1.5f})}, {2, -1}},
      {"round", {f32({0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 2.6f})}, {0, 2, 2, 0, -2, 3}},
      {"sign", {f32({3, -0.5f, 0, kNan})}, {1, -1, 0, kNan}},
      {"sign", {u8({0, 200})}, {0, 1}},
      {"sin", {f32({0.5f})}, {0.479425539}},
      {"cos", {f32({0.5f})}, {0.877582562}},
      {"tan", {f32({0.5f})}, {0.546302490}},
      {"asin", {f32({0.5f, 2})}, {0.523598776, kNan}},
      {"acos", {f32({0.5f})}, {1.047197551}},
      {"atan", {f32({0.5f})}, {0.463647609}},
      {"sinh", {f32({0.5f})}, {0.521095305}},
      {"cosh", {f32({0.5f})}, {1.127625965}},
      {"tanh", {f32({0.5f, 100})}, {0.462117157, 1}},
      {"asinh", {f32({0.5f})}, {0.481211825}},
      {"acosh", {f32({2, 0.5f})}, {1.316957897, kNan}},
      {"atanh", {f32({0.5f})}, {0.549306144}},
      {"is_nan", {f32({1, kNan, kInf})}, {0, 1, 0}},
      {"is_inf", {f32({1, kNan, kInf, -kInf})}, {0, 0, 1, 1}},
      {"is_inf", {f32({kInf, -kInf})}, {1, 0}, {{"detect_negative", int64_t{0}}}},
      {"bitwise_not", {u8({0, 5})}, {255, 250}},
      {"not", {bools({true, false})}, {0, 1}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Elementwise, Activations) {
  const OpCase rows[] = {
      {"sigmoid", {f32({0, 2, -200})}, {0.5, 0.880797078, 0}},
      {"silu", {f32({2, -1})}, {1.761594156, -0.268941421}},
      {"quick_gelu", {f32({1})}, {0.845795766}},
      {"gelu", {f32({1, -2, 0})}, {0.841344746, -0.045500264, 0}},
      {"gelu", {f32({1, -2})}, {0.841191990, -0.045402306}, {{"approximate", std::string("tanh")}}},
      {"fast_gelu", {f32({1})}, {0.841191990}},
      {"fast_gelu", {f32({2, 1}, {0.5f, 1}), f32({0.5f})}, {0.841191990, 1.399571577}},
      {"bias_gelu", {f32({0.5f, -3}), f32({0.5f, 1})}, {0.841344746, -0.045500264}},
      {"hard_swish", {f32({-4, 1, 4})}, {0, 0.666666667, 4}},
      {"hard_sigmoid", {f32({-4, 1, 4})}, {0, 0.7, 1}},
      {"relu", {f32({-2, 3, kNan})}, {0, 3, kNan}},
      {"leaky_relu", {f32({-2, 3})}, {-0.02, 3}},
      {"leaky_relu", {f32({-2, 3})}, {-0.4, 3}, {{"alpha", 0.2}}},
      {"elu", {f32({-1, 2})}, {-1.264241118, 2}, {{"alpha", 2.0}}},
      {"selu", {f32({-1, 2})}, {-1.111330737, 2.101402044}},
      {"celu", {f32({-1, 2})}, {-0.786938681, 2}, {{"alpha", 2.0}}},
      {"prelu", {f32({2, 2}, {-1, 2, -3, -4}), f32({0.5f, 0.25f})}, {-0.5, 2, -1.5, -1}},
      {"softplus", {f32({0, 1, 1000})}, {0.693147181, 1.313261688, 1000}},
      {"softsign", {f32({1, -3})}, {0.5, -0.75}},
      {"mish", {f32({1})}, {0.865098388}},
      {"thresholded_relu", {f32({0.5f, 1, 1.5f})}, {0, 0, 1.5}},
      {"scaled_tanh", {f32({1, -2, 0})}, {0.999997256, -1.492938805, 0}, {{"alpha", 1.7159}, {"beta", 2.0 / 3}}},
      {"shrink", {f32({-2, 0.5f, 2})}, {-1.5, 0, 1.5}, {{"lambd", 1.0}, {"bias", 0.5}}},
      {"clip", {f32({-1, 3, 9, kNan})}, {0, 3, 6, kNan}, {{"min", 0.0}, {"max", 6.0}}},
      {"clip", {f32({-1, 3, 9}), f32({0}), f32({2})}, {0, 2, 2}},
      {"clip", {f32({-kInf, kInf})}, {-kInf, kInf}},
      {"clip", {i8({-128, 100}), i8({-5})}, {-5, 100}},
      {"clip", {i8({-128, 100})}, {-128, 100}, {{"min", -1e30}, {"max", 1e30}}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Elementwise, FunctionsOfTwoNumbers) {
  const OpCase rows[] = {
      {"mul", {f32({2, 1}, {2, 3}), f32({5, 7})}, {10, 14, 15, 21}, {}, Shape{2, 2}},
      {"sub", {f32({5, 1}), f32({2})}, {3, -1}},
      {"div", {f32({1, 1}), f32({4, 0})}, {0.25, kInf}},
      {"div", {i64({7, -7, 5, kLeast}), i64({2, 2, 0, -1})}, {3, -3, 0, double(kLeast)}},
      {"mul", {i64({kLeast, 3}), i64({-1, -4})}, {double(kLeast), -12}},
      {"pow", {f32({2, 9, -8}), f32({10, 0.5f, 2})}, {1024, 3, 64}},
      {"pow", {f32({2, 3}), i64({-1, 3})}, {0.5, 27}},
      {"pow", {i64({2, 3, -1, 5, 0}), i64({64, 2, -3, -2, -1})}, {0, 9, -1, 0, 0}},
      {"pow", {i32({10, 2}), f32({20, 0.5f})}, {2147483647, 1}},
      {"mod", {i64({7, -7, 7, -7, 5, kLeast}), i64({3, 3, -3, -3, 0, -1})}, {1, 2, -2, -1, 0, 0}},
      {"mod", {i64({-7, 7}), i64({3, -3})}, {-1, 1}, {{"fmod", int64_t{1}}}},
      {"mod", {f32({5.5f, -5.5f}), f32({2, 2})}, {1.5, -1.5}, {{"fmod", int64_t{1}}}},
      {"bit_shift", {u8({1, 3, 255, 8}), u8({2, 7, 200, 8})}, {4, 128, 0, 0}, {{"direction", std::string("LEFT")}}},
      {"bit_shift", {u8({16, 4}), u8({2, 200})}, {4, 0}, {{"direction", std::string("RIGHT")}}},
      {"bitwise_and", {u8({12}), u8({10})}, {8}},
      {"bitwise_or", {u8({12}), u8({10})}, {14}},
      {"bitwise_xor", {u8({12}), u8({10})}, {6}},
      {"equal", {i64({1, 2}), i64({1, 3})}, {1, 0}},
      {"equal", {bools({true, false}), bools({true, true})}, {1, 0}},
      {"less", {f32({1, 2, kNan}), f32({2, 2, 2})}, {1, 0, 0}},
      {"greater", {f32({3, 2}), f32({2, 2})}, {1, 0}},
      {"less_or_equal", {i64({1, 2, 3}), i64({2})}, {1, 1, 0}},
      {"greater_or_equal", {i64({1, 2, 3}), i64({2})}, {0, 1, 1}},
      {"and", {bools({true, true, false}), bools({true, false, false})}, {1, 0, 0}},
      {"or", {bools({true, true, false}), bools({true, false, false})}, {1, 1, 0}},
      {"xor", {bools({true, true, false}), bools({true, false, false})}, {0, 1, 0}},
      {"where", {bools({true, false}), f32({2, 1}, {1, 2}), f32({9})}, {1, 9, 2, 9}, {}, Shape{2, 2}},
  };
  for (const auto& row : rows) expect(row);
}

TEST(Elementwise, FunctionsOfAnyNumberOfTensors) {
  const OpCase rows[] = {
      {"sum", {f32({1, 2}), f32({10}), f32({2, 1}, {100, 200})}, {111, 112, 211, 212}, {}, Shape{2, 2}},
      {"mean", {f32({1, 2}), f32({4, 4}), f32({4, 0})}, {3, 2}},
      {"max", {f32({1, 5, kNan, 0}), f32({3, 2, 1, kNan})}, {3, 5, kNan, kNan}},
      {"min", {f32({1, 5}), f32({3, 2}), f32({2, 9})}, {1, 2}},
      {"max", {f32({7})}, {7}},
      {"min", {i8({-128, 4}), i8({3})}, {-128, 3}},
  };
  for (const auto& row : rows) expect(row);
  const Tensor one = i8({100});
  const std::vector<const Tensor*> many(256, &one);  // 256 is 0 in 8 bits
  const auto mean = evaluate(op_named("mean"), {}, many, 1);
  ASSERT_TRUE(mean.ok() && mean->has_value());
}

TEST(Elementwise, CastsOfEveryNumberAreDefined) {
  const auto to = [](int64_t type) { return Attributes{{"to", type}}; };
  const OpCase rows[] = {
      {"cast",
       {f32({1.9f, -1.9f, kNan, 1e30f, -1e30f, kInf})},
       {1, -1, 0, double(kMost), double(kLeast), double(kMost)},
       to(7)},
      {"cast", {f32({1e30f, -1, 3})}, {255, 0, 3}, to(2)},
      {"cast", {f32({2147483648.f, -2147483648.f})}, {2147483647, -2147483648.0}, to(6)},
      {"cast", {i64({257, -1})}, {1, 255}, to(2)},
      {"cast", {f32({0, 0.5f, kNan})}, {0, 1, 1}, to(9)},
      {"cast", {bools({true, false})}, {1, 0}, to(1)},
      {"cast_like", {f32({2.7f}), i32({0})}, {2}},
  };
  for (const auto& row : rows) expect(row);
  const auto type_of = [&](int64_t number) {
    return evaluate(OpCase{"cast", {f32({1})}, {}, to(number)}).value().value()[0].type.dtype;
  };
  EXPECT_EQ(type_of(11), DType::f64);
  EXPECT_EQ(type_of(9), DType::boolean);
}

TEST(Elementwise, MistakesAreNamed) {
  for (const char* op : {"add", "mul", "less", "max", "pow", "bitwise_and"})
    expect_refused({op, {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({1, 2, 3, 4})}, {}}, {"2x3", "4"});
  expect_refused({"prelu", {f32({1, 2}), f32({2, 2}, {1, 2, 3, 4})}, {}}, {"2x2", "2"});
  expect_refused({"clip", {f32({1, 2}), f32({1, 2})}, {}}, {"min", "2", "one number"});
  expect_refused({"cast", {f32({1})}, {}}, {"'to'"});
  expect_refused({"cast", {f32({1})}, {}, {{"to", int64_t{99}}}}, {"99"});
  expect_refused({"gelu", {f32({1})}, {}, {{"approximate", std::string("sin")}}}, {"'sin'", "'tanh'"});
  expect_refused({"bit_shift", {u8({1}), u8({1})}, {}}, {"LEFT"});
  expect_refused({"bias_gelu", {f32({1, 2}), f32({1, 2, 3})}, {}}, {"3", "2"});
  expect_refused({"where", {bools({true, false}), f32({1, 2, 3}), f32({1})}, {}}, {"2", "3"});
}

TEST(Elementwise, CostsPerElement) {
  const auto flops = [](const char* name, const std::vector<Shape>& shapes) {
    std::vector<TensorType> types;
    for (const auto& shape : shapes) types.push_back({DType::f32, shape});
    std::vector<const TensorType*> pointers;
    for (const auto& type : types) pointers.push_back(&type);
    const Attributes none;
    OpCall call(none, pointers, {}, 1);
    call.outputs = infer(op_named(name), call).value();
    return op_named(name).cost ? op_named(name).cost(call).flops.value() : 0;
  };
  EXPECT_EQ(flops("mul", {{2, 3}, {3}}), 6);
  EXPECT_EQ(flops("exp", {{2, 3}}), 24);
  EXPECT_EQ(flops("gelu", {{2, 3}}), 48);
  EXPECT_EQ(flops("sum", {{2, 3}, {2, 3}, {3}}), 12);
  EXPECT_EQ(flops("where", {{2, 3}, {3}, {}}), 0);
  EXPECT_EQ(flops("reduce_mean", {{2, 3, 5}}), 30);
}

}  // namespace
}  // namespace plimsoll
