// The header of a .gguf file, as llama.cpp writes them: settings by name and a table of tensors. Weights are never
// read. The file is a stranger's: no count in it is believed further than the bytes that are there.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/byte_source.h"
#include "base/units.h"

namespace plimsoll {

// What a setting holds. Of lists only the length is kept, and the numbers of short ones.
struct GgufList {
  int64_t length = 0;
  std::vector<double> numbers;
};
using GgufSetting = std::variant<int64_t, double, bool, std::string, GgufList>;

struct GgufTensor {
  std::string name;
  std::vector<int64_t> sizes;  // the fastest axis first
  uint32_t type = 0;
  Count numbers;
};

struct GgufHeader {
  std::map<std::string, GgufSetting> settings;
  std::vector<GgufTensor> tensors;
};

Result<GgufHeader> read_gguf_header(const ByteSource& source);

}  // namespace plimsoll
