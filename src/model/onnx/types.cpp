#include "model/onnx/types.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {

Result<DType> dtype_of(int data_type) {
  if (const auto type = dtype_of_onnx(data_type)) return *type;
  return user_error(fmt::format("has the data type {}, which ONNX does not define", data_type));
}

Result<TensorType> tensor_type(int data_type, const google::protobuf::RepeatedField<int64_t>& dims) {
  PLIM_ASSIGN(const DType dtype, dtype_of(data_type));
  if (dims.size() > kHighestRank)
    return user_error(fmt::format("has the rank {}, expected at most {}", dims.size(), kHighestRank));
  TensorType type{dtype, Shape(std::vector<int64_t>(dims.begin(), dims.end()))};
  for (const int64_t dim : type.shape)
    if (dim < 0) return user_error(fmt::format("has the shape {}, expected sizes of at least 0", type.shape.text()));
  if (type.elements().overflowed() || type.bytes().overflowed())
    return user_error(
        fmt::format("of shape {} has more bytes than a 64-bit count holds (overflow)", type.shape.text()));
  return type;
}

Result<DeclaredType> input_type(const onnx::ValueInfoProto& input, size_t index) {
  if (!input.type().has_tensor_type())
    return user_error("is not a tensor (a sequence, a map, an optional or of no stated type)",
                      "only networks whose inputs are tensors can be weighed");
  const auto& tensor = input.type().tensor_type();
  PLIM_ASSIGN(const DType dtype, dtype_of(tensor.elem_type()));
  if (!tensor.has_shape()) return user_error("has no shape", "re-export with the inputs' shapes");
  DeclaredType declared{dtype, {}};
  if (tensor.shape().dim_size() > kHighestRank)
    return user_error(fmt::format("has the rank {}, expected at most {}", tensor.shape().dim_size(), kHighestRank));
  for (int axis = 0; axis < tensor.shape().dim_size(); ++axis) {
    const auto& dim = tensor.shape().dim(axis);
    if (dim.has_dim_value() && dim.dim_value() < 0)
      return user_error(
          fmt::format("has the size {} at axis {}, expected at least 0 or a name", dim.dim_value(), axis));
    if (dim.has_dim_value()) declared.shape.emplace_back(dim.dim_value());
    else if (!dim.dim_param().empty()) declared.shape.emplace_back(dim.dim_param());
    else declared.shape.emplace_back(fmt::format("unk_{}_{}", index, axis));
  }
  return declared;
}

std::optional<DeclaredType> type_hint(const onnx::ValueInfoProto& info) {
  const auto& tensor = info.type().tensor_type();
  const auto dtype = dtype_of_onnx(tensor.elem_type());
  if (!dtype || !tensor.has_shape() || tensor.shape().dim_size() > kHighestRank) return std::nullopt;
  DeclaredType declared{*dtype, {}};
  for (const auto& dim : tensor.shape().dim()) {
    if (dim.has_dim_value() && dim.dim_value() >= 0) declared.shape.emplace_back(dim.dim_value());
    else if (!dim.dim_param().empty()) declared.shape.emplace_back(dim.dim_param());
    else return std::nullopt;
  }
  return declared;
}

}  // namespace plimsoll
