// The parts of onnx.proto that the scan walks: for each message its fields, what each holds, and
// what it costs in memory once parsed. A field that is not listed is checked and dropped.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll {

enum class Part : uint8_t {
  model,
  graph,
  node,
  attribute,
  tensor,
  sparse_tensor,
  value_info,
  type,
  tensor_type,
  element_type,  // sequence and optional
  map_type,
  shape,
  dim,
  opset,
  entry,
  training,
  function,
  segment,
};

enum class Holds : uint8_t {
  integer,   // a varint
  code,      // a varint of 32 bits: a data type
  integers,  // repeated varints, packed or not
  float32,
  float32s,
  text,     // bytes that are kept
  blob,     // bytes that are kept when small and emptied otherwise: an engine stored as an attribute
  message,  // see WireField::part
  raw_data,
  data32,  // a tensor's numbers, which are left out when large: 4 bytes each, packed or not
  data64,
  data_varint,
  data_text,
};

struct WireField {
  uint32_t number;
  Holds holds;
  std::string_view name;
  Part part = Part::model;
};

struct PartInfo {
  Part part;
  std::string_view name;  // in messages: "node", "tensor"
  uint32_t name_field;    // the field that names it, 0 for none
  int64_t memory;         // of one parsed message, without what it points to
  std::span<const WireField> fields;
};

const PartInfo& info(Part part);
const WireField* find_field(Part part, uint32_t number);

}  // namespace plimsoll
