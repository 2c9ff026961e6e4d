// Disk: what samples and models are read from, through which controller. The slower of the two sets the rate.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct Disk {
  std::string name;                          // "sata"; of a rate that a user gave, that rate
  std::string title;                         // "SATA 3 SSD"
  BytesPerSecond drive;                      // reading, of one drive
  std::optional<BytesPerSecond> controller;  // all channels together; absent when the drive's rate already is the whole
  Seconds access;                            // before each file in random order; 0 where queues hide it
  int64_t drives = 1;                        // side by side, each with other files
  std::string source;

  BytesPerSecond rate() const;  // of large reads
};

std::span<const Disk> all_disks();

// By name; the error lists the names.
Result<Disk> find_disk(const std::string& name);

// A disk of which only the rate is known.
Disk disk_of_rate(const std::string& name, BytesPerSecond rate);

}  // namespace plimsoll
