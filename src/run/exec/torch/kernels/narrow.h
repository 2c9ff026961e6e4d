// NarrowFormat: products and convolutions in a format of fewer digits, as autocast has it: operands are converted, and
// the result is converted back to f32, in which everything is stored.
#pragma once

#include "run/exec/torch/torch_site.h"

namespace plimsoll {

class NarrowFormat {
 public:
  // What is asked for of a product; nullopt: it runs as its operands are.
  static std::optional<NarrowFormat> of(const TorchSite& site);
  // The same of a convolution, which may also have its channels last.
  static std::optional<NarrowFormat> of_images(const TorchSite& site);

  struct Operand {
    TorchTensor numbers;
    TorchTensor scale;  // by which they were divided; absent: they were not
  };
  Operand operand(const TorchTensor& x) const;

  // What was computed from both, as f32.
  static TorchTensor widened(const TorchTensor& result, const Operand& a, const Operand& b);

  // Images of this shape with their channels last, where that is asked for.
  TorchTensor ordered(TorchTensor x, const Shape& shape) const;
  // Memory for such an operand.
  TorchTensor unwritten(const Shape& shape) const;

 private:
  DType type_ = DType::f32;
  // f16 has no number below 6e-8: what a backward pass works on is divided by its largest number. That is the loss
  // scale of autocast, found anew for each operand, so no step is lost to a scale that was too large.
  bool scaled_ = false;
  bool channels_last_ = false;
};

}  // namespace plimsoll
