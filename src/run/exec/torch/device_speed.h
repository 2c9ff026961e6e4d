// How fast the device is that libtorch drives, through the same calls that steps make: large products by format, copies
// on it and to it, and what a call costs that computes nearly nothing.
#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "base/units.h"
#include "run/exec/compute_format.h"

namespace plimsoll {

class DeviceSpeed {
 public:
  // Opens libtorch for the device. `seconds`: how long each figure is measured for, about.
  static Result<DeviceSpeed> open(const RunDevice& device, int threads, Seconds seconds);

  // The best of all repetitions. A format that the device's library cannot compute is nullopt.
  std::optional<FlopsPerSecond> product(ComputeFormat::Numbers format) const;
  Result<BytesPerSecond> copy() const;  // on the device, bytes read and written together
  Result<BytesPerSecond> to_device() const;
  Result<BytesPerSecond> to_host() const;
  Result<Seconds> call() const;  // of an operation on one number, when many follow each other
  // What libraries hold on a GPU beside what was asked for here; nullopt: there is no GPU.
  std::optional<Bytes> context() const;

  int64_t rows() const { return rows_; }  // and columns, of the matrices
  Bytes copied() const { return Bytes(bytes_); }

 private:
  DeviceSpeed() = default;
  Result<Seconds> best_of(const std::function<void()>& run) const;

  RunDevice device_;
  Seconds seconds_;
  int64_t rows_ = 0, bytes_ = 0;
};

}  // namespace plimsoll
