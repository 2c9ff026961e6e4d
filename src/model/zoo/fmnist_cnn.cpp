// A small convolutional network for Fashion-MNIST, sized to train on a CPU in seconds an epoch: two
// convolutions with batch norm, each followed by a pool, and two dense layers. 4.2 M multiply-accumulates.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

ValueId stage(Builder& b, const std::string& name, ValueId x, int64_t kernels) {
  const auto scope = b.enter(name);
  x = b.conv("conv", x, kernels, {.kernel = {3, 3}, .padding = {1, 1}, .bias = false});
  return b.max_pool("pool", b.relu("relu", b.batch_norm("bn", x)), {.kernel = {2, 2}});
}

Result<Graph> build_fmnist_cnn(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = stage(b, "stage2", stage(b, "stage1", b.input(), 32), 64);
  x = b.relu("relu", b.linear("fc1", b.flatten("flatten", x), 128));
  return b.finish(b.linear("fc2", x, classes));
}

}  // namespace

std::vector<ZooModel> fmnist_cnn_models() {
  return {{"fmnist_cnn", "small CNN for Fashion-MNIST", {1, 28, 28}, 10, DType::f32, build_fmnist_cnn}};
}

}  // namespace plimsoll
