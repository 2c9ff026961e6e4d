// A convolution with a kernel of one place that strides reads every so-manieth place alone. Where the stride does not
// divide the picture (7x7 by 2), oneDNN has no kernel for that and is several times as slow; here the places are
// taken out first, into a workspace, and convolved without a stride. On the way back they are put between zeros.
#pragma once

#include "run/exec/loops/thin.h"
#include "run/exec/onednn/kernel.h"
#include "run/exec/onednn/kernels/conv_descriptors.h"

namespace plimsoll {

class ThinnedConv {
 public:
  // nullopt: oneDNN does as well, or it is another kind of convolution.
  static std::optional<ThinnedConv> of(const ConvShape& shape);

  const ConvShape& dense() const { return dense_; }

  // The layout of the whole picture that goes with one of the thin picture; nullopt: none that places are taken from.
  std::optional<Layout> whole(const Layout& thin) const;

  // Around the kernel of dense(): its first input, or its first output, is the thin picture.
  std::unique_ptr<Kernel> take_input(const Layout& thin, std::unique_ptr<Kernel> kernel) const;
  std::unique_ptr<Kernel> put_output(const Layout& thin, std::unique_ptr<Kernel> kernel) const;

 private:
  ThinnedConv(const ConvShape& shape, ConvShape dense) : shape_(shape), dense_(std::move(dense)) {}
  std::optional<Thinning> thinning(const Layout& thin) const;

  ConvShape shape_, dense_;
};

}  // namespace plimsoll
