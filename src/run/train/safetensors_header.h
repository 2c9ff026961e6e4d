// The header of a safetensors file: a JSON object that says which tensors there are and where their bytes lie.
//
// A file is 8 bytes (the header's length, little endian), the header, then the tensors' bytes, without gaps and without
// overlaps. A stranger may have written it: whatever is not exactly so is an Error, found before anything is read or
// allocated by its numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ir/tensor.h"

namespace plimsoll {

inline constexpr int64_t kMostHeaderBytes = 100'000'000;  // as the format's own library has it
inline constexpr size_t kMostStoredTensors = 100'000;

struct StoredTensor {
  std::string name;
  TensorType type;
  int64_t begin = 0, end = 0;  // from the first byte after the header
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  // in the order of their bytes
  std::map<std::string, std::string> metadata;

  int64_t data_bytes() const { return tensors.empty() ? 0 : tensors.back().end; }
};

// `data_bytes`: what the file has after its header; the tensors must fill it.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view text, int64_t data_bytes);

// With spaces at its end, so that the tensors begin at a multiple of 8.
std::string safetensors_header_text(const SafetensorsHeader& header);

// "F32"; empty: the format has no name for it.
std::string_view safetensors_name(DType type);

}  // namespace plimsoll
