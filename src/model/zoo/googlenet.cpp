// GoogLeNet as its paper describes it (Szegedy 2014): no batch norm, LRN after the stem's pools, 5×5
// convolutions, biases everywhere. The auxiliary heads, which only training used, are left out.
// torchvision's is another network: googlenet_bn.cpp.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

// Kernels of the branches, as the columns of the paper's table 1.
struct Inception {
  int64_t one, reduce3, three, reduce5, five, pool;
};

ValueId conv_relu(Builder& b, const std::string& name, ValueId x, int64_t kernels, int64_t size, int64_t stride = 1) {
  const int64_t pad = size / 2;
  x = b.conv(name + ".conv", x, kernels, {.kernel = {size, size}, .stride = {stride, stride}, .padding = {pad, pad}});
  return b.relu(name + ".relu", x);
}

// 3×3, stride 2, rounding up: 112 → 56 → 28 → 14 → 7.
ValueId halve(Builder& b, const std::string& name, ValueId x) {
  return b.max_pool(name, x, {.kernel = {3, 3}, .stride = {2, 2}, .ceil = true});
}

ValueId normalise(Builder& b, const std::string& name, ValueId x) {
  return b.apply(name, "lrn", {x}, {{"size", int64_t{5}}, {"alpha", 1e-4}, {"beta", 0.75}, {"bias", 1.0}});
}

ValueId inception(Builder& b, const std::string& name, ValueId x, const Inception& kernels) {
  const auto scope = b.enter(name);
  const ValueId one = conv_relu(b, "branch1", x, kernels.one, 1);
  const ValueId three = conv_relu(b, "branch2.1", conv_relu(b, "branch2.0", x, kernels.reduce3, 1), kernels.three, 3);
  const ValueId five = conv_relu(b, "branch3.1", conv_relu(b, "branch3.0", x, kernels.reduce5, 1), kernels.five, 5);
  const ValueId pooled = b.max_pool("branch4.0", x, {.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}});
  return b.concat("concat", {one, three, five, conv_relu(b, "branch4.1", pooled, kernels.pool, 1)});
}

Result<Graph> build_googlenet(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = conv_relu(b, "conv1", b.input(), 64, 7, 2);
  x = normalise(b, "norm1", halve(b, "maxpool1", x));
  x = conv_relu(b, "conv3", conv_relu(b, "conv2", x, 64, 1), 192, 3);
  x = halve(b, "maxpool2", normalise(b, "norm2", x));
  x = inception(b, "inception3a", x, {64, 96, 128, 16, 32, 32});
  x = inception(b, "inception3b", x, {128, 128, 192, 32, 96, 64});
  x = halve(b, "maxpool3", x);
  x = inception(b, "inception4a", x, {192, 96, 208, 16, 48, 64});
  x = inception(b, "inception4b", x, {160, 112, 224, 24, 64, 64});
  x = inception(b, "inception4c", x, {128, 128, 256, 24, 64, 64});
  x = inception(b, "inception4d", x, {112, 144, 288, 32, 64, 64});
  x = inception(b, "inception4e", x, {256, 160, 320, 32, 128, 128});
  x = halve(b, "maxpool4", x);
  x = inception(b, "inception5a", x, {256, 160, 320, 32, 128, 128});
  x = inception(b, "inception5b", x, {384, 192, 384, 48, 128, 128});
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  return b.finish(b.linear("fc", b.dropout("dropout", x, 0.4), classes));
}

}  // namespace

std::vector<ZooModel> googlenet_models() {
  return {{"googlenet", "GoogLeNet, the paper's (Szegedy 2014)", {3, 224, 224}, 1000, DType::f32, build_googlenet}};
}

}  // namespace plimsoll
