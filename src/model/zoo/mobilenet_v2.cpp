// MobileNet v2 (Sandler 2018).
#include <fmt/format.h>

#include "model/zoo/all_models.h"
#include "model/zoo/conv_norm_activation.h"

namespace plimsoll {
namespace {

// Wide inside, narrow outside: 1×1 up, 3×3 per channel, 1×1 down without activation.
ValueId inverted_residual(Builder& b, ValueId x, int64_t expand, int64_t outputs, int64_t stride) {
  const ValueId from = x;
  const int64_t hidden = b.channels(x) * expand;
  int part = 0;
  const auto next = [&] { return fmt::format("conv.{}", part++); };
  if (expand != 1) x = conv_norm_activation(b, next(), x, hidden, {.activation = UnitActivation::relu6});
  x = conv_norm_activation(b, next(), x, hidden,
                           {.kernel = 3, .stride = stride, .groups = hidden, .activation = UnitActivation::relu6});
  x = b.conv(next(), x, outputs, {.kernel = {1, 1}, .bias = false});
  x = b.batch_norm(next(), x);
  return stride == 1 && b.channels(from) == outputs ? b.add("add", from, x) : x;
}

ValueId features(Builder& b, ValueId x) {
  struct Stage {
    int64_t expand, outputs, blocks, stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                               {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  const auto scope = b.enter("features");
  int layer = 0;
  x = conv_norm_activation(b, std::to_string(layer++), x, 32,
                           {.kernel = 3, .stride = 2, .activation = UnitActivation::relu6});
  for (const auto& stage : kStages)
    for (int64_t i = 0; i < stage.blocks; ++i) {
      const auto block = b.enter(std::to_string(layer++));
      x = inverted_residual(b, x, stage.expand, stage.outputs, i == 0 ? stage.stride : 1);
    }
  return conv_norm_activation(b, std::to_string(layer), x, 1280, {.activation = UnitActivation::relu6});
}

Result<Graph> build_mobilenet_v2(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  const ValueId x = b.flatten("flatten", b.global_average_pool("avgpool", features(b, b.input())));
  return b.finish(b.linear("classifier.1", b.dropout("classifier.0", x, 0.2), classes));
}

}  // namespace

std::vector<ZooModel> mobilenet_v2_models() {
  return {{"mobilenet_v2", "MobileNet v2 (Sandler 2018)", {3, 224, 224}, 1000, DType::f32, build_mobilenet_v2}};
}

}  // namespace plimsoll
