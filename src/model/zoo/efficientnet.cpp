// EfficientNet B0 to B7 (Tan 2019) and EfficientNet v2 (Tan 2021) as torchvision has them, each with the image
// size it was trained for.
#include <fmt/format.h>

#include <cmath>

#include "model/zoo/all_models.h"
#include "model/zoo/conv_norm_activation.h"

namespace plimsoll {
namespace {

struct Stage {
  bool fused;  // the expansion and the depthwise convolution as one full convolution
  int64_t expand, kernel, stride, outputs, blocks;
};

struct Config {
  std::vector<Stage> stages;
  int64_t first;  // channels of the stem
  int64_t last;   // channels before the classifier
  double dropout;
  double epsilon = 1e-5;
};

// B0 widened and deepened.
Config scaled(double width, double depth, double dropout, double epsilon) {
  constexpr Stage kB0[] = {{false, 1, 3, 1, 16, 1}, {false, 6, 3, 2, 24, 2},  {false, 6, 5, 2, 40, 2},
                           {false, 6, 3, 2, 80, 3}, {false, 6, 5, 1, 112, 3}, {false, 6, 5, 2, 192, 4},
                           {false, 6, 3, 1, 320, 1}};
  Config config{{}, divisible_by_8(32 * width), 0, dropout, epsilon};
  for (Stage stage : kB0) {
    stage.outputs = divisible_by_8(double(stage.outputs) * width);
    stage.blocks = int64_t(std::ceil(double(stage.blocks) * depth));
    config.stages.push_back(stage);
  }
  config.last = 4 * config.stages.back().outputs;
  return config;
}

Config b0() { return scaled(1.0, 1.0, 0.2, 1e-5); }
Config b1() { return scaled(1.0, 1.1, 0.2, 1e-5); }
Config b2() { return scaled(1.1, 1.2, 0.3, 1e-5); }
Config b3() { return scaled(1.2, 1.4, 0.3, 1e-5); }
Config b4() { return scaled(1.4, 1.8, 0.4, 1e-5); }
Config b5() { return scaled(1.6, 2.2, 0.4, 1e-3); }
Config b6() { return scaled(1.8, 2.6, 0.5, 1e-3); }
Config b7() { return scaled(2.0, 3.1, 0.5, 1e-3); }

Config v2_s() {
  return {{{true, 1, 3, 1, 24, 2},
           {true, 4, 3, 2, 48, 4},
           {true, 4, 3, 2, 64, 4},
           {false, 4, 3, 2, 128, 6},
           {false, 6, 3, 1, 160, 9},
           {false, 6, 3, 2, 256, 15}},
          24,
          1280,
          0.2,
          1e-3};
}

Config v2_m() {
  return {{{true, 1, 3, 1, 24, 3},
           {true, 4, 3, 2, 48, 5},
           {true, 4, 3, 2, 80, 5},
           {false, 4, 3, 2, 160, 7},
           {false, 6, 3, 1, 176, 14},
           {false, 6, 3, 2, 304, 18},
           {false, 6, 3, 1, 512, 5}},
          24,
          1280,
          0.3,
          1e-3};
}

Config v2_l() {
  return {{{true, 1, 3, 1, 32, 4},
           {true, 4, 3, 2, 64, 7},
           {true, 4, 3, 2, 96, 7},
           {false, 4, 3, 2, 192, 10},
           {false, 6, 3, 1, 224, 19},
           {false, 6, 3, 2, 384, 25},
           {false, 6, 3, 1, 640, 7}},
          32,
          1280,
          0.4,
          1e-3};
}

// 1×1 up, a convolution per channel, squeeze-and-excitation, 1×1 down.
ValueId separable(Builder& b, ValueId x, const Stage& stage, int64_t stride, double epsilon) {
  const int64_t inputs = b.channels(x), hidden = inputs * stage.expand;
  int part = 0;
  const auto next = [&] { return fmt::format("block.{}", part++); };
  if (stage.expand != 1)
    x = conv_norm_activation(b, next(), x, hidden, {.activation = UnitActivation::silu, .epsilon = epsilon});
  x = conv_norm_activation(b, next(), x, hidden,
                           {.kernel = stage.kernel,
                            .stride = stride,
                            .groups = hidden,
                            .activation = UnitActivation::silu,
                            .epsilon = epsilon});
  x = squeeze_excite(b, next(), x, std::max<int64_t>(1, inputs / 4), UnitActivation::silu, "sigmoid");
  return conv_norm_activation(b, next(), x, stage.outputs, {.epsilon = epsilon});
}

ValueId fused(Builder& b, ValueId x, const Stage& stage, int64_t stride, double epsilon) {
  const bool expands = stage.expand != 1;
  x = conv_norm_activation(
      b, "block.0", x, expands ? b.channels(x) * stage.expand : stage.outputs,
      {.kernel = stage.kernel, .stride = stride, .activation = UnitActivation::silu, .epsilon = epsilon});
  return expands ? conv_norm_activation(b, "block.1", x, stage.outputs, {.epsilon = epsilon}) : x;
}

ValueId block(Builder& b, ValueId from, const Stage& stage, int64_t stride, double epsilon) {
  const ValueId x = stage.fused ? fused(b, from, stage, stride, epsilon) : separable(b, from, stage, stride, epsilon);
  return stride == 1 && b.channels(from) == stage.outputs ? b.add("add", x, from) : x;
}

template <Config (*configure)()>
Result<Graph> build_efficientnet(const ZooModel& self, const Shape& input, int64_t classes) {
  const Config config = configure();
  Builder b(std::string(self.name), input);
  int layer = 0;
  const auto next = [&] { return fmt::format("features.{}", layer++); };
  const UnitOptions stem{.kernel = 3, .stride = 2, .activation = UnitActivation::silu, .epsilon = config.epsilon};
  ValueId x = conv_norm_activation(b, next(), b.input(), config.first, stem);
  for (const auto& stage : config.stages) {
    const auto scope = b.enter(next());
    for (int64_t i = 0; i < stage.blocks; ++i) {
      const auto inner = b.enter(std::to_string(i));
      x = block(b, x, stage, i == 0 ? stage.stride : 1, config.epsilon);
    }
  }
  x = conv_norm_activation(b, next(), x, config.last, {.activation = UnitActivation::silu, .epsilon = config.epsilon});
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  return b.finish(b.linear("classifier.1", b.dropout("classifier.0", x, config.dropout), classes));
}

template <Config (*configure)()>
ZooModel model(std::string_view name, int64_t size) {
  const bool second = name.find("_v2_") != std::string_view::npos;
  return {name,
          second ? "EfficientNet v2 (Tan 2021)" : "EfficientNet (Tan 2019)",
          {3, size, size},
          1000,
          DType::f32,
          build_efficientnet<configure>};
}

}  // namespace

std::vector<ZooModel> efficientnet_models() {
  return {model<b0>("efficientnet_b0", 224),     model<b1>("efficientnet_b1", 240),
          model<b2>("efficientnet_b2", 288),     model<b3>("efficientnet_b3", 300),
          model<b4>("efficientnet_b4", 380),     model<b5>("efficientnet_b5", 456),
          model<b6>("efficientnet_b6", 528),     model<b7>("efficientnet_b7", 600),
          model<v2_s>("efficientnet_v2_s", 384), model<v2_m>("efficientnet_v2_m", 480),
          model<v2_l>("efficientnet_v2_l", 480)};
}

}  // namespace plimsoll
