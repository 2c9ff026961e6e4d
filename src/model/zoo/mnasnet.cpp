// MNASNet (Tan 2018) at four widths.
#include <fmt/format.h>

#include "model/zoo/all_models.h"
#include "model/zoo/conv_norm_activation.h"

namespace plimsoll {
namespace {

// Numbers the layers of a torch Sequential through.
struct Layers {
  Builder& b;
  int number = 0;

  std::string next() { return fmt::format("layers.{}", number++); }
  ValueId conv_norm(ValueId x, int64_t kernels, int64_t size, int64_t stride = 1, int64_t groups = 1) {
    const int64_t pad = size / 2;
    const ConvOptions options{
        .kernel = {size, size}, .stride = {stride, stride}, .padding = {pad, pad}, .groups = groups, .bias = false};
    x = b.conv(next(), x, kernels, options);
    return b.batch_norm(next(), x, 1e-5, 0.9997);
  }
  ValueId relu(ValueId x) { return b.relu(next(), x); }
};

ValueId inverted_residual(Builder& b, ValueId from, int64_t outputs, int64_t size, int64_t stride, int64_t expand) {
  const int64_t hidden = b.channels(from) * expand;
  Layers layers{b};
  ValueId x = layers.relu(layers.conv_norm(from, hidden, 1));
  x = layers.relu(layers.conv_norm(x, hidden, size, stride, hidden));
  x = layers.conv_norm(x, outputs, 1);
  return stride == 1 && b.channels(from) == outputs ? b.add("add", x, from) : x;
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, double width) {
  struct Stage {
    double outputs;
    int64_t size, stride, expand, blocks;
  };
  constexpr Stage kStages[] = {{24, 3, 2, 3, 3}, {40, 5, 2, 3, 3},  {80, 5, 2, 6, 3},
                               {96, 3, 1, 6, 2}, {192, 5, 2, 6, 4}, {320, 3, 1, 6, 1}};
  Builder b(std::string(self.name), input);
  Layers layers{b};
  const int64_t first = divisible_by_8(32 * width);
  ValueId x = layers.relu(layers.conv_norm(b.input(), first, 3, 2));
  x = layers.relu(layers.conv_norm(x, first, 3, 1, first));
  x = layers.conv_norm(x, divisible_by_8(16 * width), 1);
  for (const auto& stage : kStages) {
    const auto scope = b.enter(layers.next());
    for (int64_t i = 0; i < stage.blocks; ++i) {
      const auto inner = b.enter(std::to_string(i));
      x = inverted_residual(b, x, divisible_by_8(stage.outputs * width), stage.size, i == 0 ? stage.stride : 1,
                            stage.expand);
    }
  }
  x = layers.relu(layers.conv_norm(x, 1280, 1));
  x = b.flatten("flatten", b.global_average_pool("mean", x));
  return b.finish(b.linear("classifier.1", b.dropout("classifier.0", x, 0.2), classes));
}

template <int64_t percent>
Result<Graph> build_mnasnet(const ZooModel& self, const Shape& input, int64_t classes) {
  return build(self, input, classes, double(percent) / 100);
}

}  // namespace

std::vector<ZooModel> mnasnet_models() {
  const Shape image{3, 224, 224};
  const auto f32 = DType::f32;
  return {{"mnasnet0_5", "MNASNet, half as wide (Tan 2018)", image, 1000, f32, build_mnasnet<50>},
          {"mnasnet0_75", "MNASNet, 3/4 as wide (Tan 2018)", image, 1000, f32, build_mnasnet<75>},
          {"mnasnet1_0", "MNASNet (Tan 2018)", image, 1000, f32, build_mnasnet<100>},
          {"mnasnet1_3", "MNASNet, 1.3 times as wide (Tan 2018)", image, 1000, f32, build_mnasnet<130>}};
}

}  // namespace plimsoll
