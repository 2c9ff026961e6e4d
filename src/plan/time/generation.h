// What sets generations of GPUs apart, beside the numbers of a device's data sheet.
#pragma once

#include "plan/devices/device.h"
#include "plan/time/time_parameters.h"

namespace plimsoll {

struct Generation {
  double f32_share = 1;           // arithmetic against Pascal's share of its nominal peak
  double watts_per_teraflop = 0;  // f32, of parts that hold their clock; 0: not known
  double matrix_share = 1;        // matrix units against Volta's and Turing's share
  double bandwidth_share = 1;     // bandwidth against theirs: large caches help, very fast memory is hard to fill
};

Generation generation_of(const Device& device, const TimeParameters& parameters);

// The clock that a part sustains, against the one its peak is stated for. Small parts of a generation (T4, P4, L4)
// have too little power for it; power grows with about the 2.2th power of the clock.
double sustained_clock(const Device& device, const Generation& generation);

}  // namespace plimsoll
