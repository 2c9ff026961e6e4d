// What happens past the load line: a GPU runs out of memory and stops; a CPU pages, and each step waits for the
// disk.
#pragma once

#include <optional>
#include <string>

#include "plan/devices/device.h"
#include "plan/time/disk.h"

namespace plimsoll {

struct PastLine {
  Bytes over_line;    // 0 when it stays under the line
  Bytes over_memory;  // 0 when it stays inside the memory
  // Of a CPU: what is past the memory goes out to the disk and comes back, each step at least once.
  Bytes paged_per_step;
  Seconds paging_per_step;
  std::string sentence;  // empty under the line
};

using BytesText = std::string (*)(Bytes);

// `kind` absent: a memory of which nothing else is known, so both are told. `told`: in which units.
PastLine past_line(Bytes needed, Bytes memory, double load_line, std::optional<DeviceKind> kind, const Disk& disk,
                   BytesText told = human_bytes);

}  // namespace plimsoll
