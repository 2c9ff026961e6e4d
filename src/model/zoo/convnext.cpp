// ConvNeXt (Liu 2022): a convolutional network arranged like a transformer.
#include <fmt/format.h>

#include <array>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

struct Config {
  int64_t width;  // of the first stage; each next one is twice as wide
  std::array<int64_t, 4> blocks;
};

constexpr double kEpsilon = 1e-6;

// Layer norm over the channels of an image.
ValueId channel_norm(Builder& b, const std::string& name, ValueId x) {
  x = b.layer_norm(name, b.transpose(name + ".channels_last", x, {0, 2, 3, 1}), kEpsilon);
  return b.transpose(name + ".channels_first", x, {0, 3, 1, 2});
}

// 7×7 per channel, layer norm, two dense layers at every pixel, a learned scale per channel.
ValueId block(Builder& b, ValueId from, int64_t width) {
  const ConvOptions depthwise{.kernel = {7, 7}, .padding = {3, 3}, .groups = width};
  ValueId x = b.transpose("block.1", b.conv("block.0", from, width, depthwise), {0, 2, 3, 1});
  x = b.linear("block.3", b.layer_norm("block.2", x, kEpsilon), 4 * width);
  x = b.linear("block.5", b.apply("block.4", "gelu", {x}), width);
  x = b.transpose("block.6", x, {0, 3, 1, 2});
  x = b.apply("scale", "mul", {x, b.parameter("layer_scale", {width, 1, 1})});
  return b.add("add", x, from);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  ValueId x = b.conv("features.0.0", b.input(), config.width, {.kernel = {4, 4}, .stride = {4, 4}});
  x = channel_norm(b, "features.0.1", x);
  for (size_t stage = 0; stage < config.blocks.size(); ++stage) {
    const int64_t width = config.width << stage;
    if (stage > 0) {
      const auto scope = b.enter(fmt::format("features.{}", 2 * stage));
      x = b.conv("1", channel_norm(b, "0", x), width, {.kernel = {2, 2}, .stride = {2, 2}});
    }
    for (int64_t i = 0; i < config.blocks[stage]; ++i) {
      const auto scope = b.enter(fmt::format("features.{}.{}", 2 * stage + 1, i));
      x = block(b, x, width);
    }
  }
  x = channel_norm(b, "classifier.0", b.global_average_pool("avgpool", x));
  return b.finish(b.linear("classifier.2", b.flatten("classifier.1", x), classes));
}

constexpr Config kTiny{96, {3, 3, 9, 3}}, kSmall{96, {3, 3, 27, 3}}, kBase{128, {3, 3, 27, 3}};
constexpr Config kLarge{192, {3, 3, 27, 3}};

}  // namespace

std::vector<ZooModel> convnext_models() {
  return {configured<build, kTiny>("convnext_tiny", "ConvNeXt, tiny (Liu 2022)"),
          configured<build, kSmall>("convnext_small", "ConvNeXt, small (Liu 2022)"),
          configured<build, kBase>("convnext_base", "ConvNeXt, base (Liu 2022)"),
          configured<build, kLarge>("convnext_large", "ConvNeXt, large (Liu 2022)")};
}

}  // namespace plimsoll
