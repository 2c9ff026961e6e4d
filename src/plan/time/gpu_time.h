// The time of single kernels on a GPU: max(operations / (peak × share), bytes / (bandwidth × share)) + start, with
// shares by kind of work, shape, number format and generation.
#pragma once

#include "base/units.h"
#include "plan/devices/device.h"
#include "plan/time/execution.h"
#include "plan/time/generation.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

enum class Bound : uint8_t { arithmetic, bandwidth, launch };

std::string_view name_of(Bound bound);

struct OperationTime {
  Seconds seconds;
  Bound bound = Bound::launch;
};

// Borrows the parameters.
class GpuTime {
 public:
  GpuTime(const Device& device, const Execution& execution, const TimeParameters& parameters);

  // On the device, of all its runs in a pass.
  OperationTime operator()(const TimedOperation& operation) const;

 private:
  enum class Unit { f32, f64, matrix, stored16 };
  struct Way {
    Unit unit;
    double peak;
    double intensity;  // of matrix units: operations for each byte of bandwidth; 0 elsewhere
  };
  Way way_of(const TimedOperation& operation) const;
  double peak(DType dtype) const;         // of the general units; 0 when unknown
  double matrix_peak(DType dtype) const;  // 0 when there are none
  double arithmetic(const TimedOperation& operation, const Way& way) const;
  double arithmetic_f64(const TimedOperation& operation, const Way& way) const;
  double share_f32(const TimedOperation& operation, bool stored16) const;
  double share_matrix(const TimedOperation& operation) const;
  double transform_gain(const TimedOperation& operation, bool stored16) const;
  double tiles(const TimedOperation& operation) const;  // a multiprocessor
  double memory(const TimedOperation& operation, Unit unit) const;
  double depthwise(const TimedOperation& operation, Unit unit) const;

  const Device& device_;
  const Execution& execution_;
  const TimeParameters& p_;
  Generation generation_;
  double clock_ = 1, bandwidth_ = 0, units_ = 1, f32_ = 0;
};

}  // namespace plimsoll
