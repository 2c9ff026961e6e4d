// Inception v3 (Szegedy 2015) as torchvision has it.
//
// Its published 27.16 M parameters include the auxiliary head, its 5.713 G multiply-accumulates do not:
// inference never runs the head. So the head's parameters are stored here and no layer reads them.
#include "model/zoo/all_models.h"
#include "model/zoo/basic_conv.h"

namespace plimsoll {
namespace {

// A convolution that keeps the image's size.
ConvOptions same(int64_t height, int64_t width) {
  return {.kernel = {height, width}, .padding = {height / 2, width / 2}};
}
const ConvOptions kHalve{.kernel = {3, 3}, .stride = {2, 2}};
const PoolOptions kPoolHalve{.kernel = {3, 3}, .stride = {2, 2}};
const PoolOptions kPoolSame{.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}};

ValueId stem(Builder& b, ValueId x) {
  x = basic_conv(b, "Conv2d_1a_3x3", x, 32, kHalve);
  x = basic_conv(b, "Conv2d_2a_3x3", x, 32, {.kernel = {3, 3}});
  x = basic_conv(b, "Conv2d_2b_3x3", x, 64, same(3, 3));
  x = b.max_pool("maxpool1", x, kPoolHalve);
  x = basic_conv(b, "Conv2d_3b_1x1", x, 80, same(1, 1));
  x = basic_conv(b, "Conv2d_4a_3x3", x, 192, {.kernel = {3, 3}});
  return b.max_pool("maxpool2", x, kPoolHalve);
}

// 35×35: 1×1, 5×5, twice 3×3, pool.
ValueId inception_a(Builder& b, const std::string& name, ValueId x, int64_t pool_kernels) {
  const auto scope = b.enter(name);
  const ValueId one = basic_conv(b, "branch1x1", x, 64, same(1, 1));
  ValueId five = basic_conv(b, "branch5x5_1", x, 48, same(1, 1));
  five = basic_conv(b, "branch5x5_2", five, 64, same(5, 5));
  ValueId twice = basic_conv(b, "branch3x3dbl_1", x, 64, same(1, 1));
  twice = basic_conv(b, "branch3x3dbl_2", twice, 96, same(3, 3));
  twice = basic_conv(b, "branch3x3dbl_3", twice, 96, same(3, 3));
  const ValueId pooled = b.average_pool("pool", x, kPoolSame);
  return b.concat("concat", {one, five, twice, basic_conv(b, "branch_pool", pooled, pool_kernels, same(1, 1))});
}

// 35×35 → 17×17.
ValueId inception_b(Builder& b, const std::string& name, ValueId x) {
  const auto scope = b.enter(name);
  const ValueId three = basic_conv(b, "branch3x3", x, 384, kHalve);
  ValueId twice = basic_conv(b, "branch3x3dbl_1", x, 64, same(1, 1));
  twice = basic_conv(b, "branch3x3dbl_2", twice, 96, same(3, 3));
  twice = basic_conv(b, "branch3x3dbl_3", twice, 96, kHalve);
  return b.concat("concat", {three, twice, b.max_pool("pool", x, kPoolHalve)});
}

// 17×17: 1×1, 7×7 and twice 7×7 in strips, pool.
ValueId inception_c(Builder& b, const std::string& name, ValueId x, int64_t kernels) {
  const auto scope = b.enter(name);
  const ValueId one = basic_conv(b, "branch1x1", x, 192, same(1, 1));
  ValueId seven = basic_conv(b, "branch7x7_1", x, kernels, same(1, 1));
  seven = basic_conv(b, "branch7x7_2", seven, kernels, same(1, 7));
  seven = basic_conv(b, "branch7x7_3", seven, 192, same(7, 1));
  ValueId twice = basic_conv(b, "branch7x7dbl_1", x, kernels, same(1, 1));
  twice = basic_conv(b, "branch7x7dbl_2", twice, kernels, same(7, 1));
  twice = basic_conv(b, "branch7x7dbl_3", twice, kernels, same(1, 7));
  twice = basic_conv(b, "branch7x7dbl_4", twice, kernels, same(7, 1));
  twice = basic_conv(b, "branch7x7dbl_5", twice, 192, same(1, 7));
  const ValueId pooled = b.average_pool("pool", x, kPoolSame);
  return b.concat("concat", {one, seven, twice, basic_conv(b, "branch_pool", pooled, 192, same(1, 1))});
}

// 17×17 → 8×8.
ValueId inception_d(Builder& b, const std::string& name, ValueId x) {
  const auto scope = b.enter(name);
  const ValueId three = basic_conv(b, "branch3x3_2", basic_conv(b, "branch3x3_1", x, 192, same(1, 1)), 320, kHalve);
  ValueId seven = basic_conv(b, "branch7x7x3_1", x, 192, same(1, 1));
  seven = basic_conv(b, "branch7x7x3_2", seven, 192, same(1, 7));
  seven = basic_conv(b, "branch7x7x3_3", seven, 192, same(7, 1));
  seven = basic_conv(b, "branch7x7x3_4", seven, 192, kHalve);
  return b.concat("concat", {three, seven, b.max_pool("pool", x, kPoolHalve)});
}

// 8×8: 1×1, and 3×3 in strips side by side.
ValueId inception_e(Builder& b, const std::string& name, ValueId x) {
  const auto scope = b.enter(name);
  const ValueId one = basic_conv(b, "branch1x1", x, 320, same(1, 1));
  const ValueId three = basic_conv(b, "branch3x3_1", x, 384, same(1, 1));
  const ValueId strips = b.concat("branch3x3_concat", {basic_conv(b, "branch3x3_2a", three, 384, same(1, 3)),
                                                       basic_conv(b, "branch3x3_2b", three, 384, same(3, 1))});
  ValueId twice = basic_conv(b, "branch3x3dbl_1", x, 448, same(1, 1));
  twice = basic_conv(b, "branch3x3dbl_2", twice, 384, same(3, 3));
  const ValueId twice_strips =
      b.concat("branch3x3dbl_concat", {basic_conv(b, "branch3x3dbl_3a", twice, 384, same(1, 3)),
                                       basic_conv(b, "branch3x3dbl_3b", twice, 384, same(3, 1))});
  const ValueId pooled = b.average_pool("pool", x, kPoolSame);
  return b.concat("concat", {one, strips, twice_strips, basic_conv(b, "branch_pool", pooled, 192, same(1, 1))});
}

// Stored, never run: see the head of this file.
void auxiliary_head(Builder& b, int64_t classes) {
  const auto scope = b.enter("AuxLogits");
  const auto conv_norm = [&](const std::string& name, const Shape& weights) {
    b.parameter(name + ".conv.weight", weights);
    b.parameter(name + ".bn.weight", {weights[0]});
    b.parameter(name + ".bn.bias", {weights[0]});
    b.buffer(name + ".bn.running_mean", {weights[0]});
    b.buffer(name + ".bn.running_var", {weights[0]});
  };
  conv_norm("conv0", {128, 768, 1, 1});
  conv_norm("conv1", {768, 128, 5, 5});
  b.parameter("fc.weight", {classes, 768});
  b.parameter("fc.bias", {classes});
}

Result<Graph> build_inception_v3(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = stem(b, b.input());
  x = inception_a(b, "Mixed_5b", x, 32);
  x = inception_a(b, "Mixed_5c", x, 64);
  x = inception_a(b, "Mixed_5d", x, 64);
  x = inception_b(b, "Mixed_6a", x);
  x = inception_c(b, "Mixed_6b", x, 128);
  x = inception_c(b, "Mixed_6c", x, 160);
  x = inception_c(b, "Mixed_6d", x, 160);
  x = inception_c(b, "Mixed_6e", x, 192);
  auxiliary_head(b, classes);
  x = inception_d(b, "Mixed_7a", x);
  x = inception_e(b, "Mixed_7b", x);
  x = inception_e(b, "Mixed_7c", x);
  x = b.dropout("dropout", b.global_average_pool("avgpool", x), 0.5);
  return b.finish(b.linear("fc", b.flatten("flatten", x), classes));
}

}  // namespace

std::vector<ZooModel> inception_v3_models() {
  return {{"inception_v3", "Inception v3 (Szegedy 2015)", {3, 299, 299}, 1000, DType::f32, build_inception_v3}};
}

}  // namespace plimsoll
