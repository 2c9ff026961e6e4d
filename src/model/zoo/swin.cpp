// Swin transformers (Liu 2021): attention inside windows of 7×7, which every second layer shifts by half a
// window, so that neighbours meet. Images stay channels-last throughout.
#include <fmt/format.h>

#include <array>

#include "model/build/windows.h"
#include "model/zoo/all_models.h"
#include "model/zoo/attention_layer.h"

namespace plimsoll {
namespace {

constexpr int64_t kWindow = 7;

struct Config {
  int64_t width;  // of the first stage; each next one is twice as wide
  std::array<int64_t, 4> blocks, heads;
};

ValueId window_attention(Builder& b, ValueId x, const Windows& windows, int64_t width, int64_t heads, bool shifted) {
  const auto scope = b.enter("attn");
  x = into_windows(b, x, windows, width, shifted);
  const ValueId bias = window_bias(b, "relative_position_bias_table", windows, heads, shifted);
  const bool masked = shifted && windows.mask.present();
  const auto qkv = project_qkv(b, "qkv", x, width);
  x = attention(b, qkv[0], qkv[1], qkv[2],
                {.width = width,
                 .heads = heads,
                 .mask = bias,
                 .groups = masked ? windows.down * windows.across : 1,
                 .tokens = windows.tokens()});
  return out_of_windows(b, b.linear("proj", x, width), windows, width, shifted);
}

ValueId block(Builder& b, ValueId x, const Windows& windows, int64_t width, int64_t heads, bool shifted) {
  x = b.add("add_1", x, window_attention(b, b.layer_norm("norm1", x), windows, width, heads, shifted));
  ValueId y = b.linear("mlp.0", b.layer_norm("norm2", x), 4 * width);
  y = b.linear("mlp.3", b.apply("mlp.1", "gelu", {y}), width);
  return b.add("add_2", x, y);
}

// Half the pixels each way, twice the channels.
ValueId merge_patches(Builder& b, ValueId x, ImageSize image, int64_t width) {
  return b.linear("reduction", b.layer_norm("norm", gather_corners(b, x, image)), 2 * width, false);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  int64_t width = config.width;
  ValueId x = b.conv("features.0.0", b.input(), width, {.kernel = {4, 4}, .stride = {4, 4}});
  x = b.layer_norm("features.0.2", b.transpose("features.0.1", x, {0, 2, 3, 1}));
  if (b.failed()) return b.finish(x);
  ImageSize image{input[1] / 4, input[2] / 4};
  for (size_t stage = 0; stage < config.blocks.size(); ++stage) {
    if (stage > 0) {
      const auto scope = b.enter(fmt::format("features.{}", 2 * stage));
      x = merge_patches(b, x, image, width);
      image = {(image.height + 1) / 2, (image.columns + 1) / 2};
      width *= 2;
    }
    const auto scope = b.enter(fmt::format("features.{}", 2 * stage + 1));
    const Windows windows = windows_of(b, image, kWindow);
    if (b.failed()) return b.finish(x);
    for (int64_t i = 0; i < config.blocks[stage]; ++i) {
      const auto inner = b.enter(std::to_string(i));
      x = block(b, x, windows, width, config.heads[stage], i % 2 == 1);
    }
  }
  x = b.transpose("permute", b.layer_norm("norm", x), {0, 3, 1, 2});
  return b.finish(b.linear("head", b.flatten("flatten", b.global_average_pool("avgpool", x)), classes));
}

constexpr Config kTiny{96, {2, 2, 6, 2}, {3, 6, 12, 24}}, kSmall{96, {2, 2, 18, 2}, {3, 6, 12, 24}};
constexpr Config kBase{128, {2, 2, 18, 2}, {4, 8, 16, 32}};

}  // namespace

std::vector<ZooModel> swin_models() {
  return {configured<build, kTiny>("swin_t", "Swin transformer, tiny (Liu 2021)"),
          configured<build, kSmall>("swin_s", "Swin transformer, small (Liu 2021)"),
          configured<build, kBase>("swin_b", "Swin transformer, base (Liu 2021)")};
}

}  // namespace plimsoll
