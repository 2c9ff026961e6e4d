// Reachable: what a GPU's products and memory reach under load, where a data sheet says what they could. A device file
// may have both numbers measured (gemm_rate, reached_bandwidth; `devices calibrate` writes them); without them they
// follow from the data sheet, the generation and the power that the card may draw.
#pragma once

#include "plan/devices/device.h"

namespace plimsoll {

// Desktop parts whose matrix units sum in 32 bits at half their rate. They are never short of power or data.
bool has_half_rate(const Device& device);

class Reachable {
 public:
  explicit Reachable(const Device& device);

  double matrix(DType dtype) const;     // operations per second of a large product on matrix units; 0: there are none
  double sustained(DType dtype) const;  // the same, of the products of a network one after another
  double general(DType dtype) const;    // on the general units; f32's where the format is unknown
  // Of that rate, what is left to kernels that draw so many times the power of a large product's.
  double general_at(double power) const;
  double bandwidth() const { return bandwidth_; }

 private:
  const Device& device_;
  double matrix_share_ = 1, sustained_ = 1, general_share_ = 1, bandwidth_ = 1;
  double general_power_ = 1;  // there is, against what a large product on the general units draws at the full clock
};

// The share of its nominal bandwidth that a plain copy of a large tensor reaches; a measured one is divided by it.
inline constexpr double kCopyShare = 0.92;

}  // namespace plimsoll
