#include "model/onnx/tensors.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/text.h"
#include "model/ir/for_type.h"
#include "model/onnx/types.h"
#include "model/onnx/uncopied_data.h"

namespace plimsoll {
namespace {

enum Source : uint32_t { kFloats = 4, kInt32s = 5, kStrings = 6, kInt64s = 7, kRaw = 9, kDoubles = 10, kUint64s = 11 };

struct Found {
  uint32_t field;
  std::string_view name;
  int64_t count;  // numbers, for raw_data bytes
  bool present;
};

// Every field of contents with what it holds, in the copy and left out of it.
std::vector<Found> find_contents(const onnx::TensorProto& tensor) {
  std::vector<Found> fields = {{kFloats, "float_data", tensor.float_data_size(), false},
                               {kInt32s, "int32_data", tensor.int32_data_size(), false},
                               {kStrings, "string_data", tensor.string_data_size(), false},
                               {kInt64s, "int64_data", tensor.int64_data_size(), false},
                               {kRaw, "raw_data", int64_t(tensor.raw_data().size()), tensor.has_raw_data()},
                               {kDoubles, "double_data", tensor.double_data_size(), false},
                               {kUint64s, "uint64_data", tensor.uint64_data_size(), false}};
  for (const UncopiedData& uncopied : read_uncopied(tensor.unknown_fields()))
    for (Found& field : fields)
      if (field.field == uncopied.field) {
        field.count += uncopied.elements;
        field.present = true;
      }
  std::erase_if(fields, [](const Found& field) { return field.count == 0 && !field.present; });
  return fields;
}

uint32_t field_for(DType type) {
  switch (type) {
    case DType::f32:
    case DType::complex64: return kFloats;
    case DType::f64:
    case DType::complex128: return kDoubles;
    case DType::i64: return kInt64s;
    case DType::u32:
    case DType::u64: return kUint64s;
    case DType::string: return kStrings;
    default: return kInt32s;
  }
}

int64_t expected_count(const TensorType& type, uint32_t field) {
  if (field == kRaw) return type.bytes().value();
  const Count elements = type.elements();
  if (type.dtype == DType::complex64 || type.dtype == DType::complex128) return (elements * 2).value();
  return info(type.dtype).bits == 4 ? type.bytes().value() : elements.value();  // 4-bit numbers come in pairs
}

Status check_inline(const Found& found, const TensorType& type) {
  const bool fits = found.field == kRaw ? type.dtype != DType::string : found.field == field_for(type.dtype);
  if (!fits)
    return user_error(fmt::format("holds {} in {}, which is for other types", name_of(type.dtype), found.name));
  const int64_t expected = expected_count(type, found.field);
  if (found.count == expected) return {};
  return user_error(fmt::format("has {} {} in {}, its shape {} of {} needs {}", found.count,
                                found.field == kRaw ? "bytes" : "numbers", found.name, type.shape.text(),
                                name_of(type.dtype), expected));
}

// The tensor with the numbers that the scan left out, read from the file.
Result<std::optional<onnx::TensorProto>> completed(const onnx::TensorProto& tensor, const ByteSource* model) {
  onnx::TensorProto whole = tensor;
  for (const UncopiedData& uncopied : read_uncopied(tensor.unknown_fields())) {
    if (uncopied.offset == 0 || !model) return std::optional<onnx::TensorProto>();  // scattered: not worth collecting
    std::string field;
    append_tag(field, uncopied.field, 2);
    append_varint(field, uint64_t(uncopied.bytes));
    const size_t start = field.size();
    field.resize(start + size_t(uncopied.bytes));
    PLIM_TRY(model->read(uncopied.offset, std::span(field).subspan(start)));
    if (!whole.MergeFromString(field)) return std::optional<onnx::TensorProto>();
  }
  return std::optional(std::move(whole));
}

template <class T, class From>
void convert(const From& from, Tensor& to) {
  const size_t count = std::min(size_t(from.size()), to.size());
  for (size_t i = 0; i < count; ++i) to.as<T>()[i] = T(from[int(i)]);
}

void from_raw(std::string_view raw, Tensor& tensor) {
  if (tensor.type.dtype != DType::boolean) {
    if (!tensor.bytes.empty()) std::memcpy(tensor.bytes.data(), raw.data(), std::min(raw.size(), tensor.bytes.size()));
    return;
  }
  for (size_t i = 0; i < std::min(raw.size(), tensor.size()); ++i) tensor.as<bool>()[i] = raw[i] != 0;
}

void from_fields(const onnx::TensorProto& proto, Tensor& tensor) {
  if (proto.has_raw_data()) return from_raw(proto.raw_data(), tensor);
  for_type(tensor.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    switch (field_for(tensor.type.dtype)) {
      case kFloats: return convert<T>(proto.float_data(), tensor);
      case kDoubles: return convert<T>(proto.double_data(), tensor);
      case kInt64s: return convert<T>(proto.int64_data(), tensor);
      case kUint64s: return convert<T>(proto.uint64_data(), tensor);
      default: return convert<T>(proto.int32_data(), tensor);
    }
  });
}

// Infinities are what masks are made of; NaN is never meant.
bool holds_nan(const Tensor& tensor) {
  bool found = false;
  for_float(tensor.type.dtype, [&](auto zero) {
    const auto* numbers = tensor.as<decltype(zero)>();
    for (size_t i = 0; i < tensor.size() && !found; ++i) found = std::isnan(numbers[i]);
  });
  return found;
}

}  // namespace

