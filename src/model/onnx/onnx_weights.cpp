#include "model/onnx/onnx_weights.h"

#include <fmt/format.h>

#include <cstring>

#include "base/half.h"
#include "base/text.h"
#include "model/onnx/uncopied_data.h"
#include "model/onnx/wire_reader.h"

namespace plimsoll {
namespace {

constexpr size_t kPiece = 16 << 10;  // numbers that are converted at a time

float from_bits(DType type, uint16_t bits) { return type == DType::f16 ? from_f16(bits) : from_bf16(bits); }

// Numbers one after the other, as raw_data, external files and packed floats have them.
Status read_dense(const ByteSource& source, int64_t offset, DType type, int64_t first, std::span<float> into) {
  const auto size = int64_t(bytes_of(type, Count(1)).value());
  offset += first * size;
  if (type == DType::f32) return source.read(offset, {reinterpret_cast<char*>(into.data()), into.size_bytes()});
  std::vector<char> bytes(std::min(into.size(), kPiece) * size_t(size));
  for (size_t at = 0; at < into.size(); at += kPiece) {
    const size_t count = std::min(kPiece, into.size() - at);
    PLIM_TRY(source.read(offset + int64_t(at) * size, std::span(bytes).first(count * size_t(size))));
    for (size_t i = 0; i < count; ++i) {
      double wide = 0;
      uint16_t bits = 0;
      if (type == DType::f64) std::memcpy(&wide, &bytes[i * 8], 8);
      else std::memcpy(&bits, &bytes[i * 2], 2);
      into[at + i] = type == DType::f64 ? float(wide) : from_bits(type, bits);
    }
  }
  return {};
}

// Half-precision numbers as varints, which are walked from the first on.
Status read_varints(const ByteSource& source, const UncopiedData& place, DType type, int64_t first,
                    std::span<float> into) {
  WireReader reader(source);
  reader.skip(place.offset);
  for (int64_t i = 0; i < first + int64_t(into.size()); ++i) {
    uint64_t bits = 0;
    if (!reader.varint(place.offset + place.bytes, bits)) return reader.error();
    if (i >= first) into[size_t(i - first)] = from_bits(type, uint16_t(bits));
  }
  return {};
}

// Tiny tensors, whose numbers the scan kept.
Status read_kept(const onnx::TensorProto& tensor, DType type, int64_t first, std::span<float> into) {
  if (tensor.has_raw_data()) return read_dense(MemorySource(tensor.raw_data()), 0, type, first, into);
  for (size_t i = 0; i < into.size(); ++i) {
    const int at = int(first) + int(i);
    if (type == DType::f32) into[i] = tensor.float_data(at);
    else if (type == DType::f64) into[i] = float(tensor.double_data(at));
    else into[i] = from_bits(type, uint16_t(tensor.int32_data(at)));
  }
  return {};
}

int64_t kept_numbers(const onnx::TensorProto& tensor, DType type) {
  if (tensor.has_raw_data()) return int64_t(tensor.raw_data().size()) / bytes_of(type, Count(1)).value();
  return type == DType::f32   ? tensor.float_data_size()
         : type == DType::f64 ? tensor.double_data_size()
                              : tensor.int32_data_size();
}

}  // namespace

bool OnnxWeights::has(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) return false;
  const DType type = found->second.type.dtype;
  return type == DType::f32 || type == DType::f64 || type == DType::f16 || type == DType::bf16;
}

Status OnnxWeights::read(const std::string& name, int64_t first, std::span<float> into) const {
  const OnnxTensor& stored = tensors_.at(name);
  PLIM_CHECK(first >= 0 && first + int64_t(into.size()) <= stored.type.elements().value(), "numbers past the last");
  auto status = read_stored(stored, first, into);
  if (status.ok()) return {};
  Error error = std::move(status).error();
  if (error.kind == ErrorKind::undetermined) error.kind = ErrorKind::user;
  return std::move(error).in("tensor " + in_quotes(name));
}

Status OnnxWeights::read_stored(const OnnxTensor& stored, int64_t first, std::span<float> into) const {
  const auto& [tensor, type] = stored;
  if (into.empty()) return {};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    PLIM_ASSIGN(const auto opened, external_.open(tensor, type.bytes()));
    return read_dense(*opened.file, opened.offset, type.dtype, first, into);
  }
  const auto uncopied = read_uncopied(tensor.unknown_fields());
  const int64_t kept = kept_numbers(tensor, type.dtype);
  if (uncopied.empty() && kept == 0) return user_error("holds no numbers, only a shape");
  if (uncopied.empty() && kept == type.elements().value()) return read_kept(tensor, type.dtype, first, into);
  if (uncopied.size() != 1 || uncopied[0].offset == 0 || kept > 0)
    return user_error("has its numbers scattered over the file", "save the model again, with its weights as raw_data");
  if (uncopied[0].field == onnx::TensorProto::kInt32DataFieldNumber)
    return read_varints(*model_, uncopied[0], type.dtype, first, into);
  return read_dense(*model_, uncopied[0].offset, type.dtype, first, into);
}

}  // namespace plimsoll
