// ONNX's data types and shapes as ours.
#pragma once

#include "model/ir/tensor.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

constexpr int kHighestRank = 64;  // no network has a rank near it, and rules may be quadratic in it

// 1 → f32; an error names a number that is no data type.
Result<DType> dtype_of(int data_type);

// The dims of a stored tensor: all known, none negative, their product and bytes within 64 bits.
Result<TensorType> tensor_type(int data_type, const google::protobuf::RepeatedField<int64_t>& dims);

// The type of a network's input. A size that the file leaves open gets the name "unk_<input>_<axis>".
struct DeclaredType {
  DType dtype;
  SymbolicShape shape;
};
Result<DeclaredType> input_type(const onnx::ValueInfoProto& input, size_t index);

// What the file says about a value that a node computes; nullopt when that is not complete.
std::optional<DeclaredType> type_hint(const onnx::ValueInfoProto& info);

}  // namespace plimsoll
