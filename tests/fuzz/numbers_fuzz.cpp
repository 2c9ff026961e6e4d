// Numbers as people type them, under arbitrary bytes: each reader refuses with one line, or stays in its limits.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/numbers.h"
#include "base/size_text.h"
#include "one_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto read = parse_integer("--n", text, -5, 1'000'000); accepted(read))
    PLIM_CHECK(*read >= -5 && *read <= 1'000'000, "an integer out of its limits");
  if (const auto read = parse_number("--x", text, 0, Edge::above, 1e6); accepted(read))
    PLIM_CHECK(*read > 0 && *read <= 1e6, "a number out of its limits");
  if (const auto read = parse_time("--t", text); accepted(read))
    PLIM_CHECK(read->value >= 0, "a time that is not at least 0");
  if (const auto read = parse_rate("--r", text); accepted(read))
    PLIM_CHECK(read->per_second > 0, "a rate that is not above 0");
  const auto bytes = parse_bytes("--m", text);
  if (!accepted(bytes)) return 0;
  PLIM_CHECK(bytes->value() > 0, "a size that is not above 0");
  PLIM_CHECK(!in_both_units(*bytes).empty() && !decimal_bytes(*bytes).empty(), "a size without words");
  return 0;
}
