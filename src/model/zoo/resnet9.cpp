// ResNet-9: the small residual network with which CIFAR-10 is trained fastest (D. Page, "How to train your ResNet",
// 2018), at its own width of 64 channels and at half of it, for machines without a GPU. Convolutions have no bias.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

ValueId conv_bn(Builder& b, const std::string& name, ValueId x, int64_t kernels) {
  const auto scope = b.enter(name);
  x = b.conv("conv", x, kernels, {.kernel = {3, 3}, .padding = {1, 1}, .bias = false});
  return b.relu("relu", b.batch_norm("bn", x));
}

ValueId halved(Builder& b, const std::string& name, ValueId x, int64_t kernels) {
  return b.max_pool(name + ".pool", conv_bn(b, name, x, kernels), {.kernel = {2, 2}});
}

ValueId residual(Builder& b, const std::string& name, ValueId x, int64_t kernels) {
  const ValueId y = conv_bn(b, name + ".2", conv_bn(b, name + ".1", x, kernels), kernels);
  return b.add(name + ".add", x, y);
}

template <int64_t width>
Result<Graph> build_resnet9(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = conv_bn(b, "prep", b.input(), width);
  x = residual(b, "layer1.residual", halved(b, "layer1", x, 2 * width), 2 * width);
  x = halved(b, "layer2", x, 4 * width);
  x = residual(b, "layer3.residual", halved(b, "layer3", x, 8 * width), 8 * width);
  x = b.max_pool("pool", x, {.kernel = {4, 4}});
  return b.finish(b.linear("fc", b.flatten("flatten", x), classes));
}

}  // namespace

std::vector<ZooModel> resnet9_models() {
  const Shape image{3, 32, 32};
  return {{"resnet9", "ResNet-9 for CIFAR-10", image, 10, DType::f32, build_resnet9<64>},
          {"resnet9_half", "the same at half the width", image, 10, DType::f32, build_resnet9<32>}};
}

}  // namespace plimsoll
