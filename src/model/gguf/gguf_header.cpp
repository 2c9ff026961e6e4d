#include "model/gguf/gguf_header.h"

#include <fmt/format.h>

#include <cstring>
#include <set>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr uint64_t kMostSettings = 100'000, kMostTensors = 200'000, kLongestName = 65'535, kMostKept = 4096;
constexpr uint32_t kMostAxes = 8;

enum GgufType : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

size_t size_of(uint32_t type) {
  switch (type) {
    case u8:
    case i8:
    case boolean: return 1;
    case u16:
    case i16: return 2;
    case u32:
    case i32:
    case f32: return 4;
    case u64:
    case i64:
    case f64: return 8;
    default: return 0;
  }
}

// Reads forwards through a window of the file.
class Reader {
 public:
  explicit Reader(const ByteSource& source) : source_(source) {}

  int64_t left() const { return source_.size() - at_; }

  Status bytes(void* into, size_t count) {
    if (int64_t(count) > left())
      return user_error(fmt::format("ends at byte {}, expected {} more", source_.size(), int64_t(count) - left()));
    char* to = static_cast<char*>(into);
    while (count > 0) {
      if (at_ < begin_ || at_ >= begin_ + int64_t(window_.size())) PLIM_TRY(move_window());
      const size_t here = std::min(count, size_t(begin_ + int64_t(window_.size()) - at_));
      std::memcpy(to, window_.data() + (at_ - begin_), here);
      to += here;
      at_ += int64_t(here);
      count -= here;
    }
    return {};
  }

  template <class T>
  Result<T> number() {
    T value{};
    PLIM_TRY(bytes(&value, sizeof value));
    return value;
  }

  Status skip(uint64_t count) {
    if (count > uint64_t(left()))
      return user_error(fmt::format("says that {} bytes follow at byte {}, where {} are left", count, at_, left()));
    at_ += int64_t(count);
    return {};
  }

  Result<std::string> string(uint64_t longest) {
    PLIM_ASSIGN(const uint64_t length, number<uint64_t>());
    if (length > uint64_t(left()))
      return user_error(fmt::format("has a text of {} bytes at byte {}, where {} are left", length, at_, left()));
    std::string value(size_t(std::min(length, longest)), '\0');
    PLIM_TRY(bytes(value.data(), value.size()));
    PLIM_TRY(skip(length - value.size()));
    return value;
  }

 private:
  Status move_window() {
    begin_ = at_;
    window_.resize(size_t(std::min<int64_t>(left(), 1 << 16)));
    return source_.read(begin_, window_);
  }

  const ByteSource& source_;
  std::vector<char> window_;
  int64_t begin_ = 0, at_ = 0;
};

Result<GgufSetting> read_scalar(Reader& in, uint32_t type) {
  const auto whole = [&](auto zero) -> Result<GgufSetting> {
    PLIM_ASSIGN(const auto value, in.number<decltype(zero)>());
    return GgufSetting(int64_t(value));
  };
  switch (type) {
    case u8: return whole(uint8_t{});
    case i8: return whole(int8_t{});
    case u16: return whole(uint16_t{});
    case i16: return whole(int16_t{});
    case u32: return whole(uint32_t{});
    case i32: return whole(int32_t{});
    case u64: return whole(uint64_t{});
    case i64: return whole(int64_t{});
    case boolean: {
      PLIM_ASSIGN(const uint8_t value, in.number<uint8_t>());
      return GgufSetting(value != 0);
    }
    case f32: {
      PLIM_ASSIGN(const float value, in.number<float>());
      return GgufSetting(double(value));
    }
    case f64: {
      PLIM_ASSIGN(const double value, in.number<double>());
      return GgufSetting(value);
    }
    case text: {
      PLIM_ASSIGN(std::string value, in.string(kMostKept));
      return GgufSetting(std::move(value));
    }
    default: return user_error(fmt::format("has a setting of type {}, expected one of 0 to 12", type));
  }
}

