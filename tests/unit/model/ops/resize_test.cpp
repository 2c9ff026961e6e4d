// pad, resize and upsample: by hand and from ONNX's own examples, with their costs and mistakes.
#include <cmath>
#include <limits>

#include "tests/unit/model/ops/op_table.h"

namespace plimsoll::detail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

Attributes with(std::initializer_list<std::pair<std::string, std::string>> texts) {
  Attributes attributes;
  for (const auto& [name, text] : texts) attributes.set(name, text);
  return attributes;
}

TEST(Pad, Modes) {
  const auto x = f32({3}, {1, 2, 3});
  check({{"zeros", "pad", {}, {x, i64({1, 2})}, {f32({6}, {0, 1, 2, 3, 0, 0})}},
         {"a value", "pad", {}, {i64({1, 2}), i64({1, 0}), integer_scalar(9)}, {i64({9, 1, 2})}},
         {"attributes", "pad", {{"pads", Ints{0, 1}}, {"value", 0.5}}, {x}, {f32({4}, {1, 2, 3, 0.5})}},
         {"reflect", "pad", with({{"mode", "reflect"}}), {x, i64({2, 2})}, {f32({7}, {3, 2, 1, 2, 3, 2, 1})}},
         {"edge", "pad", with({{"mode", "edge"}}), {x, i64({2, 1})}, {f32({6}, {1, 1, 1, 2, 3, 3})}},
         {"wrap", "pad", with({{"mode", "wrap"}}), {x, i64({4, 2})}, {f32({9}, {3, 1, 2, 3, 1, 2, 3, 1, 2})}},
         {"cut", "pad", {}, {x, i64({-1, 1})}, {f32({3}, {2, 3, 0})}},
         {"named axis",
          "pad",
          {},
          {counting({2, 2}), i64({0, 1}), std::nullopt, i64({-1})},
          {f32({2, 3}, {0, 1, 0, 2, 3, 0})}},
         {"everything cut", "pad", {}, {x, i64({-3, 0})}, {f32({0}, {})}}});
}

TEST(Pad, MistakesAreRefused) {
  const auto x = f32({3}, {1, 2, 3});
  check_refused({{"pad", {}, {x, i64({1})}, "1 pads are given"},
                 {"pad", {}, {x, i64({-2, -2})}, "less than nothing"},
                 {"pad", {}, {x, i64({kMax, kMax})}, "overflow"},
                 {"pad", {}, {x, i64({kMin, kMin})}, "overflow"},
                 {"pad", with({{"mode", "reflect"}}), {x, i64({3, 0})}, "reflects 3 numbers at axis 0 of size 3"},
                 {"pad", with({{"mode", "edge"}}), {f32({0}, {}), i64({1, 0})}, "nothing to pad with"},
                 {"pad", with({{"mode", "blur"}}), {x, i64({1, 0})}, "'blur'"},
                 {"pad", {}, {x, i64({1, 0}), i64({1, 2})}, "expected one number"},
                 {"pad", {}, {x, i64({1, 0}), integer_scalar(1)}, "expected one type"},
                 {"pad", {}, {x, i64({1, 0}), std::nullopt, i64({1})}, "axis 1 is outside"}});
}

Tensor grid(int64_t side) {
  Tensor tensor = counting({1, 1, side, side});
  for (size_t i = 0; i < tensor.size(); ++i) tensor.as<float>()[i] += 1;
  return tensor;
}
Tensor scales(float factor) { return f32({4}, {1, 1, factor, factor}); }

TEST(Resize, Nearest) {
  const auto none = std::nullopt;
  const auto wide = f32({1, 1, 2, 2}, {1, 2, 3, 4});
  const std::vector<float> doubled = {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4};
  check({{"opset 10", "resize", {}, {wide, scales(2)}, {f32({1, 1, 4, 4}, doubled)}},
         {"scales", "resize", {}, {wide, none, scales(2)}, {f32({1, 1, 4, 4}, doubled)}},
         {"sizes", "resize", {}, {wide, none, none, i64({1, 1, 4, 4})}, {f32({1, 1, 4, 4}, doubled)}},
         {"an empty scales beside sizes",
          "resize",
          {},
          {wide, f32({0}, {}), f32({0}, {}), i64({1, 1, 4, 4})},
          {f32({1, 1, 4, 4}, doubled)}},
         {"upsample", "upsample", {}, {wide, scales(2)}, {f32({1, 1, 4, 4}, doubled)}},
         {"upsample, attribute", "upsample", {{"scales", std::vector<double>{2}}}, {i64({1, 2})}, {i64({1, 1, 2, 2})}},
         {"named axes", "resize", {{"axes", Ints{3}}}, {wide, none, f32({1}, {0.5F})}, {f32({1, 1, 2, 1}, {1, 3})}},
         {"any type",
          "resize",
          {},
          {bools({2}, {true, false}), none, f32({1}, {1.5F})},
          {bools({3}, {true, true, false})}}});
}

