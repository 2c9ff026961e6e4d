// TensorProto: is what it says consistent, and (for small ones) which numbers does it hold.
#pragma once

#include <map>

#include "base/byte_source.h"
#include "model/ir/tensor.h"
#include "model/onnx/external_data.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

constexpr int64_t kLargestContents = 64 << 10;  // bytes of a tensor that is ever read

// Checked tensors as the scan left them, by the names of the values that they are: what weights.h reads numbers from.
struct OnnxTensor {
  onnx::TensorProto tensor;
  TensorType type;
};
using OnnxTensors = std::map<std::string, OnnxTensor>;

// Where a tensor's numbers may come from, and what was found out on the way.
struct TensorFiles {
  const ByteSource* model = nullptr;  // the scanned file, for numbers that the scan left out
  ExternalData external;
  int64_t contents_left = 32 << 20;  // bytes of contents that may still be read, all tensors together
  int64_t without_contents = 0;      // tensors that state a shape but hold nothing
  int64_t not_a_number = 0;          // tensors read that hold NaN
  std::string first_not_a_number;
  OnnxTensors* stored = nullptr;  // collects the network's parameters and buffers, where somebody wants to read them

  std::vector<std::string> notes() const;
};

// The type, once everything the tensor says about its contents agrees with it.
Result<TensorType> check_tensor(const onnx::TensorProto& tensor, TensorFiles& files);

// The contents of a checked tensor: nullptr when it is large, of a type that we do not compute
// with, or not there.
Result<TensorPtr> contents_of(const onnx::TensorProto& tensor, const TensorType& type, TensorFiles& files);

// The contents of a checked tensor of any size whose numbers are all in the message.
Result<Tensor> read_contents(const onnx::TensorProto& tensor, const TensorType& type);

// The dense type of a sparse tensor, whose parts are checked like any tensor.
Result<TensorType> check_sparse(const onnx::SparseTensorProto& sparse, TensorFiles& files);

}  // namespace plimsoll
