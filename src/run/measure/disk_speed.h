// How fast the disk below a folder writes and reads in order. The file it works on has no name, so nothing of it
// is left behind, whatever happens.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct DiskEffort {
  Bytes most{256 << 20};
  Seconds longest{2};  // each for writing and for reading
};

struct DiskSpeed {
  std::optional<BytesPerSecond> write, read;
  std::string note;  // why a figure is absent; empty when both are there
};

// An unwritable folder is an error; a full disk or a file system in memory is a note.
Result<DiskSpeed> measure_disk(const std::string& folder, const DiskEffort& effort);

}  // namespace plimsoll
