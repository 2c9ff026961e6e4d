// What the classifiers and regressors of ai.onnx.ml share: rows of features in, labels and scores out. Their numbers
// are attributes of the node, so they are settings and not parameters.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// (rows, features) of input 0; a vector is one row.
struct MlRows {
  int64_t rows = 0, features = 0;
};
Result<MlRows> ml_rows(const OpCall& call);

// How many classes a classifier tells apart: its labels, else `otherwise`.
int64_t ml_class_count(const Attributes& attributes, int64_t otherwise);

// Labels (rows) and scores (rows, classes).
Result<std::vector<TensorType>> ml_classified(const OpCall& call, int64_t classes);
// Numbers (rows, targets).
Result<std::vector<TensorType>> ml_regressed(const OpCall& call, int64_t targets);

// Input 0 once, f32.
Result<std::vector<TensorType>> ml_same_shape(const OpCall& call);

// One operation of ai.onnx.ml, which is only weighed (only_weighed.h).
Op ml_op(std::string_view name, std::vector<std::string_view> onnx, ShapeRule infer, CostRule cost,
         std::vector<OpExample> (*examples)());

}  // namespace plimsoll
