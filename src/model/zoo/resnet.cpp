// ResNet (He 2015), ResNeXt (Xie 2016) and Wide ResNet (Zagoruyko 2016).
//
// resnet50 and deeper are torchvision's "v1.5": a bottleneck strides in its 3×3. The papers' figures are for
// the stride in the first 1×1, which is a little cheaper: resnet50_v1, resnet101_v1, resnet152_v1. resnet200 has
// norm and ReLU before each convolution (He 2016).
#include <fmt/format.h>

#include <array>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

struct Config {
  std::array<int64_t, 4> blocks;
  bool bottleneck = true;
  int64_t groups = 1;
  int64_t group_width = 64;    // kernels a group, in the first stage
  bool stride_in_1x1 = false;  // v1
  bool norm_first = false;     // norm and ReLU before each convolution
};

ValueId conv_norm(Builder& b, const std::string& conv, const std::string& norm, ValueId x, int64_t kernels,
                  int64_t size, int64_t stride = 1, int64_t groups = 1) {
  const int64_t pad = size / 2;
  x = b.conv(
      conv, x, kernels,
      {.kernel = {size, size}, .stride = {stride, stride}, .padding = {pad, pad}, .groups = groups, .bias = false});
  return b.batch_norm(norm, x);
}

// Two 3×3.
ValueId basic(Builder& b, ValueId x, int64_t planes, int64_t stride) {
  x = b.relu("relu1", conv_norm(b, "conv1", "bn1", x, planes, 3, stride));
  return conv_norm(b, "conv2", "bn2", x, planes, 3);
}

// 1×1 down, 3×3, 1×1 up.
ValueId bottleneck(Builder& b, ValueId x, int64_t planes, int64_t stride, const Config& config) {
  const int64_t width = planes * config.group_width / 64 * config.groups;
  const int64_t first = config.stride_in_1x1 ? stride : 1;
  x = b.relu("relu1", conv_norm(b, "conv1", "bn1", x, width, 1, first));
  x = b.relu("relu2", conv_norm(b, "conv2", "bn2", x, width, 3, stride / first, config.groups));
  return conv_norm(b, "conv3", "bn3", x, planes * 4, 1);
}

ValueId block(Builder& b, ValueId x, int64_t planes, int64_t stride, const Config& config) {
  const int64_t outputs = config.bottleneck ? planes * 4 : planes;
  const ValueId branch = config.bottleneck ? bottleneck(b, x, planes, stride, config) : basic(b, x, planes, stride);
  const bool project = stride != 1 || b.channels(x) != outputs;
  const ValueId shortcut = project ? conv_norm(b, "downsample.0", "downsample.1", x, outputs, 1, stride) : x;
  return b.relu(config.bottleneck ? "relu3" : "relu2", b.add("add", branch, shortcut));
}

ValueId norm_relu_conv(Builder& b, const std::string& number, ValueId x, int64_t kernels, int64_t size,
                       int64_t stride = 1) {
  x = b.relu("relu" + number, b.batch_norm("bn" + number, x));
  const int64_t pad = size / 2;
  return b.conv("conv" + number, x, kernels,
                {.kernel = {size, size}, .stride = {stride, stride}, .padding = {pad, pad}, .bias = false});
}

ValueId norm_first_block(Builder& b, ValueId x, int64_t planes, int64_t stride) {
  ValueId shortcut = x;
  if (stride != 1 || b.channels(x) != planes * 4)
    shortcut = b.conv("downsample", x, planes * 4, {.kernel = {1, 1}, .stride = {stride, stride}, .bias = false});
  x = norm_relu_conv(b, "1", x, planes, 1);
  x = norm_relu_conv(b, "2", x, planes, 3, stride);
  return b.add("add", norm_relu_conv(b, "3", x, planes * 4, 1), shortcut);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  ValueId x = b.relu("relu", conv_norm(b, "conv1", "bn1", b.input(), 64, 7, 2));
  x = b.max_pool("maxpool", x, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  for (size_t stage = 0; stage < config.blocks.size(); ++stage) {
    const auto layer = b.enter(fmt::format("layer{}", stage + 1));
    for (int64_t i = 0; i < config.blocks[stage]; ++i) {
      const auto scope = b.enter(std::to_string(i));
      const int64_t planes = int64_t{64} << stage, stride = stage > 0 && i == 0 ? 2 : 1;
      x = config.norm_first ? norm_first_block(b, x, planes, stride) : block(b, x, planes, stride, config);
    }
  }
  if (config.norm_first) x = b.relu("last_relu", b.batch_norm("last_bn", x));
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  return b.finish(b.linear("fc", x, classes));
}

constexpr std::array<int64_t, 4> k18{2, 2, 2, 2}, k50{3, 4, 6, 3}, k101{3, 4, 23, 3}, k152{3, 8, 36, 3};
constexpr Config kResnet18{k18, false}, kResnet34{k50, false}, kResnet50{k50}, kResnet101{k101}, kResnet152{k152};
constexpr Config kResnet50V1{k50, true, 1, 64, true}, kResnet101V1{k101, true, 1, 64, true};
constexpr Config kResnet152V1{k152, true, 1, 64, true};
constexpr Config kResnet200{{3, 24, 36, 3}, true, 1, 64, false, true};
constexpr Config kNext50{k50, true, 32, 4}, kNext101{k101, true, 32, 8}, kNext101Groups64{k101, true, 64, 4};
constexpr Config kWide50{k50, true, 1, 128}, kWide101{k101, true, 1, 128};

}  // namespace

std::vector<ZooModel> resnet_models() {
  return {configured<build, kResnet18>("resnet18", "ResNet, 18 layers (He 2015)"),
          configured<build, kResnet34>("resnet34", "ResNet, 34 layers (He 2015)"),
          configured<build, kResnet50>("resnet50", "ResNet, 50 layers, stride in the 3x3 (torchvision's v1.5)"),
          configured<build, kResnet101>("resnet101", "ResNet, 101 layers, stride in the 3x3 (torchvision's v1.5)"),
          configured<build, kResnet152>("resnet152", "ResNet, 152 layers, stride in the 3x3 (torchvision's v1.5)"),
          configured<build, kResnet50V1>("resnet50_v1", "ResNet, 50 layers, stride in the first 1x1 (He 2015)"),
          configured<build, kResnet101V1>("resnet101_v1", "ResNet, 101 layers, stride in the first 1x1 (He 2015)"),
          configured<build, kResnet152V1>("resnet152_v1", "ResNet, 152 layers, stride in the first 1x1 (He 2015)"),
          configured<build, kResnet200>("resnet200", "ResNet, 200 layers, norm before convolution (He 2016)"),
          configured<build, kNext50>("resnext50_32x4d", "ResNeXt, 50 layers, 32 groups of 4 (Xie 2016)"),
          configured<build, kNext101>("resnext101_32x8d", "ResNeXt, 101 layers, 32 groups of 8 (Xie 2016)"),
          configured<build, kNext101Groups64>("resnext101_64x4d", "ResNeXt, 101 layers, 64 groups of 4 (Xie 2016)"),
          configured<build, kWide50>("wide_resnet50_2", "ResNet, 50 layers, twice as wide (Zagoruyko 2016)"),
          configured<build, kWide101>("wide_resnet101_2", "ResNet, 101 layers, twice as wide (Zagoruyko 2016)")};
}

}  // namespace plimsoll
