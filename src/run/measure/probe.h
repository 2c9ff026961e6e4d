// Measures this machine: operations per second in each number format and of convolutions, bandwidth of each level of
// memory, the disk, and the decoding of pictures. Takes about fifteen seconds, a few when quick. Nothing is left behind
// when it is interrupted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/devices/device.h"
#include "plan/devices/this_machine.h"
#include "run/measure/bandwidth.h"
#include "run/measure/caches.h"
#include "run/measure/decode_rate.h"
#include "run/measure/disk_speed.h"

namespace plimsoll {

struct ProbeOptions {
  bool quick = false;
  std::string folder = ".";                          // whose disk is measured
  std::function<void(std::string_view)> progress{};  // told what comes next; may be empty
};

struct MeasuredPeak {
  DType type;
  std::string_view instruction_set;
  FlopsPerSecond one, all;  // cores
};

struct MeasuredLevel {
  std::string_view name;
  Bytes each_one, each_all;  // what each core worked on
  Bandwidth one, all;
};

struct Probe {
  std::string date;  // of the measurement
  bool quick = false;
  Seconds took;
  MachineFacts machine;
  Caches caches;
  int team = 1;  // cores that worked at once
  std::vector<MeasuredPeak> peaks;
  std::vector<MeasuredLevel> levels;  // a level that all cores together do not have to themselves is left out
  BytesPerSecond fresh_memory;        // at its first touch, of all cores together
  ConvRates conv_rates;               // of our engine, with all cores
  MemoryBoundRates memory_bound_rates;
  DiskSpeed disk;
  DecodeRate decoding;
  std::vector<std::string> notes;  // what makes the figures doubtful, or leaves one out
};

Result<Probe> probe_this_machine(const ProbeOptions& options);

// As a device called "this", in the form that is kept.
Device probe_device(const Probe& probe);

}  // namespace plimsoll
