// UncopiedData: where a tensor's numbers are in the file when the scan did not copy them. The scan
// writes it into the copied TensorProto under a field number of our own; a file cannot forge it,
// because the scan drops every field that it does not know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct UncopiedData {
  uint32_t field = 0;    // TensorProto's: 9 is raw_data, 4 float_data …
  int64_t offset = 0;    // of the first byte in the file; 0 when the numbers are scattered (not packed)
  int64_t bytes = 0;     // in the file
  int64_t elements = 0;  // numbers or strings; for raw_data its bytes
};

void append_varint(std::string& out, uint64_t value);
void append_tag(std::string& out, uint32_t field, uint32_t wire_type);
void append_uncopied(std::string& out, const UncopiedData& uncopied);

// Unknown fields as protobuf's lite runtime keeps them: the bytes of every field `number`.
std::vector<std::string_view> unknown_bytes(std::string_view unknown_fields, uint32_t number);
std::vector<UncopiedData> read_uncopied(std::string_view unknown_fields);

}  // namespace plimsoll
