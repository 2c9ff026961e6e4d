// Logistic regression: one linear layer over the pixels. Softmax belongs to the loss.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

Result<Graph> build_logistic(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  return b.finish(b.linear("fc", b.reshape("flatten", b.input(), {0, -1}), classes));
}

}  // namespace

std::vector<ZooModel> logistic_models() {
  return {{"logistic", "logistic regression, one linear layer", {1, 28, 28}, 10, DType::f32, build_logistic}};
}

}  // namespace plimsoll
