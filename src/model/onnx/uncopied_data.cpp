#include "model/onnx/uncopied_data.h"

#include <optional>

namespace plimsoll {
namespace {

constexpr uint32_t kLeftOutField = 500'001;
constexpr uint32_t kBytesType = 2;

// What we or protobuf wrote ourselves, so only its end has to be watched.
std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(char(value | 0x80));
  out.push_back(char(value));
}

void append_tag(std::string& out, uint32_t field, uint32_t wire_type) {
  append_varint(out, uint64_t(field) << 3 | wire_type);
}

void append_uncopied(std::string& out, const UncopiedData& uncopied) {
  std::string body;
  for (const int64_t number : {int64_t(uncopied.field), uncopied.offset, uncopied.bytes, uncopied.elements})
    append_varint(body, uint64_t(number));
  append_tag(out, kLeftOutField, kBytesType);
  append_varint(out, body.size());
  out += body;
}

std::vector<std::string_view> unknown_bytes(std::string_view unknown_fields, uint32_t number) {
  std::vector<std::string_view> found;
  while (const auto tag = take_varint(unknown_fields)) {
    const auto value = take_varint(unknown_fields);
    if (!value) break;
    if ((*tag & 7) != kBytesType) continue;  // the scan lets no unknown field but varints and bytes through
    if (*value > unknown_fields.size()) break;
    if (*tag >> 3 == number) found.push_back(unknown_fields.substr(0, *value));
    unknown_fields.remove_prefix(*value);
  }
  return found;
}

std::vector<UncopiedData> read_uncopied(std::string_view unknown_fields) {
  std::vector<UncopiedData> list;
  for (std::string_view bytes : unknown_bytes(unknown_fields, kLeftOutField)) {
    UncopiedData uncopied;
    uncopied.field = uint32_t(take_varint(bytes).value_or(0));
    uncopied.offset = int64_t(take_varint(bytes).value_or(0));
    uncopied.bytes = int64_t(take_varint(bytes).value_or(0));
    uncopied.elements = int64_t(take_varint(bytes).value_or(0));
    list.push_back(uncopied);
  }
  return list;
}

}  // namespace plimsoll
