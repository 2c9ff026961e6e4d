// A multi-layer perceptron: pixels, 512, 256, classes, with ReLU between.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

Result<Graph> build_mlp(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = b.flatten("flatten", b.input());
  x = b.relu("relu1", b.linear("fc1", x, 512));
  x = b.relu("relu2", b.linear("fc2", x, 256));
  return b.finish(b.linear("fc3", x, classes));
}

}  // namespace

std::vector<ZooModel> mlp_models() {
  return {{"mlp", "perceptron of three layers, 784-512-256-10", {1, 28, 28}, 10, DType::f32, build_mlp}};
}

}  // namespace plimsoll
