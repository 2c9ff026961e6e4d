// RegNet X and Y (Radosavovic 2020): widths that grow linearly with depth, rounded to a few stages. Y has
// squeeze-and-excitation, X has none.
#include <fmt/format.h>

#include <cmath>

#include "model/zoo/all_models.h"
#include "model/zoo/conv_norm_activation.h"

namespace plimsoll {
namespace {

struct Config {
  int64_t depth, first_width;
  double slope, factor;
  int64_t group_width;
  bool squeeze = false;
};

struct Stage {
  int64_t width, blocks, groups;
};

// Each block's width on the line first + slope·i is rounded to first · factorᵏ, then to a multiple of 8; blocks
// of one width are a stage, whose width is made divisible by its groups' width.
std::vector<Stage> stages_of(const Config& config) {
  std::vector<Stage> stages;
  const double first = double(config.first_width);
  for (int64_t i = 0; i < config.depth; ++i) {
    const double line = first + config.slope * double(i);
    const double power = std::nearbyint(std::log(line / first) / std::log(config.factor));
    const auto width = int64_t(std::nearbyint(first * std::pow(config.factor, power) / 8)) * 8;
    if (stages.empty() || stages.back().width != width) stages.push_back({width, 0, 0});
    ++stages.back().blocks;
  }
  for (auto& stage : stages) {
    const int64_t group = std::min(config.group_width, stage.width);
    const int64_t nearest = std::max(group, (stage.width + group / 2) / group * group);
    stage.width = double(nearest) < 0.9 * double(stage.width) ? nearest + group : nearest;
    stage.groups = stage.width / group;
  }
  return stages;
}

ValueId block(Builder& b, ValueId from, const Stage& stage, int64_t stride, bool squeeze) {
  constexpr auto kRelu = UnitActivation::relu;
  const int64_t inputs = b.channels(from);
  const bool project = inputs != stage.width || stride != 1;
  const ValueId shortcut = project ? conv_norm_activation(b, "proj", from, stage.width, {.stride = stride}) : from;
  ValueId x = conv_norm_activation(b, "f.a", from, stage.width, {.activation = kRelu});
  x = conv_norm_activation(b, "f.b", x, stage.width,
                           {.kernel = 3, .stride = stride, .groups = stage.groups, .activation = kRelu});
  if (squeeze)
    x = squeeze_excite(b, "f.se", x, std::max<int64_t>(1, std::llrint(0.25 * double(inputs))), kRelu, "sigmoid");
  x = conv_norm_activation(b, "f.c", x, stage.width, {});
  return b.relu("activation", b.add("add", shortcut, x));
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  const UnitOptions stem{.kernel = 3, .stride = 2, .activation = UnitActivation::relu};
  ValueId x = conv_norm_activation(b, "stem", b.input(), 32, stem);
  int number = 0;
  for (const auto& stage : stages_of(config)) {
    ++number;
    for (int64_t i = 0; i < stage.blocks; ++i) {
      const auto scope = b.enter(fmt::format("trunk_output.block{0}.block{0}-{1}", number, i));
      x = block(b, x, stage, i == 0 ? 2 : 1, config.squeeze);
    }
  }
  return b.finish(b.linear("fc", b.flatten("flatten", b.global_average_pool("avgpool", x)), classes));
}

constexpr Config kX400{22, 24, 24.48, 2.54, 16}, kX800{16, 56, 35.73, 2.28, 16}, kX1600{18, 80, 34.01, 2.25, 24};
constexpr Config kX3200{25, 88, 26.31, 2.25, 48}, kX8000{23, 80, 49.56, 2.88, 120}, kX16000{22, 216, 55.59, 2.1, 128};
constexpr Config kX32000{23, 320, 69.86, 2.0, 168};
constexpr Config kY400{16, 48, 27.89, 2.09, 8, true}, kY800{14, 56, 38.84, 2.4, 16, true};
constexpr Config kY1600{27, 48, 20.71, 2.65, 24, true}, kY3200{21, 80, 42.63, 2.66, 24, true};
constexpr Config kY8000{17, 192, 76.82, 2.19, 56, true}, kY16000{18, 200, 106.23, 2.48, 112, true};
constexpr Config kY32000{20, 232, 115.89, 2.53, 232, true}, kY128000{27, 456, 160.83, 2.52, 264, true};

template <const Config& config>
ZooModel model(std::string_view name) {
  return configured<build, config>(name,
                                   config.squeeze ? "RegNet Y (Radosavovic 2020)" : "RegNet X (Radosavovic 2020)");
}

}  // namespace

std::vector<ZooModel> regnet_models() {
  return {model<kX400>("regnet_x_400mf"),  model<kX800>("regnet_x_800mf"),  model<kX1600>("regnet_x_1_6gf"),
          model<kX3200>("regnet_x_3_2gf"), model<kX8000>("regnet_x_8gf"),   model<kX16000>("regnet_x_16gf"),
          model<kX32000>("regnet_x_32gf"), model<kY400>("regnet_y_400mf"),  model<kY800>("regnet_y_800mf"),
          model<kY1600>("regnet_y_1_6gf"), model<kY3200>("regnet_y_3_2gf"), model<kY8000>("regnet_y_8gf"),
          model<kY16000>("regnet_y_16gf"), model<kY32000>("regnet_y_32gf"), model<kY128000>("regnet_y_128gf")};
}

}  // namespace plimsoll
