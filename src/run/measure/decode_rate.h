// How many pictures a second one core decodes while all others do the same, and how many it decodes and augments.
#pragma once

#include "plan/devices/device.h"
#include "run/measure/team.h"

namespace plimsoll {

struct DecodeRate {
  int width = 0, height = 0;           // of the picture
  Bytes jpeg;                          // its size as a file
  ImagesPerSecond decoded, augmented;  // of one core
};

Result<DecodeRate> measure_decoding(int threads, const Effort& effort);

}  // namespace plimsoll