std::vector<std::string> TensorFiles::notes() const {
  std::vector<std::string> notes = external.notes();
  if (without_contents > 0)
    notes.push_back(fmt::format("{} tensors hold no numbers: shapes are enough to weigh", without_contents));
  if (not_a_number > 0)
    notes.push_back(fmt::format("{} of the small tensors that were read hold NaN, first {}", not_a_number,
                                in_quotes(first_not_a_number)));
  return notes;
}

Result<TensorType> check_tensor(const onnx::TensorProto& tensor, TensorFiles& files) {
  PLIM_ASSIGN(TensorType type, tensor_type(tensor.data_type(), tensor.dims()));
  if (tensor.has_segment()) return user_error("is stored in segments, which no version of ONNX uses");
  const auto found = find_contents(tensor);
  const bool external = tensor.data_location() == onnx::TensorProto::EXTERNAL;
  if (external || tensor.external_data_size() > 0) {
    if (type.dtype == DType::string) return user_error("is of strings, which cannot be external data");
    PLIM_TRY(files.external.check(tensor, type.bytes()));
  }
  if (external && !found.empty())
    return user_error(fmt::format("has {} and external data, expected one of them", found[0].name));
  if (found.size() > 1)
    return user_error(fmt::format("has {} and {}, expected one of them", found[0].name, found[1].name));
  if (found.size() == 1) PLIM_TRY(check_inline(found[0], type));
  if (found.empty() && !external && type.elements().value() > 0) ++files.without_contents;
  return type;
}

Result<TensorPtr> contents_of(const onnx::TensorProto& tensor, const TensorType& type, TensorFiles& files) {
  const bool computable = for_type(type.dtype, [](auto) {});
  if (!computable || type.bytes().value() > std::min(kLargestContents, files.contents_left)) return TensorPtr();
  files.contents_left -= type.bytes().value();
  auto contents = std::make_shared<Tensor>(type);
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    if (is_floating(type.dtype)) return TensorPtr();
    PLIM_ASSIGN(const auto bytes, files.external.read(tensor, type.bytes()));
    if (!bytes) return TensorPtr();
    from_raw(*bytes, *contents);
    return TensorPtr(std::move(contents));
  }
  if (find_contents(tensor).empty() && type.elements().value() > 0) return TensorPtr();
  PLIM_ASSIGN(const auto whole, completed(tensor, files.model));
  if (!whole) return TensorPtr();
  from_fields(*whole, *contents);
  if (holds_nan(*contents) && files.not_a_number++ == 0) files.first_not_a_number = tensor.name();
  return TensorPtr(std::move(contents));
}

Result<Tensor> read_contents(const onnx::TensorProto& tensor, const TensorType& type) {
  if (!for_type(type.dtype, [](auto) {}))
    return user_error(fmt::format("holds {}, which cannot be computed with", name_of(type.dtype)));
  Tensor contents(type);
  from_fields(tensor, contents);
  return contents;
}

Result<TensorType> check_sparse(const onnx::SparseTensorProto& sparse, TensorFiles& files) {
  PLIM_ASSIGN(const TensorType values, check_tensor(sparse.values(), files));
  PLIM_ASSIGN(const TensorType indices, check_tensor(sparse.indices(), files));
  PLIM_ASSIGN(TensorType dense, tensor_type(sparse.values().data_type(), sparse.dims()));
  const bool flat = values.shape.rank() == 1 && indices.dtype == DType::i64 &&
                    (indices.shape == values.shape || indices.shape == Shape{values.shape[0], dense.shape.rank()});
  if (!flat)
    return user_error(fmt::format("is sparse with values {} and indices {} for the shape {}, which do not agree",
                                  values.shape.text(), indices.shape.text(), dense.shape.text()));
  return dense;
}

}  // namespace plimsoll
