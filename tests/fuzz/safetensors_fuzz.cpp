// The safetensors door under arbitrary bytes: what is accepted holds together, and its bytes can be read.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "run/train/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reader = SafetensorsReader::read_from(std::make_unique<MemorySource>(bytes));
  if (!reader.ok()) {
    PLIM_CHECK(reader.error().line().find('\n') == std::string::npos, "a message of more than one line");
    return 0;
  }
  int64_t at = 0;
  for (const auto& tensor : reader->header().tensors) {
    PLIM_CHECK(tensor.begin == at && tensor.end - tensor.begin == tensor.type.bytes().value(), "tensors with gaps");
    at = tensor.end;
    std::vector<std::byte> numbers(size_t(tensor.end - tensor.begin));
    PLIM_CHECK(reader->read(tensor, numbers).ok(), "a tensor that cannot be read");
  }
  const auto again = parse_safetensors_header(safetensors_header_text(reader->header()), at);
  PLIM_CHECK(again.ok() && again->tensors.size() == reader->header().tensors.size(), "what was read is not written");
  return 0;
}
