// The gradient of a convolution's weights by tiles in some domain (see convolution.h), for the instruction set that the
// including file is compiled for.
#pragma once

#include "run/exec/tiled_conv/tiled_convolution.h"

namespace plimsoll {
namespace {

template <class Domain>
class Gradient {
  static constexpr Registers kMost = Domain::kComplex ? kComplexBack : kRealBack;

 public:
  Gradient(const TiledConv& conv, const Domain& domain, const float* x, const float* dy, float* dweights, float* work)
      : conv_(conv),
        domain_(domain),
        grid_(conv, domain.height(), domain.width()),
        blocking_(blocking(conv, domain)),
        x_(x),
        dy_(dy),
        dweights_(dweights),
        sums_(work),
        buffers_(work + blocking_.kernel_floats * teams(conv, blocking_)) {}

  static int64_t space(const TiledConv& conv, const Domain& domain) {
    const Blocking cut = blocking(conv, domain);
    return (cut.kernel_floats + cut.buffer_floats()) * teams(conv, cut);
  }

  // In a parallel region.
  void run() {
    const Team all{thread_number(), team_size()};
    const Team team = blocking_.together ? all : Team{0, 1};
    const int64_t own = blocking_.together ? 0 : all.member;
    const int64_t blocks = blocks_of(blocking_.tiles, blocking_.block);
    const Share mine = blocking_.together ? Share{0, blocks} : all.of(blocks);
    float* sums = sums_ + own * blocking_.kernel_floats;
    if (mine.from == mine.to)
      for (int64_t i = 0; i < blocking_.kernel_floats; ++i) sums[i] = 0;
    for (int64_t i = mine.from; i < mine.to; ++i)
      add_block(i * blocking_.block, i > mine.from, buffers_ + own * blocking_.buffer_floats(), sums, team);
    all.wait();
    transform_back(all);
  }

 private:
  static Blocking blocking(const TiledConv& conv, const Domain& domain) {
    return {conv, domain, kMost.rows, Domain::kSmallGradients};
  }

  static int64_t teams(const TiledConv& conv, const Blocking& blocking) { return blocking.together ? 1 : conv.threads; }

  void add_block(int64_t first, bool add, float* buffer, float* sums, Team team) {
    const int64_t count = blocking_.tiles - first < blocking_.block ? blocking_.tiles - first : blocking_.block;
    float* gradients = buffer + blocking_.planes * blocking_.in_stride;
    const Plane in{conv_.in_height, conv_.in_width}, out{conv_.out_height, conv_.out_width};
    for_each_tile(grid_, in, blocking_.in_blocks, first, count, blocking_.block, team,
                  [&](int64_t plane, int64_t, Tile tile, int64_t place) {
                    domain_.input(x_ + plane, in, tile.row - conv_.pad_top, tile.column - conv_.pad_left,
                                  buffer + place, blocking_.in_stride);
                  });
    for_each_tile(grid_, out, blocking_.out_blocks, first, count, blocking_.block, team,
                  [&](int64_t plane, int64_t, Tile tile, int64_t place) {
                    domain_.gradient(dy_ + plane, out, tile.row, tile.column, gradients + place, blocking_.out_stride);
                  });
    team.wait();
    multiply(buffer, gradients, sums, count, add, team);
    team.wait();
  }

  // sums[plane][block of outputs][input][lane of outputs]
  void multiply(const float* tiles, const float* gradients, float* sums, int64_t count, bool add, Team team) {
    const int64_t outs = blocking_.out_blocks;
    const int64_t groups = blocks_of(outs, kMost.columns), size = blocks_of(outs, groups);
    const Share items = team.of(Domain::kPoints * groups);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t point = item / groups, out = item % groups * size;
      const int64_t columns = outs - out < size ? outs - out : size;
      if (columns <= 0) continue;
      if constexpr (Domain::kComplex) {
        if (!Domain::two_reals(point)) {
          multiply_plane<true>(tiles, gradients, sums, 2 * point, {out, out + columns}, count, add);
        } else {
          multiply_plane<false>(tiles, gradients, sums, 2 * point, {out, out + columns}, count, add);
          multiply_plane<false>(tiles, gradients, sums, 2 * point + 1, {out, out + columns}, count, add);
        }
      } else {
        multiply_plane<false>(tiles, gradients, sums, point, {out, out + columns}, count, add);
      }
    }
  }

  template <bool complex>
  void multiply_plane(const float* tiles, const float* gradients, float* sums, int64_t plane, Share outs, int64_t count,
                      bool add) {
    const int64_t ins = blocking_.in_blocks, block = blocking_.block;
    for (int64_t in = 0; in < ins * kLanes; in += kMost.rows)
      product_of<complex, kMost, 1, kLanes>(kMost.rows, outs.to - outs.from)(
          {tiles + plane * blocking_.in_stride + in / kLanes * block * kLanes + in % kLanes, 0,
           gradients + plane * blocking_.out_stride + outs.from * block * kLanes, block * kLanes, 1, count,
           sums + plane * blocking_.kernel_stride + (outs.from * ins * kLanes + in) * kLanes, kLanes,
           ins * kLanes * kLanes, add, blocking_.in_stride, blocking_.out_stride, blocking_.kernel_stride});
  }

  void transform_back(Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t stride = blocking_.kernel_stride;
    const int64_t taps = conv_.kernel_height * conv_.kernel_width;
    const Share items = team.of(outs * ins);
    for (int64_t item = items.from; item < items.to; ++item)
      for (int i = 0; i < kLanes; ++i) {
        float* sum = sums_ + (item * kLanes + i) * kLanes;
        for (int64_t other = 1; other < teams(conv_, blocking_); ++other)
          for (int64_t plane = 0; plane < blocking_.planes; ++plane) {
            float* at = sum + plane * stride;
            store(at, load(at) + load(at + other * blocking_.kernel_floats));
          }
        domain_.kernel_gradient(sum, stride, dweights_ + (item * taps * kLanes + i) * kLanes, kLanes * kLanes);
      }
  }

  const TiledConv& conv_;
  const Domain domain_;
  const Grid grid_;
  const Blocking blocking_;
  const float *x_, *dy_;
  float *dweights_, *sums_, *buffers_;
};

}  // namespace
}  // namespace plimsoll
