#include "run/exec/onednn/kernels/thinned_conv.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kLine = 64;

class ThinnedKernel : public Kernel {
 public:
  enum class Side { input, output };

  ThinnedKernel(Side side, const PixelStride& thinning, std::unique_ptr<Kernel> dense)
      : side_(side), thinning_(thinning), dense_(std::move(dense)) {}

  Bytes workspace() const override { return thin_bytes() + dense_->workspace(); }

  void prepare(Places places) override {
    thin_ = places.work();
    whole_ = reinterpret_cast<float*>(side_ == Side::input ? places.inputs[0] : places.outputs[0]);
    (side_ == Side::input ? places.inputs : places.outputs)[0] = places.workspace;
    places.workspace += thin_bytes().value();
    dense_->prepare(std::move(places));
  }

  void run() override {
    if (side_ == Side::input) take_every_nth(thinning_, whole_, thin_);
    dense_->run();
    if (side_ == Side::output) put_every_nth(thinning_, thin_, whole_);
  }

 private:
  Bytes thin_bytes() const {
    const auto& t = thinning_;
    const int64_t bytes = t.pictures * t.thin_height * t.thin_width * t.numbers * int64_t(sizeof(float));
    return Bytes((bytes + kLine - 1) / kLine * kLine);
  }

  Side side_;
  PixelStride thinning_;
  std::unique_ptr<Kernel> dense_;
  float *thin_ = nullptr, *whole_ = nullptr;
};

bool all_are(const Dims& numbers, int64_t wanted) {
  return std::all_of(numbers.begin(), numbers.end(), [&](int64_t number) { return number == wanted; });
}

}  // namespace

std::optional<ThinnedConv> ThinnedConv::of(const ConvShape& shape) {
  const bool pictures = shape.x.size() == 4 && shape.weights.size() == 4;  // one more axis: groups
  if (!pictures || shape.weights[2] != 1 || shape.weights[3] != 1) return std::nullopt;
  if (!all_are(shape.pad_begin, 0) || !all_are(shape.pad_end, 0) || all_are(shape.strides, 1)) return std::nullopt;
  const auto divides = [&](size_t axis) { return shape.y[axis + 2] * shape.strides[axis] == shape.x[axis + 2]; };
  if (divides(0) && divides(1)) return std::nullopt;
  ConvShape dense = shape;
  dense.x[2] = shape.y[2];
  dense.x[3] = shape.y[3];
  dense.strides = {1, 1};
  return ThinnedConv(shape, std::move(dense));
}

std::optional<PixelStride> ThinnedConv::thinning(const Layout& thin) const {
  PixelStride t{.pictures = shape_.x[0],
                .height = shape_.x[2],
                .width = shape_.x[3],
                .thin_height = shape_.y[2],
                .thin_width = shape_.y[3],
                .row_stride = shape_.strides[0],
                .column_stride = shape_.strides[1]};
  const Shape shape(dense_.x);
  if (const auto blocks = channel_blocks(thin, shape)) {
    t.pictures *= blocks->blocks();
    t.numbers = blocks->block;
  } else if (is_channels_last(thin, shape)) {
    t.numbers = shape_.x[1];
  } else {
    return std::nullopt;
  }
  return t;
}

std::optional<Layout> ThinnedConv::whole(const Layout& thin) const {
  if (!thinning(thin)) return std::nullopt;
  return same_order(thin, Shape(dense_.x), Shape(shape_.x));
}

std::unique_ptr<Kernel> ThinnedConv::take_input(const Layout& thin, std::unique_ptr<Kernel> kernel) const {
  return std::make_unique<ThinnedKernel>(ThinnedKernel::Side::input, *thinning(thin), std::move(kernel));
}

std::unique_ptr<Kernel> ThinnedConv::put_output(const Layout& thin, std::unique_ptr<Kernel> kernel) const {
  return std::make_unique<ThinnedKernel>(ThinnedKernel::Side::output, *thinning(thin), std::move(kernel));
}

}  // namespace plimsoll
