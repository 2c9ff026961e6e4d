// A disk as people write it. The same in every verb.
#pragma once

#include <string>

#include "base/rows/form.h"
#include "plan/time/disk.h"

namespace plimsoll {

inline constexpr const char* kDefaultDisk = "sata";

// [Nx]NAME|RATE[@RATE]: "sata", "550MB/s", "4xsata" (four drives side by side), "4xsata@1GB/s" (through a controller
// that passes 1 GB/s in all).
Result<Disk> parse_disk(const std::string& flag, const std::string& text);

// What help says of it, from the table of disks.
std::string disk_help();

Disk default_disk();

template <>
struct Form<Disk> : TextForm<Disk> {
  static Result<Disk> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_disk(called, text);
  }
  static Json write(const Disk& value) { return value.name; }
};

}  // namespace plimsoll
