// DeviceSum: the mean of values over the devices of all workers, taken on the devices themselves, beside the step that
// computes them. Made by an Executor; from the thread that computes. All workers call with the same values in the same
// order. What it works on is the executor's; between steps and at the end it touches nothing of that.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/result.h"
#include "base/units.h"
#include "model/ir/program.h"

namespace plimsoll {

// What the means of a step came to.
struct DeviceMeans {
  Seconds busy;                            // of the communication
  double own_square = 0, mean_square = 0;  // squared lengths of this worker's gradients and of the means
};

class DeviceSum {
 public:
  using Id = std::array<std::byte, 128>;  // of one group of workers; made by one, told to all

  virtual ~DeviceSum() = default;
  virtual Result<Id> new_id() = 0;
  virtual Status join(const Id& id, int rank, int workers) = 0;

  // These are final: their mean is taken after what was launched so far, beside what follows, in place.
  virtual void begin(std::span<const ValueId> values, bool gradients) = 0;
  // All that was begun is in, and what is launched from here on sees it.
  virtual DeviceMeans finish() = 0;
};

}  // namespace plimsoll
