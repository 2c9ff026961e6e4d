// A convolution by tiles in some domain, for the instruction set that the including file is compiled for.
//
// A Domain says what its tiles are and brings them there and back:
//   kPoints, kComplex, kPlanes          numbers of a transformed tile, whether they are complex; then each has two
//                                       planes, its real and its imaginary part
//   two_reals(point)                    of a complex point: its parts are real numbers that have nothing to do with
//                                       each other
//   kMostTaps                           of a kernel
//   kLeastTogether                      floats of a block that all threads work on, at least
//   kSmallKernels, kSmallGradients      pairs of channels up to which each thread works (sums gradients) for itself
//   Domain(conv), height(), width()     outputs of a tile
//   input(plane, extent, top, left, to, stride)       a patch of the input, zeros outside of the plane
//   gradient(plane, extent, top, left, to, stride)    a tile of the output's gradient
//   kernel(taps, tap_stride, to, stride)              one kernel
//   output(from, stride, plane, extent, tile, adds, finish)
//                                       a tile of outputs, each as finish(output, before): `before` is what was there
//                                       if it `adds`, else zero
//   kernel_gradient(from, stride, taps, tap_stride)   the gradient of one kernel
// where one number is a vector of channels, and planes lie `stride` floats apart. Kernels and the output's gradient are
// the second factor.
#pragma once

#include "run/exec/tiled_conv/blocking.h"
#include "run/exec/tiled_conv/product.h"
#include "run/exec/tiled_conv/tile_team.h"

namespace plimsoll {
namespace {

// Tiles of a block from `first` on: f(plane, tile, place in a buffer of transformed tiles).
template <class F>
void for_each_tile(const Grid& grid, Plane extent, int64_t channel_blocks, int64_t first, int64_t count, int64_t block,
                   Team team, F&& f) {
  const Share items = team.of(channel_blocks * count);
  for (int64_t item = items.from; item < items.to; ++item) {
    const int64_t channel = item / count, index = item % count;
    const Tile tile = grid.at(first + index);
    f((tile.sample * channel_blocks + channel) * extent.floats(), channel, tile, (channel * block + index) * kLanes);
  }
}

template <class Domain>
class Convolution {
  static constexpr Registers kMost = Domain::kComplex ? plimsoll::kComplex : kReal;

 public:
  Convolution(const TiledConv& conv, const Domain& domain, const float* x, const float* weights, ChannelShift shift,
              float* y, float* work)
      : conv_(conv),
        domain_(domain),
        grid_(conv, domain.height(), domain.width()),
        blocking_(blocking(conv, domain)),
        x_(x),
        weights_(weights),
        shift_(shift),
        y_(y),
        kernels_(work),
        buffers_(work + blocking_.kernel_floats) {}

  static int64_t space(const TiledConv& conv, const Domain& domain) {
    const Blocking cut = blocking(conv, domain);
    return cut.kernel_floats + cut.buffer_floats() * (cut.together ? 1 : conv.threads);
  }

  // In a parallel region.
  void run() {
    const Team all{thread_number(), team_size()};
    transform_kernels(all);
    all.wait();
    const Team team = blocking_.together ? all : Team{0, 1};
    float* buffer = buffers_ + (blocking_.together ? 0 : all.member * blocking_.buffer_floats());
    const int64_t blocks = blocks_of(blocking_.tiles, blocking_.block);
    const Share mine = blocking_.together ? Share{0, blocks} : all.of(blocks);
    for (int64_t i = mine.from; i < mine.to; ++i) convolve_block(i * blocking_.block, buffer, team);
  }

 private:
  static Blocking blocking(const TiledConv& conv, const Domain& domain) {
    return {conv, domain, kMost.rows, Domain::kSmallKernels};
  }

  // kernels_[plane][block of outputs][input][lane of outputs]
  void transform_kernels(Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t stride = blocking_.kernel_stride;
    const int64_t taps = conv_.kernel_height * conv_.kernel_width;
    const Share items = team.of(outs * ins);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t out = item / ins, in = item % ins;
      const float* block = weights_ + (conv_.turned ? in * outs + out : item) * taps * kLanes * kLanes;
      for (int i = 0; i < kLanes; ++i) {
        float* to = kernels_ + (item * kLanes + i) * kLanes;
        if (conv_.turned) {
          float turned[Domain::kMostTaps * kLanes];
          turn(block + i, taps, turned);
          domain_.kernel(turned, kLanes, to, stride);
        } else {
          domain_.kernel(block + i * kLanes, kLanes * kLanes, to, stride);
        }
      }
    }
  }

