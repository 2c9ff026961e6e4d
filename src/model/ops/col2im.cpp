// col2im: adds columns of blocks (batch, channels × block, positions) back into an image; the inverse of
// cutting an image into sliding blocks. Inputs 1 and 2 are the image's and the block's spatial sizes.
// Cost: one addition for each number read.
#include <fmt/format.h>

#include "model/ops/adjoint.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/window.h"

namespace plimsoll {
namespace {

struct Blocks {
  Window window;
  Shape image;
  std::vector<int64_t> positions;
};

Result<Blocks> blocks_of(const OpCall& call) {
  const Shape& x = call.shape(0);
  PLIM_ASSIGN(auto image, call.integers("image_shape", 1));
  PLIM_ASSIGN(auto block, call.integers("block_shape", 2));
  if (x.rank() != 3 || !image || !block || image->empty() || image->size() != block->size())
    return user_error(
        fmt::format("input {}: expected (batch, channels × block, positions) and an image and a block of "
                    "as many sizes",
                    x.text()));
  Count taps(1), positions(1);
  for (const int64_t size : *block) taps = taps * std::max<int64_t>(0, size);
  if (taps.value() < 1 || x[1] % taps.value() != 0)
    return user_error(
        fmt::format("input {} has no whole number of channels for a block of {}", x.text(), fmt::join(*block, "x")));
  Blocks blocks;
  blocks.image = Shape{x[0], x[1] / taps.value()};
  for (const int64_t size : *image) {
    if (size < 1 || size > int64_t{1} << 31)
      return user_error(fmt::format("the image is {}, expected sizes of at least 1", fmt::join(*image, "x")));
    blocks.image.push_back(size);
  }
  PLIM_ASSIGN(blocks.window, read_window(call.attributes, blocks.image, *block));
  PLIM_ASSIGN(blocks.positions, window_output(blocks.window, blocks.image, false));
  for (const int64_t size : blocks.positions) positions = positions * size;
  if (positions != Count(x[2]))
    return user_error(fmt::format("input {} has {} positions, an image of {} and a block of {} have {}", x.text(), x[2],
                                  fmt::join(*image, "x"), fmt::join(*block, "x"), positions.value()));
  return blocks;
}

Result<std::vector<TensorType>> infer_col2im(const OpCall& call) {
  PLIM_ASSIGN(Blocks blocks, blocks_of(call));
  return std::vector{TensorType{call.dtype(0), blocks.image}};
}

Cost cost_col2im(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

// Visits every number of the columns that lies inside the image: f(offset in the columns, offset in the image).
template <class F>
void for_numbers(const Blocks& blocks, const Shape& columns, F&& f) {
  const auto size = spatial(blocks.image);
  const int64_t planes = blocks.image.elements(0, 2).value(), length = columns[2];
  const int64_t plane = blocks.image.elements(2, blocks.image.rank()).value();
  const int64_t taps = columns[1] / std::max<int64_t>(1, blocks.image[1]);
  for (int64_t p = 0; p < planes; ++p) {
    std::vector<int64_t> at(size.size(), 0);
    for (int64_t i = 0; i < length; ++i, advance(at, blocks.positions))
      for_taps(blocks.window, size, at, [&](int64_t tap, int64_t offset) {
        f(size_t((p * taps + tap) * length + i), size_t(p * plane + offset));
      });
  }
}

bool reference_col2im(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  for_numbers(*blocks_of(call), in[0].shape(), [&](size_t from, size_t to) { y[to] += x[from]; });
  write_doubles(out, 0, y);
  return true;
}

// The image cut into columns again.
bool reference_col2im_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const ForwardCall forward(call);
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  for_numbers(*blocks_of(*forward), out[0].shape(), [&](size_t from, size_t to) { dx[from] = dy[to]; });
  write_doubles(out, 0, dx);
  return true;
}

void gradient_col2im(Backward& backward) {
  static const Op grad = adjoint_op("col2im_grad", nullptr, reference_col2im_grad);
  emit_moved_back(backward, grad);
}

std::vector<OpExample> examples_col2im() {
  using example::f32, example::ints, example::Ints;
  return {{"2-D", {}, {f32({2, 12, 9}), ints({4, 4}), ints({2, 2})}},
          {"strided, padded",
           {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}},
           {f32({2, 4, 9}), ints({4, 4}), ints({2, 2})}}};
}

}  // namespace

const Op& col2im_op() {
  static const Op op{.name = "col2im",
                     .onnx = {"Col2Im"},
                     .roles = "xcc",
                     .required_inputs = 3,
                     .infer = infer_col2im,
                     .cost = cost_col2im,
                     .reference = reference_col2im,
                     .gradient = gradient_col2im,
                     .examples = examples_col2im};
  return op;
}

}  // namespace plimsoll
