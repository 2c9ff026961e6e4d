#include "plan/time/transfer.h"

namespace plimsoll {
namespace {

// Of a PCIe link's rate, what is left after packet headers and flow control: measured 5.9 of 8 GB/s on PCIe 2.0 x16
// and about 12.3 of 15.75 GB/s on PCIe 3.0 x16.
constexpr double kPinnedShare = 0.78;

// One core's copy into the pinned buffer.
constexpr double kStagingRate = 10e9;

// The driver's call and the DMA engine's start.
constexpr double kStart = 10e-6;

}  // namespace

std::string_view name_of(HostMemory memory) { return memory == HostMemory::pinned ? "pinned" : "pageable"; }

bool has_memory_of_its_own(const Device& device) {
  return device.kind == DeviceKind::gpu && device.host_link && device.host_link->per_second > 0;
}

Transfer transfer(const Device& device, Bytes bytes, HostMemory memory) {
  Transfer transfer{bytes, {}, {}};
  if (!has_memory_of_its_own(device) || bytes.value() <= 0) return transfer;
  double rate = device.host_link->per_second * kPinnedShare;
  if (memory == HostMemory::pageable) rate = 1 / (1 / rate + 1 / kStagingRate);
  transfer.rate = {rate};
  transfer.time = {kStart + double(bytes.value()) / rate};
  return transfer;
}

}  // namespace plimsoll