  // [place][row] of one column to [last place - place][row]
  static void turn(const float* from, int64_t taps, float* to) {
    for (int64_t place = 0; place < taps; ++place)
      for (int row = 0; row < kLanes; ++row)
        to[(taps - 1 - place) * kLanes + row] = from[(place * kLanes + row) * kLanes];
  }

  void convolve_block(int64_t first, float* buffer, Team team) {
    const int64_t count = blocking_.tiles - first < blocking_.block ? blocking_.tiles - first : blocking_.block;
    float* products = buffer + blocking_.planes * blocking_.in_stride;
    const Plane extent{conv_.in_height, conv_.in_width};
    for_each_tile(grid_, extent, blocking_.in_blocks, first, count, blocking_.block, team,
                  [&](int64_t plane, int64_t, Tile tile, int64_t place) {
                    domain_.input(x_ + plane, extent, tile.row - conv_.pad_top, tile.column - conv_.pad_left,
                                  buffer + place, blocking_.in_stride);
                  });
    team.wait();
    multiply(buffer, products, count, team);
    team.wait();
    transform_back(products, first, count, team);
  }

  void multiply(const float* tiles, float* products, int64_t count, Team team) {
    const int64_t groups = blocks_of(blocking_.out_blocks, kMost.columns);
    const Share items = team.of(Domain::kPoints * groups);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t point = item / groups, out = item % groups * kMost.columns;
      if constexpr (Domain::kComplex) {
        if (!Domain::two_reals(point)) {
          multiply_plane<true>(tiles, products, 2 * point, out, count);
        } else {
          multiply_plane<false>(tiles, products, 2 * point, out, count);
          multiply_plane<false>(tiles, products, 2 * point + 1, out, count);
        }
      } else {
        multiply_plane<false>(tiles, products, point, out, count);
      }
    }
  }

  // All tiles of a plane, or a complex pair of them, by the kernels of some blocks of outputs.
  template <bool complex>
  void multiply_plane(const float* tiles, float* products, int64_t plane, int64_t out, int64_t count) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks, block = blocking_.block;
    const int64_t columns = outs - out < kMost.columns ? outs - out : kMost.columns;
    for (int64_t t = 0; t < count; t += kMost.rows) {
      const int64_t rows = count - t < kMost.rows ? count - t : kMost.rows;
      product_of<complex, kMost, kLanes, 1>(rows, columns)(
          {tiles + plane * blocking_.in_stride + t * kLanes, block * kLanes,
           kernels_ + plane * blocking_.kernel_stride + out * ins * kLanes * kLanes, ins * kLanes * kLanes, ins, kLanes,
           products + plane * blocking_.out_stride + (out * block + t) * kLanes, kLanes, block * kLanes, false,
           blocking_.in_stride, blocking_.kernel_stride, blocking_.out_stride});
    }
  }

  void transform_back(const float* products, int64_t first, int64_t count, Team team) {
    const Plane extent{conv_.out_height, conv_.out_width};
    for_each_tile(grid_, extent, blocking_.out_blocks, first, count, blocking_.block, team,
                  [&](int64_t plane, int64_t channel, Tile tile, int64_t place) {
                    const Vec scale = shift_.scale ? load(shift_.scale + channel * kLanes) : Vec{} + 1.0f;
                    const Vec shift = shift_.shift ? load(shift_.shift + channel * kLanes) : Vec{};
                    const auto finish = [&](Vec value, Vec before) {
                      if (shift_.shift) value = value * scale + shift;
                      value += before;
                      return conv_.relu ? largest(value, Vec{}) : value;
                    };
                    domain_.output(products + place, blocking_.out_stride, y_ + plane, extent, tile, conv_.adds,
                                   finish);
                  });
  }

  const TiledConv& conv_;
  const Domain domain_;
  const Grid grid_;
  const Blocking blocking_;
  const float *x_, *weights_;
  const ChannelShift shift_;
  float *y_, *kernels_, *buffers_;
};

}  // namespace
}  // namespace plimsoll
