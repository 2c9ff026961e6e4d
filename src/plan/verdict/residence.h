// Residence: what sits on the disk, in RAM, in the CPU's caches and in the device's memory, and what each move between
// them costs.
//
// On a GPU the model and the batch pass through RAM; activations and gradients live on the device only. A CPU
// computes in RAM, and its last level of cache is the nearest place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/time/disk.h"
#include "plan/time/transfer.h"

namespace plimsoll {

struct ResidentBytes {
  Bytes parameters, gradients, optimizer;   // of the model; the last two are 0 in inference
  Bytes activations, activation_gradients;  // of the batch; the second is 0 when the first includes it
  Bytes input;                              // the decoded batch
  Bytes files;                              // the batch's samples on the disk
  Bytes results;                            // what comes back in each step: the loss, or the outputs
};

struct ResidenceSetup {
  ResidentBytes bytes;
  Device device;               // the part that computes
  std::optional<Device> host;  // the CPU beside a GPU, when it is known
  Disk disk;
  HostMemory host_memory = HostMemory::pageable;
  int64_t batch = 1;  // samples, each a file of its own on the disk
  int64_t steps_per_epoch = 1;
};

enum class Place { disk, ram, cache, device };

std::string_view name_of(Place place);

// One thing and the bytes of it in each place; absent where it never is.
struct Resident {
  std::string what;
  std::optional<Bytes> disk, ram, cache, device;
};

struct Move {
  std::string what;
  Place from = Place::disk, to = Place::ram;
  std::string over;  // "SATA 3 SSD", "PCIe 3.0 x16 by DMA, pageable"
  Bytes bytes;
  std::optional<Seconds> time;  // absent when the rate is unknown
  bool every_step = false;      // else once
  std::optional<Seconds> per_epoch;
};

struct Residence {
  std::vector<Resident> residents;
  std::vector<Move> moves;
  Bytes disk, ram, device;           // sums; on a CPU the device is RAM, and `device` is 0
  std::optional<Bytes> cache;        // the last level's size, when it is known
  std::vector<std::string> remarks;  // sentences
};

Result<Residence> residence(const ResidenceSetup& setup);

}  // namespace plimsoll
