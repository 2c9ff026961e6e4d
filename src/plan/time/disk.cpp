#include "plan/time/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr BytesPerSecond kSata3{600e6};        // 6 Gbit/s, 8 of 10 bits are data
constexpr BytesPerSecond kPcie3x4{3.938e9};    // 4 lanes × 8 GT/s × 128/130 / 8
constexpr BytesPerSecond kPcie4x4{7.877e9};    // 4 lanes × 16 GT/s × 128/130 / 8
constexpr BytesPerSecond kEthernet1{125e6};    // 1 Gbit/s
constexpr BytesPerSecond kEthernet10{1.25e9};  // 10 Gbit/s
constexpr Seconds kSeekAndHalfATurn{12e-3};    // about 8 ms seek, 4.2 ms for half a turn at 7,200 a minute

// Frames of 1,500 bytes: 1,448 of 1,538 on the wire are a file's.
constexpr double kPayload = 1448.0 / 1538.0;

const std::vector<Disk>& disks() {
  static const std::vector<Disk> kDisks = {
      {"hdd",
       "hard disk, 7,200 turns a minute",
       {150e6},
       kSata3,
       kSeekAndHalfATurn,
       1,
       "WD Blue 1 TB data sheet, 2015"},
      {"sata", "SATA 3 SSD", {550e6}, kSata3, {}, 1, "Samsung 860 EVO data sheet, 2018"},
      {"nvme", "NVMe SSD, PCIe 3.0 x4", {3.5e9}, kPcie3x4, {}, 1, "Samsung 970 EVO Plus data sheet, 2019"},
      {"nvme4", "NVMe SSD, PCIe 4.0 x4", {7e9}, kPcie4x4, {}, 1, "Samsung 980 PRO data sheet, 2020"},
      {"network",
       "network file system, 1 Gbit/s",
       {kEthernet1.per_second * kPayload},
       kEthernet1,
       {},
       1,
       "derived: 1,448 of 1,538 bytes of an Ethernet frame"},
      {"network10",
       "network file system, 10 Gbit/s",
       {kEthernet10.per_second * kPayload},
       kEthernet10,
       {},
       1,
       "derived: 1,448 of 1,538 bytes of an Ethernet frame"},
  };
  return kDisks;
}

}  // namespace

BytesPerSecond Disk::rate() const {
  const double side_by_side = drive.per_second * double(drives);
  return {controller ? std::min(side_by_side, controller->per_second) : side_by_side};
}

std::span<const Disk> all_disks() { return disks(); }

Result<Disk> find_disk(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& disk : disks()) {
    if (disk.name == name) return disk;
    known.push_back(disk.name);
  }
  return user_error(fmt::format("no disk is called {}, expected one of {} or a rate", plimsoll::in_quotes(name),
                                fmt::join(known, ", ")),
                    "for example sata or 550MB/s");
}

Disk disk_of_rate(const std::string& name, BytesPerSecond rate) {
  Disk disk;
  disk.name = name;
  disk.title = "disk of " + human_rate(rate);
  disk.drive = rate;
  disk.source = "given";
  return disk;
}

}  // namespace plimsoll
