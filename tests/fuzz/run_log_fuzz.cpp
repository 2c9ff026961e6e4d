// The run logs' door under arbitrary bytes: lines of JSON, as a report reads them.
#include <cstddef>
#include <cstdint>

#include "one_line.h"
#include "run/measure/run_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const auto lines = parse_run_log({reinterpret_cast<const char*>(data), size}, "log.jsonl");
  if (!accepted(lines)) return 0;
  for (const auto& line : *lines) PLIM_CHECK(line.is_object(), "a line that is no object");
  return 0;
}
