// LeNet-5 (LeCun 1998) as it is usually written today: 28×28 images padded by 2 to the paper's 32×32,
// tanh, average pooling without coefficients of its own, every kernel reading every map. 61,706 parameters.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

Result<Graph> build_lenet5(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  const auto tanh = [&](const std::string& name, ValueId x) { return b.apply(name, "tanh", {x}); };
  ValueId x = tanh("tanh1", b.conv("conv1", b.input(), 6, {.kernel = {5, 5}, .padding = {2, 2}}));
  x = b.average_pool("pool1", x, {.kernel = {2, 2}});
  x = tanh("tanh2", b.conv("conv2", x, 16, {.kernel = {5, 5}}));
  x = b.average_pool("pool2", x, {.kernel = {2, 2}});
  x = tanh("tanh3", b.linear("fc1", b.flatten("flatten", x), 120));
  x = tanh("tanh4", b.linear("fc2", x, 84));
  return b.finish(b.linear("fc3", x, classes));
}

}  // namespace

std::vector<ZooModel> lenet_models() {
  return {{"lenet5", "LeNet-5 on 28x28 padded to 32x32 (LeCun 1998)", {1, 28, 28}, 10, DType::f32, build_lenet5}};
}

}  // namespace plimsoll
