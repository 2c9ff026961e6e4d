#include "model/onnx/dense_numbers.h"

#include "model/onnx/uncopied_data.h"

namespace plimsoll {

std::optional<DenseNumbers> DenseNumbers::open(const onnx::TensorProto& tensor, const TensorType& type,
                                               const TensorFiles& files) {
  if (info(type.dtype).bits % 8 != 0 || info(type.dtype).bits == 0) return std::nullopt;
  DenseNumbers found;
  found.size_ = info(type.dtype).bits / 8;
  found.count_ = type.elements().value();
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    auto opened = files.external.open(tensor, type.bytes());
    if (!opened.ok()) return std::nullopt;
    found.own_ = std::move(opened->file);
    found.offset_ = opened->offset;
  } else if (tensor.has_raw_data()) {
    found.own_ = std::make_unique<MemorySource>(tensor.raw_data());
  } else {
    const auto uncopied = read_uncopied(tensor.unknown_fields());
    const bool packed = uncopied.size() == 1 && uncopied[0].offset > 0 && uncopied[0].bytes == type.bytes().value();
    if (!packed || !files.model) return std::nullopt;
    found.source_ = files.model;
    found.offset_ = uncopied[0].offset;
  }
  return found;
}

bool DenseNumbers::read(int64_t first, std::span<char> into) const {
  const int64_t bytes = int64_t(into.size());
  if (first < 0 || bytes % size_ != 0 || first + bytes / size_ > count_) return false;
  const ByteSource& source = own_ ? *own_ : *source_;
  return source.read(offset_ + first * size_, into).ok();
}

}  // namespace plimsoll