// Results of ONNX's documented examples.
TEST(Resize, LinearAndCubic) {
  const auto none = std::nullopt;
  const auto small = f32({1, 1, 2, 2}, {1, 2, 3, 4});
  const auto row = f32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  check({{"half pixel",
          "resize",
          with({{"mode", "linear"}}),
          {small, none, scales(2)},
          {f32({1, 1, 4, 4}, {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4})}},
         {"align corners",
          "resize",
          with({{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}}),
          {small, none, none, i64({1, 1, 3, 3})},
          {f32({1, 1, 3, 3}, {1, 1.5, 2, 2, 2.5, 3, 3, 3.5, 4})}},
         {"shrinks",
          "resize",
          with({{"mode", "linear"}}),
          {row, none, scales(0.6F)},
          {f32({1, 1, 1, 2}, {2.6666665F, 4.3333331F})}},
         {"asymmetric upsample",
          "upsample",
          with({{"mode", "linear"}}),
          {f32({2}, {0, 1}), f32({1}, {2})},
          {f32({4}, {0, 0.5, 1, 1})}},
         {"cubic",
          "resize",
          with({{"mode", "cubic"}}),
          {grid(4), none, scales(0.8F)},
          {f32({1, 1, 3, 3}, {1.47119141F, 2.78125F, 4.08251953F, 6.71142578F, 8.02148438F, 9.32275391F, 11.91650391F,
                              13.2265625F, 14.52783203F})}},
         {"crop",
          "resize",
          with({{"mode", "linear"}, {"coordinate_transformation_mode", "tf_crop_and_resize"}}),
          {grid(4), f32({8}, {0, 0, 0.4F, 0.6F, 1, 1, 0.6F, 0.8F}), none, i64({1, 1, 3, 3})},
          {f32({1, 1, 3, 3}, {7.6000004F, 7.9F, 8.2F, 8.8F, 9.1F, 9.4000006F, 10, 10.3F, 10.6F})}}},
        1e-5);
}

TEST(Resize, KeepsTheAspectRatio) {
  const auto shape = [&](const char* policy) {
    Attributes attributes = with({{"keep_aspect_ratio_policy", policy}});
    attributes.set("axes", Ints{2, 3});
    const Tensor x = counting({1, 1, 2, 4}), sizes = i64({7, 8});
    return evaluate(op_named("resize"), attributes, {&x, nullptr, nullptr, &sizes}, 1)->value()[0].type.shape;
  };
  EXPECT_EQ(shape("stretch"), (Shape{1, 1, 7, 8}));
  EXPECT_EQ(shape("not_larger"), (Shape{1, 1, 4, 8}));
  EXPECT_EQ(shape("not_smaller"), (Shape{1, 1, 7, 14}));
}

TEST(Resize, SinglePrecisionScalesGiveTheSizesThatRuntimesGive) {
  const Tensor x = counting({10}), scale = f32({1}, {0.7F});
  EXPECT_EQ(evaluate(op_named("resize"), {}, {&x, nullptr, &scale}, 1)->value()[0].type.shape, (Shape{7}));
}

TEST(Resize, CostsOfOneOutput) {
  const TensorType x{DType::f32, {1, 3, 8, 8}};
  const Tensor twice = scales(2);
  for (const auto& [mode, per_output] : {std::pair{"nearest", 0}, {"linear", 7}, {"cubic", 31}}) {
    const Attributes attributes = with({{"mode", mode}});
    OpCall call(attributes, {&x, nullptr, &twice.type}, {nullptr, nullptr, &twice}, 1);
    call.outputs = infer(op_named("resize"), call).value();
    EXPECT_EQ(op_named("resize").cost(call).flops.value(), per_output * 3 * 16 * 16) << mode;
  }
}

TEST(Resize, MistakesAreRefused) {
  const auto none = std::nullopt;
  const auto x = counting({1, 1, 2, 2});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_refused({{"resize", {}, {x, none, none, none}, "neither scales nor sizes"},
                 {"resize", {}, {x, none, f32({2}, {1, 1})}, "2 scales are given, expected 4"},
                 {"resize", {}, {x, none, scales(0)}, "expected a positive scale"},
                 {"resize", {}, {x, none, scales(nan)}, "expected a positive scale"},
                 {"resize", {}, {x, none, scales(1e30F)}, "overflow"},
                 {"resize", {}, {x, none, none, i64({1, 1, -1, 2})}, "out of range"},
                 {"resize", {}, {x, none, none, i64({1, 1, kMax, 2})}, "out of range"},
                 {"resize", {}, {f32({0}, {}), none, none, i64({2})}, "cannot grow"},
                 {"resize", with({{"mode", "magic"}}), {x, none, scales(2)}, "'magic'"},
                 {"resize", with({{"coordinate_transformation_mode", "no"}}), {x, none, scales(2)}, "'no'"},
                 {"resize", with({{"nearest_mode", "up"}}), {x, none, scales(2)}, "'up'"},
                 {"resize", with({{"keep_aspect_ratio_policy", "x"}}), {x, none, none, i64({1, 1, 2, 2})}, "'x'"},
                 {"resize", {{"axes", Ints{9}}}, {x, none, f32({1}, {2})}, "axis 9 is outside"},
                 {"resize",
                  with({{"coordinate_transformation_mode", "tf_crop_and_resize"}}),
                  {x, none, scales(2)},
                  "needs a roi"},
                 {"upsample", {}, {x}, "no scales"},
                 {"upsample", {}, {x, f32({1}, {2})}, "1 scales"},
                 {"upsample", {}, {x, scales(-1)}, "out of range"}});
}

}  // namespace
}  // namespace plimsoll::detail
