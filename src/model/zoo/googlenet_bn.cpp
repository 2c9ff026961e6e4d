// GoogLeNet as torchvision has it: batch norm instead of LRN, 3×3 where the paper has 5×5, and a
// 2×2 last pool. Without the auxiliary heads, as torchvision counts it.
#include "model/zoo/all_models.h"
#include "model/zoo/basic_conv.h"

namespace plimsoll {
namespace {

struct Inception {
  int64_t one, reduce3, three, reduce5, five, pool;
};

ValueId inception(Builder& b, const std::string& name, ValueId x, const Inception& kernels) {
  const auto scope = b.enter(name);
  const ConvOptions one{.kernel = {1, 1}}, three{.kernel = {3, 3}, .padding = {1, 1}};
  const ValueId first = basic_conv(b, "branch1", x, kernels.one, one);
  ValueId second = basic_conv(b, "branch2.0", x, kernels.reduce3, one);
  second = basic_conv(b, "branch2.1", second, kernels.three, three);
  ValueId third = basic_conv(b, "branch3.0", x, kernels.reduce5, one);
  third = basic_conv(b, "branch3.1", third, kernels.five, three);
  ValueId fourth = b.max_pool("branch4.0", x, {.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}, .ceil = true});
  fourth = basic_conv(b, "branch4.1", fourth, kernels.pool, one);
  return b.concat("concat", {first, second, third, fourth});
}

Result<Graph> build_googlenet_bn(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  const PoolOptions halve{.kernel = {3, 3}, .stride = {2, 2}, .ceil = true};
  ValueId x = basic_conv(b, "conv1", b.input(), 64, {.kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}});
  x = b.max_pool("maxpool1", x, halve);
  x = basic_conv(b, "conv2", x, 64, {.kernel = {1, 1}});
  x = basic_conv(b, "conv3", x, 192, {.kernel = {3, 3}, .padding = {1, 1}});
  x = b.max_pool("maxpool2", x, halve);
  x = inception(b, "inception3a", x, {64, 96, 128, 16, 32, 32});
  x = inception(b, "inception3b", x, {128, 128, 192, 32, 96, 64});
  x = b.max_pool("maxpool3", x, halve);
  x = inception(b, "inception4a", x, {192, 96, 208, 16, 48, 64});
  x = inception(b, "inception4b", x, {160, 112, 224, 24, 64, 64});
  x = inception(b, "inception4c", x, {128, 128, 256, 24, 64, 64});
  x = inception(b, "inception4d", x, {112, 144, 288, 32, 64, 64});
  x = inception(b, "inception4e", x, {256, 160, 320, 32, 128, 128});
  x = b.max_pool("maxpool4", x, {.kernel = {2, 2}, .stride = {2, 2}, .ceil = true});
  x = inception(b, "inception5a", x, {256, 160, 320, 32, 128, 128});
  x = inception(b, "inception5b", x, {384, 192, 384, 48, 128, 128});
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  return b.finish(b.linear("fc", b.dropout("dropout", x, 0.2), classes));
}

}  // namespace

std::vector<ZooModel> googlenet_bn_models() {
  return {{"googlenet_bn", "GoogLeNet, torchvision's", {3, 224, 224}, 1000, DType::f32, build_googlenet_bn}};
}

}  // namespace plimsoll
