// MobileNet v3 (Howard 2019), large and small.
#include <fmt/format.h>

#include "model/zoo/all_models.h"
#include "model/zoo/conv_norm_activation.h"

namespace plimsoll {
namespace {

constexpr double kEpsilon = 1e-3;
constexpr auto kRelu = UnitActivation::relu, kSwish = UnitActivation::hard_swish;

struct Block {
  int64_t kernel, expanded, outputs;
  bool squeeze;
  UnitActivation activation;
  int64_t stride;
};

struct Config {
  std::vector<Block> blocks;
  int64_t last_channels;
};

const Config& large() {
  static const Config config{{{3, 16, 16, false, kRelu, 1},
                              {3, 64, 24, false, kRelu, 2},
                              {3, 72, 24, false, kRelu, 1},
                              {5, 72, 40, true, kRelu, 2},
                              {5, 120, 40, true, kRelu, 1},
                              {5, 120, 40, true, kRelu, 1},
                              {3, 240, 80, false, kSwish, 2},
                              {3, 200, 80, false, kSwish, 1},
                              {3, 184, 80, false, kSwish, 1},
                              {3, 184, 80, false, kSwish, 1},
                              {3, 480, 112, true, kSwish, 1},
                              {3, 672, 112, true, kSwish, 1},
                              {5, 672, 160, true, kSwish, 2},
                              {5, 960, 160, true, kSwish, 1},
                              {5, 960, 160, true, kSwish, 1}},
                             1280};
  return config;
}

const Config& small() {
  static const Config config{{{3, 16, 16, true, kRelu, 2},
                              {3, 72, 24, false, kRelu, 2},
                              {3, 88, 24, false, kRelu, 1},
                              {5, 96, 40, true, kSwish, 2},
                              {5, 240, 40, true, kSwish, 1},
                              {5, 240, 40, true, kSwish, 1},
                              {5, 120, 48, true, kSwish, 1},
                              {5, 144, 48, true, kSwish, 1},
                              {5, 288, 96, true, kSwish, 2},
                              {5, 576, 96, true, kSwish, 1},
                              {5, 576, 96, true, kSwish, 1}},
                             1024};
  return config;
}

ValueId block_of(Builder& b, ValueId x, const Block& block) {
  const ValueId from = x;
  int part = 0;
  const auto next = [&] { return fmt::format("block.{}", part++); };
  if (block.expanded != b.channels(x))
    x = conv_norm_activation(b, next(), x, block.expanded, {.activation = block.activation, .epsilon = kEpsilon});
  x = conv_norm_activation(b, next(), x, block.expanded,
                           {.kernel = block.kernel,
                            .stride = block.stride,
                            .groups = block.expanded,
                            .activation = block.activation,
                            .epsilon = kEpsilon});
  if (block.squeeze)
    x = squeeze_excite(b, next(), x, divisible_by_8(double(block.expanded / 4)), UnitActivation::relu, "hard_sigmoid");
  x = conv_norm_activation(b, next(), x, block.outputs, {.epsilon = kEpsilon});
  return block.stride == 1 && b.channels(from) == block.outputs ? b.add("add", x, from) : x;
}

template <const Config& (*config)()>
Result<Graph> build_mobilenet_v3(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  int layer = 0;
  const auto next = [&] { return fmt::format("features.{}", layer++); };
  ValueId x = conv_norm_activation(b, next(), b.input(), 16,
                                   {.kernel = 3, .stride = 2, .activation = kSwish, .epsilon = kEpsilon});
  for (const auto& block : config().blocks) {
    const auto scope = b.enter(next());
    x = block_of(b, x, block);
  }
  x = conv_norm_activation(b, next(), x, 6 * config().blocks.back().outputs,
                           {.activation = kSwish, .epsilon = kEpsilon});
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  x = activate(b, "classifier.1", b.linear("classifier.0", x, config().last_channels), kSwish);
  return b.finish(b.linear("classifier.3", b.dropout("classifier.2", x, 0.2), classes));
}

}  // namespace

std::vector<ZooModel> mobilenet_v3_models() {
  const Shape image{3, 224, 224};
  const auto f32 = DType::f32;
  return {{"mobilenet_v3_large", "MobileNet v3, large (Howard 2019)", image, 1000, f32, build_mobilenet_v3<large>},
          {"mobilenet_v3_small", "MobileNet v3, small (Howard 2019)", image, 1000, f32, build_mobilenet_v3<small>}};
}

}  // namespace plimsoll