Result<GgufSetting> read_list(Reader& in) {
  PLIM_ASSIGN(const uint32_t type, in.number<uint32_t>());
  PLIM_ASSIGN(const uint64_t length, in.number<uint64_t>());
  const size_t size = type == text ? sizeof(uint64_t) : size_of(type);
  if (size == 0) return user_error(fmt::format("has a list of type {}, expected numbers or texts", type));
  if (length > uint64_t(in.left()) / size)
    return user_error(fmt::format("has a list of {} entries, more than the file has bytes for", length));
  GgufList list{int64_t(length), {}};
  if (type == text) {
    for (uint64_t i = 0; i < length; ++i) {
      PLIM_ASSIGN(const uint64_t bytes, in.number<uint64_t>());
      PLIM_TRY(in.skip(bytes));
    }
  } else if (length > kMostKept) {
    PLIM_TRY(in.skip(length * size));
  } else {
    for (uint64_t i = 0; i < length; ++i) {
      PLIM_ASSIGN(const GgufSetting item, read_scalar(in, type));
      list.numbers.push_back(std::holds_alternative<int64_t>(item) ? double(std::get<int64_t>(item))
                             : std::holds_alternative<bool>(item)  ? double(std::get<bool>(item))
                                                                   : std::get<double>(item));
    }
  }
  return GgufSetting(std::move(list));
}

Status read_setting(Reader& in, GgufHeader& header) {
  PLIM_ASSIGN(std::string name, in.string(kLongestName));
  PLIM_ASSIGN(const uint32_t type, in.number<uint32_t>());
  auto value = type == list ? read_list(in) : read_scalar(in, type);
  if (!value.ok()) return std::move(value).error().in("setting " + in_quotes(name));
  if (!header.settings.emplace(name, std::move(value).value()).second)
    return user_error(fmt::format("has the setting {} twice", in_quotes(name)));
  return {};
}

Result<GgufTensor> read_tensor(Reader& in) {
  GgufTensor tensor;
  PLIM_ASSIGN(tensor.name, in.string(kLongestName));
  PLIM_ASSIGN(const uint32_t axes, in.number<uint32_t>());
  if (axes > kMostAxes)
    return user_error(
        fmt::format("tensor {} has {} axes, expected at most {}", in_quotes(tensor.name), axes, kMostAxes));
  tensor.numbers = Count(1);
  for (uint32_t i = 0; i < axes; ++i) {
    PLIM_ASSIGN(const uint64_t size, in.number<uint64_t>());
    if (size < 1 || size > uint64_t(1) << 40)
      return user_error(fmt::format("tensor {} has an axis of {}", in_quotes(tensor.name), size));
    tensor.sizes.push_back(int64_t(size));
    tensor.numbers = tensor.numbers * int64_t(size);
  }
  if (tensor.numbers.overflowed())
    return user_error(fmt::format("tensor {} has more numbers than can be counted", in_quotes(tensor.name)));
  PLIM_ASSIGN(tensor.type, in.number<uint32_t>());
  PLIM_TRY(in.skip(sizeof(uint64_t)));  // where its numbers begin
  return tensor;
}

Status check_count(std::string_view what, uint64_t count, uint64_t most, int64_t left, uint64_t least_bytes) {
  if (count <= most && count <= uint64_t(left) / least_bytes) return {};
  return user_error(fmt::format("says that it has {} {}, more than {} bytes can hold", count, what, left));
}

}  // namespace

Result<GgufHeader> read_gguf_header(const ByteSource& source) {
  Reader in(source);
  char magic[4];
  if (!in.bytes(magic, 4).ok() || std::string_view(magic, 4) != "GGUF")
    return user_error("does not begin with GGUF, expected a .gguf file");
  PLIM_ASSIGN(const uint32_t version, in.number<uint32_t>());
  if (version != 2 && version != 3) return user_error(fmt::format("is version {} of GGUF, expected 2 or 3", version));
  PLIM_ASSIGN(const uint64_t tensors, in.number<uint64_t>());
  PLIM_ASSIGN(const uint64_t settings, in.number<uint64_t>());
  PLIM_TRY(check_count("settings", settings, kMostSettings, in.left(), 13));
  GgufHeader header;
  for (uint64_t i = 0; i < settings; ++i) PLIM_TRY(read_setting(in, header));
  PLIM_TRY(check_count("tensors", tensors, kMostTensors, in.left(), 24));
  std::set<std::string> names;
  for (uint64_t i = 0; i < tensors; ++i) {
    PLIM_ASSIGN(GgufTensor tensor, read_tensor(in));
    if (!names.insert(tensor.name).second)
      return user_error(fmt::format("has the tensor {} twice", in_quotes(tensor.name)));
    header.tensors.push_back(std::move(tensor));
  }
  return header;
}

}  // namespace plimsoll
