// A 1x1 convolution with a stride reads every n-th pixel alone. Where the stride does not
// divide the picture (7x7 by 2), oneDNN has no kernel for that and is several times as slow; here the pixels are
// taken out first, into a workspace, and convolved without a stride. In the backward pass they are put between zeros.
#pragma once

#include "run/exec/loops/every_nth_pixel.h"
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
  std::optional<PixelStride> thinning(const Layout& thin) const;

  ConvShape shape_, dense_;
};

}  // namespace plimsoll
