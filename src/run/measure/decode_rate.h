// How many pictures a second one core decodes while all others do the same, and how many it decodes and augments.
#pragma once

#include "plan/devices/device.h"
#include "run/measure/team.h"

namespace plimsoll {

struct DecodeRate {
  int width = 0, height = 0;           // of the picture
  Bytes jpeg;                          // its size as a file
  ImagesPerSecond decoded, augmented;  // of one core

  // What a loader in Python would reach with the same augmentation (Pillow decodes, scipy warps: Keras' generators). A
  // prediction: our own loader was 2.09 and 2.16 times as fast in two runs of tools/keras_loader_rate.py.
  ImagesPerSecond in_python() const { return {augmented.per_second / 2.1}; }
};

Result<DecodeRate> measure_decoding(int threads, const Effort& effort);

}  // namespace plimsoll
