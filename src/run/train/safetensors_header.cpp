#include "run/train/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/rows/json.h"
#include "base/text.h"

namespace plimsoll {
namespace {

struct TypeName {
  std::string_view name;
  DType type;
};
constexpr std::array kTypeNames = {
    TypeName{"F64", DType::f64},   TypeName{"F32", DType::f32},        TypeName{"F16", DType::f16},
    TypeName{"BF16", DType::bf16}, TypeName{"F8_E4M3", DType::f8e4m3}, TypeName{"F8_E5M2", DType::f8e5m2},
    TypeName{"I64", DType::i64},   TypeName{"I32", DType::i32},        TypeName{"I16", DType::i16},
    TypeName{"I8", DType::i8},     TypeName{"U64", DType::u64},        TypeName{"U32", DType::u32},
    TypeName{"U16", DType::u16},   TypeName{"U8", DType::u8},          TypeName{"BOOL", DType::boolean},
};

constexpr std::string_view kMetadata = "__metadata__";

// Reads the header event by event, so that a million keys cost no tree. Depth 1 is the header, 2 a tensor or the
// metadata, 3 a tensor's list of numbers.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return wrong("null"); }
  bool boolean(bool) override { return wrong("a boolean"); }
  bool number_float(number_float_t, const string_t&) override { return wrong("a fraction"); }
  bool binary(binary_t&) override { return wrong("binary data"); }

  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > uint64_t(INT64_MAX)) return fail(fmt::format("{} is beyond 64 bits", value));
    return number(int64_t(value));
  }

  bool string(string_t& value) override {
    if (depth_ == 2 && in_metadata_) {
      if (!header.metadata.emplace(field_, std::move(value)).second) return twice(field_);
      return true;
    }
    if (depth_ != 2 || field_ != "dtype") return wrong("a string");
    for (const auto& known : kTypeNames)
      if (known.name == value) dtype_ = known.type;
    if (!dtype_) return fail(fmt::format("its dtype is {}, which is not known", plimsoll::in_quotes(value)));
    return true;
  }

  bool start_object(size_t) override {
    if (depth_ >= 2 || in_list_) return wrong("an object");
    return ++depth_ == 1 || begin_entry();
  }
  bool end_object() override { return depth_-- == 1 || in_metadata_ || finish_entry(); }

  bool start_array(size_t) override {
    if (depth_ != 2 || in_metadata_ || in_list_ || (field_ != "shape" && field_ != "data_offsets"))
      return wrong("a list");
    in_list_ = true;
    auto& list = field_ == "shape" ? shape_ : offsets_;
    list.emplace();
    return true;
  }
  bool end_array() override {
    in_list_ = false;
    return true;
  }

  bool key(string_t& key) override {
    if (depth_ == 1) {
      entry_ = std::move(key);
      return true;
    }
    field_ = std::move(key);
    if (in_metadata_) return true;
    if ((field_ == "dtype" && dtype_) || (field_ == "shape" && shape_) || (field_ == "data_offsets" && offsets_))
      return twice(field_);
    if (field_ != "dtype" && field_ != "shape" && field_ != "data_offsets")
      return fail(
          fmt::format("has the key {}, expected dtype, shape and data_offsets only", plimsoll::in_quotes(field_)));
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    error_ = user_error(fmt::format("the header is not JSON at byte {}", position + 7));
    return false;
  }

  Status status() const { return error_ ? Status(*error_) : Status(); }

  SafetensorsHeader header;

 private:
  bool fail(const std::string& what) {
    error_ = user_error(what);
    if (depth_ >= 1 && !entry_.empty()) error_ = std::move(*error_).in("tensor " + plimsoll::in_quotes(entry_));
    return false;
  }
  bool wrong(std::string_view found) {
    if (depth_ == 0) return fail(fmt::format("the header is {}, expected an object", found));
    if (in_metadata_ && depth_ == 2)
      return fail(fmt::format("{} is {}, expected a string", plimsoll::in_quotes(field_), found));
    if (depth_ == 1) return fail(fmt::format("is {}, expected an object", found));
    return fail(fmt::format("its {} holds {}", field_, found));
  }
  bool twice(const std::string& name) {
    return fail(fmt::format("the key {} appears twice", plimsoll::in_quotes(name)));
  }

  bool number(int64_t value) {
    if (!in_list_) return wrong("a number");
    auto& list = field_ == "shape" ? *shape_ : *offsets_;
    if (value < 0) return fail(fmt::format("its {} has {}, expected at least 0", field_, value));
    if (list.size() == 64) return fail(fmt::format("its {} has more than 64 numbers", field_));
    list.push_back(value);
    return true;
  }

  bool begin_entry() {
    in_metadata_ = entry_ == kMetadata;
    if (in_metadata_ && had_metadata_) return fail("appears twice");
    had_metadata_ |= in_metadata_;
    dtype_.reset();
    shape_.reset();
    offsets_.reset();
    return true;
  }

  bool finish_entry() {
    if (!dtype_ || !shape_ || !offsets_) return fail("lacks one of dtype, shape and data_offsets");
    if (offsets_->size() != 2) return fail(fmt::format("has {} data_offsets, expected 2", offsets_->size()));
    if (header.tensors.size() == kMostStoredTensors)
      return fail(fmt::format("is one of more than {} tensors, the most that are read",
                              with_commas(int64_t(kMostStoredTensors))));
    StoredTensor tensor{entry_, {*dtype_, Shape(*shape_)}, (*offsets_)[0], (*offsets_)[1]};
    const Bytes wanted = tensor.type.bytes();
    if (tensor.begin > tensor.end)
      return fail(fmt::format("its bytes run from {} to {}, backwards", tensor.begin, tensor.end));
    if (wanted.overflowed() || wanted.value() != tensor.end - tensor.begin)
      return fail(fmt::format("has {} bytes, expected {} for {} {}", tensor.end - tensor.begin,
                              wanted.overflowed() ? "more than 2^63" : std::to_string(wanted.value()),
                              tensor.type.shape.text(), safetensors_name(*dtype_)));
    header.tensors.push_back(std::move(tensor));
    return true;
  }

  int depth_ = 0;
  bool in_metadata_ = false, in_list_ = false, had_metadata_ = false;
  std::string entry_, field_;
  std::optional<DType> dtype_;
  std::optional<std::vector<int64_t>> shape_, offsets_;
  std::optional<Error> error_;
};

