// DenseNumbers: the numbers of one stored tensor where they lie one after the other, in the file or in one beside it,
// to look at some of them without reading all.
#pragma once

#include <memory>
#include <optional>

#include "model/onnx/tensors.h"

namespace plimsoll {

class DenseNumbers {
 public:
  // nullopt: they are not there, or scattered. Borrows the tensor and the files.
  static std::optional<DenseNumbers> open(const onnx::TensorProto& tensor, const TensorType& type,
                                          const TensorFiles& files);

  int64_t count() const { return count_; }
  int64_t size() const { return size_; }  // bytes of one

  // The bytes of `into.size() / size()` numbers from `first` on. False: they cannot be read.
  bool read(int64_t first, std::span<char> into) const;

 private:
  std::unique_ptr<ByteSource> own_;
  const ByteSource* source_ = nullptr;
  int64_t offset_ = 0, size_ = 0, count_ = 0;
};

}  // namespace plimsoll
