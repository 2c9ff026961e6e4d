// DenseNet (Huang 2016) as torchvision has it: every layer reads all that its block has made so far.
#include <fmt/format.h>

#include <array>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

struct Config {
  int64_t growth, first;
  std::array<int64_t, 4> blocks;
};

ConvOptions plain(int64_t size) { return {.kernel = {size, size}, .padding = {size / 2, size / 2}, .bias = false}; }

// One layer's new channels, from the concatenation of everything before it.
ValueId dense_layer(Builder& b, const std::vector<ValueId>& before, int64_t growth) {
  ValueId x = before.size() == 1 ? before[0] : b.concat("concat", before);
  x = b.conv("conv1", b.relu("relu1", b.batch_norm("norm1", x)), 4 * growth, plain(1));
  return b.conv("conv2", b.relu("relu2", b.batch_norm("norm2", x)), growth, plain(3));
}

ValueId dense_block(Builder& b, const std::string& name, ValueId x, int64_t layers, int64_t growth) {
  const auto scope = b.enter(name);
  std::vector<ValueId> made{x};
  for (int64_t i = 1; i <= layers; ++i) {
    const auto layer = b.enter(fmt::format("denselayer{}", i));
    made.push_back(dense_layer(b, made, growth));
  }
  return b.concat("concat", made);
}

// Half the channels, half the size.
ValueId transition(Builder& b, const std::string& name, ValueId x) {
  const auto scope = b.enter(name);
  x = b.relu("relu", b.batch_norm("norm", x));
  return b.average_pool("pool", b.conv("conv", x, b.channels(x) / 2, plain(1)), {.kernel = {2, 2}});
}

ValueId features(Builder& b, ValueId x, const Config& config) {
  const auto scope = b.enter("features");
  x = b.conv("conv0", x, config.first, {.kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}, .bias = false});
  x = b.relu("relu0", b.batch_norm("norm0", x));
  x = b.max_pool("pool0", x, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  for (size_t i = 0; i < config.blocks.size(); ++i) {
    x = dense_block(b, fmt::format("denseblock{}", i + 1), x, config.blocks[i], config.growth);
    if (i + 1 < config.blocks.size()) x = transition(b, fmt::format("transition{}", i + 1), x);
  }
  return b.batch_norm("norm5", x);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  const ValueId x = b.relu("relu", features(b, b.input(), config));
  return b.finish(b.linear("classifier", b.flatten("flatten", b.global_average_pool("avgpool", x)), classes));
}

constexpr Config k121{32, 64, {6, 12, 24, 16}}, k161{48, 96, {6, 12, 36, 24}}, k169{32, 64, {6, 12, 32, 32}};
constexpr Config k201{32, 64, {6, 12, 48, 32}};

}  // namespace

std::vector<ZooModel> densenet_models() {
  return {configured<build, k121>("densenet121", "DenseNet, 121 layers, growth 32 (Huang 2016)"),
          configured<build, k161>("densenet161", "DenseNet, 161 layers, growth 48 (Huang 2016)"),
          configured<build, k169>("densenet169", "DenseNet, 169 layers, growth 32 (Huang 2016)"),
          configured<build, k201>("densenet201", "DenseNet, 201 layers, growth 32 (Huang 2016)")};
}

}  // namespace plimsoll