Status check_names(const SafetensorsHeader& header) {
  std::vector<const std::string*> names;
  for (const auto& tensor : header.tensors) names.push_back(&tensor.name);
  std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
  for (size_t i = 1; i < names.size(); ++i)
    if (*names[i] == *names[i - 1]) return user_error("appears twice").in("tensor " + plimsoll::in_quotes(*names[i]));
  return {};
}

// Sorted by place: each begins where the one before it ends, and the last ends with the file.
Status check_places(const SafetensorsHeader& header, int64_t data_bytes) {
  int64_t at = 0;
  for (const auto& tensor : header.tensors) {
    if (tensor.begin != at)
      return user_error(fmt::format("begins at byte {}, {} the one before it ends at {}", tensor.begin,
                                    tensor.begin < at ? "though" : "but", at))
          .in("tensor " + plimsoll::in_quotes(tensor.name));
    at = tensor.end;
    if (at > data_bytes)
      return user_error(fmt::format("ends at byte {}, past the file's {} bytes of data", at, data_bytes),
                        "was it cut short?")
          .in("tensor " + plimsoll::in_quotes(tensor.name));
  }
  if (at != data_bytes)
    return user_error(fmt::format("has {} bytes of data, but its tensors end at {}", data_bytes, at));
  return {};
}

}  // namespace

std::string_view safetensors_name(DType type) {
  for (const auto& known : kTypeNames)
    if (known.type == type) return known.name;
  return {};
}

Result<SafetensorsHeader> parse_safetensors_header(std::string_view text, int64_t data_bytes) {
  if (!text.starts_with('{')) return user_error("the header does not begin with '{'");
  if (!is_utf8(text)) return user_error("the header is not UTF-8");
  HeaderReader reader;
  Json::sax_parse(text, &reader);
  PLIM_TRY(reader.status());
  SafetensorsHeader header = std::move(reader.header);
  std::sort(header.tensors.begin(), header.tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  PLIM_TRY(check_names(header));
  PLIM_TRY(check_places(header, data_bytes));
  return header;
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
  Json json = Json::object();
  if (!header.metadata.empty()) json[std::string(kMetadata)] = header.metadata;
  const auto dumped = [](const Json& part) { return part.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string text = dumped(json);
  text.pop_back();
  for (const auto& tensor : header.tensors) {
    const Json entry{{"dtype", safetensors_name(tensor.type.dtype)},
                     {"shape", tensor.type.shape.dims()},
                     {"data_offsets", {tensor.begin, tensor.end}}};
    text += (text.size() > 1 ? "," : "") + dumped(tensor.name) + ":" + dumped(entry);
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace plimsoll
