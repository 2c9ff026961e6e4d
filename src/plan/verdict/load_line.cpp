#include "plan/verdict/load_line.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kLargest = 9.2e18;  // below 2^63

Bytes whole_bytes(double bytes) { return Bytes(bytes >= kLargest ? Bytes::kOverflow : std::llround(bytes)); }

}  // namespace

Bytes bytes_under_line(Bytes memory, double load_line) {
  return memory.overflowed() ? memory : whole_bytes(double(memory.value()) * load_line);
}

Bytes smallest_memory(Bytes needed, double load_line) {
  if (needed.overflowed()) return needed;
  Bytes memory = whole_bytes(std::ceil(double(needed.value()) / load_line));
  // The division rounds: at most a few bytes are missing.
  while (!memory.overflowed() && bytes_under_line(memory, load_line) < needed) memory += Bytes(1);
  return memory;
}

}  // namespace plimsoll
