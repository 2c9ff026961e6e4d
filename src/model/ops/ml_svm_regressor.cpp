// ml_svm_regressor: support vector machine that gives a number. Cost: products with the support vectors and the sums of
// their weights; kernels are not counted beside them.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

// Each row against every support vector, and the weighted sum of what comes out.
Cost cost_ml_svm_regressor(const OpCall& call) {
  const MlRows rows = *ml_rows(call);
  const Count numbers(int64_t(call.attributes.numbers("support_vectors").size()));
  const Count weights(int64_t(call.attributes.numbers("coefficients").size()));
  const Count macs = (numbers + weights) * rows.rows;
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

Result<std::vector<TensorType>> infer_ml_svm_regressor(const OpCall& call) { return ml_regressed(call, 1); }

std::vector<OpExample> examples_ml_svm_regressor() {
  return {{"two vectors",
           {{"support_vectors", std::vector<double>(8, 1)}, {"coefficients", std::vector<double>(2, 1)}},
           {example::f32({3, 4})},
           1,
           true,
           false}};
}

}  // namespace

const Op& ml_svm_regressor_op() {
  static const Op op = ml_op("ml_svm_regressor", {"ai.onnx.ml:SVMRegressor"}, infer_ml_svm_regressor,
                             cost_ml_svm_regressor, examples_ml_svm_regressor);
  return op;
}

}  // namespace plimsoll
