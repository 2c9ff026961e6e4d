// ml_linear_regressor: rows of features times coefficients, one row of them a target. Cost: the product.
#include "model/ops/example.h"
#include "model/ops/matrix_product.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

// Rows of coefficients: one a class or target.
int64_t outputs_of(const OpCall& call) {
  const auto rows = ml_rows(call);
  const int64_t features = rows.ok() ? rows->features : 0;
  const auto coefficients = int64_t(call.attributes.numbers("coefficients").size());
  return features > 0 ? std::max<int64_t>(1, coefficients / features) : 1;
}

Cost cost_ml_linear_regressor(const OpCall& call) {
  const MlRows rows = *ml_rows(call);
  return product_cost(Count(rows.rows) * outputs_of(call), rows.features);
}

Result<std::vector<TensorType>> infer_ml_linear_regressor(const OpCall& call) {
  return ml_regressed(call, call.attributes.integer("targets", outputs_of(call)));
}

std::vector<OpExample> examples_ml_linear_regressor() {
  return {{"two targets",
           {{"coefficients", std::vector<double>(8, 1)}, {"targets", int64_t{2}}},
           {example::f32({3, 4})},
           1,
           true,
           false}};
}

}  // namespace

const Op& ml_linear_regressor_op() {
  static const Op op = ml_op("ml_linear_regressor", {"ai.onnx.ml:LinearRegressor"}, infer_ml_linear_regressor,
                             cost_ml_linear_regressor, examples_ml_linear_regressor);
  return op;
}

}  // namespace plimsoll
