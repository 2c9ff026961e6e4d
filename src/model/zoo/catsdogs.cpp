// The cats-versus-dogs network of the published lecture: 13 convolutions, 3 dense layers with batch norm
// after their dropout, one sigmoid. Batch norm with Keras' settings.
#include <fmt/format.h>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

struct Stage {
  int64_t kernels, convolutions, pool;
};

ValueId stage(Builder& b, const std::string& name, ValueId x, const Stage& stage) {
  const auto scope = b.enter(name);
  for (int64_t i = 1; i <= stage.convolutions; ++i) {
    x = b.conv(fmt::format("conv{}", i), x, stage.kernels, {.kernel = {3, 3}, .padding = {1, 1}});
    x = b.relu(fmt::format("relu{}", i), x);
  }
  return b.max_pool("pool", x, {.kernel = {stage.pool, stage.pool}});
}

ValueId dense(Builder& b, const std::string& name, ValueId x, double dropout) {
  const auto scope = b.enter(name);
  x = b.relu("relu", b.linear("fc", x, 2048));
  return b.batch_norm("bn", b.dropout("dropout", x, dropout), 1e-3, 0.99);
}

Result<Graph> build_catsdogs(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  constexpr Stage kStages[] = {{32, 2, 2}, {64, 2, 2}, {128, 3, 2}, {256, 3, 3}, {512, 3, 3}};
  ValueId x = b.input();
  int number = 1;
  for (const auto& next : kStages) x = stage(b, fmt::format("stage{}", number++), x, next);
  x = b.flatten("flatten", x);
  x = dense(b, "dense1", x, 0.5);
  x = dense(b, "dense2", x, 0.4);
  x = b.linear("fc", x, classes);
  // One output is a probability; several are scores, whose softmax belongs to the loss.
  return b.finish(classes == 1 ? b.apply("sigmoid", "sigmoid", {x}) : x);
}

}  // namespace

std::vector<ZooModel> catsdogs_models() {
  return {{"catsdogs", "cats versus dogs, 13 convolutions", {3, 256, 256}, 1, DType::f32, build_catsdogs}};
}

}  // namespace plimsoll
