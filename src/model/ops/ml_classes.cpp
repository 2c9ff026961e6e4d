#include "model/ops/ml_classes.h"

#include <fmt/format.h>

#include "model/ops/only_weighed.h"

namespace plimsoll {

Result<MlRows> ml_rows(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() == 1) return MlRows{1, x[0]};
  if (x.rank() == 2) return MlRows{x[0], x[1]};
  return user_error(fmt::format("input {}, expected rows of features", x.text()));
}

int64_t ml_class_count(const Attributes& attributes, int64_t otherwise) {
  for (const auto name : {"classlabels_ints", "classlabels_int64s"})
    if (const auto labels = attributes.integers(name); !labels.empty()) return int64_t(labels.size());
  if (const auto* labels = attributes.find("classlabels_strings"))
    if (const auto* texts = std::get_if<std::vector<std::string>>(labels); texts && !texts->empty())
      return int64_t(texts->size());
  return otherwise;
}

Result<std::vector<TensorType>> ml_classified(const OpCall& call, int64_t classes) {
  PLIM_ASSIGN(const MlRows rows, ml_rows(call));
  const bool named = call.attributes.has("classlabels_strings");
  return std::vector{TensorType{named ? DType::string : DType::i64, {rows.rows}},
                     TensorType{DType::f32, {rows.rows, std::max<int64_t>(1, classes)}}};
}

Result<std::vector<TensorType>> ml_regressed(const OpCall& call, int64_t targets) {
  PLIM_ASSIGN(const MlRows rows, ml_rows(call));
  return std::vector{TensorType{DType::f32, {rows.rows, std::max<int64_t>(1, targets)}}};
}

Result<std::vector<TensorType>> ml_same_shape(const OpCall& call) {
  return std::vector{TensorType{DType::f32, call.shape(0)}};
}

Op ml_op(std::string_view name, std::vector<std::string_view> onnx, ShapeRule infer, CostRule cost,
         std::vector<OpExample> (*examples)()) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.infer = infer;
  op.cost = cost;
  op.gradient = decline_only_weighed;
  op.examples = examples;
  return op;
}

}  // namespace plimsoll
