// Convolution and weight gradient in Winograd's domain, for the instruction set that the including file is compiled
// for.
#pragma once

#include <omp.h>

#include "run/exec/winograd/blocking.h"
#include "run/exec/winograd/loops_table.h"
#include "run/exec/winograd/product.h"

namespace plimsoll {
namespace {

// Some threads that work on one block of tiles: all, or one by itself.
struct Team {
  int64_t member, members;
  Share of(int64_t count) const { return share(count, member, members); }
  void wait() const {
    if (members > 1) {
#pragma omp barrier
    }
  }
};

// Tiles of `source` from `first` on, transformed: to[point][block of channels][tile][lane].
template <int size, int points, class F>
void transform_tiles(const Grid& grid, Plane extent, int64_t shift_top, int64_t shift_left, const float* source,
                     int64_t channel_blocks, int64_t first, int64_t count, int64_t block, float* to, int64_t stride,
                     Team team, F&& transform) {
  const Share items = team.of(channel_blocks * count);
  for (int64_t item = items.from; item < items.to; ++item) {
    const int64_t channel = item / count, index = item % count;
    const Tile tile = grid.at(first + index);
    const float* plane = source + (tile.sample * channel_blocks + channel) * extent.height * extent.width * kLanes;
    Vec patch[size][size], at[points][points];
    load_patch(plane, extent, tile.row - shift_top, tile.column - shift_left, patch);
    both_axes(patch, at, transform);
    scatter(at, to + (channel * block + index) * kLanes, stride);
  }
}

template <int m>
class Convolution {
 public:
  static constexpr int kPoints = m + 2;

  Convolution(const WinogradConv& conv, const float* x, const float* weights, ChannelShift shift, float* y, float* work)
      : conv_(conv),
        grid_(conv),
        blocking_(conv, kRows, kSmallKernels),
        x_(x),
        weights_(weights),
        shift_(shift),
        y_(y),
        kernels_(work),
        buffers_(work + blocking_.kernel_floats) {}

  static int64_t space(const WinogradConv& conv) {
    const Blocking blocking(conv, kRows, kSmallKernels);
    return blocking.kernel_floats + blocking.buffer_floats() * (blocking.together ? 1 : conv.threads);
  }

  // In a parallel region.
  void run() {
    const Team all{omp_get_thread_num(), omp_get_num_threads()};
    transform_kernels(all);
    all.wait();
    const Team team = blocking_.together ? all : Team{0, 1};
    float* buffer = buffers_ + (blocking_.together ? 0 : all.member * blocking_.buffer_floats());
    const int64_t blocks = blocks_of(blocking_.tiles, blocking_.block);
    const Share mine = blocking_.together ? Share{0, blocks} : all.of(blocks);
    for (int64_t i = mine.from; i < mine.to; ++i) convolve_block(i * blocking_.block, buffer, team);
  }

 private:
  // kernels_[point][block of outputs][input][lane of outputs]
  void transform_kernels(Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t stride = outs * ins * kLanes * kLanes;
    const Share items = team.of(outs * ins);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t out = item / ins, in = item % ins;
      float turned[9 * kLanes * kLanes];
      const float* block = weights_ + (conv_.turned ? in * outs + out : item) * 9 * kLanes * kLanes;
      if (conv_.turned) {
        turn(block, turned);
        block = turned;
      }
      for (int i = 0; i < kLanes; ++i) {
        Vec kernel[3][3], at[kPoints][kPoints];
        gather(block + i * kLanes, kLanes * kLanes, kernel);
        both_axes(kernel, at, [](const Vec* g, Vec* o) { Transforms<m>::kernel(g, o); });
        scatter(at, kernels_ + (item * kLanes + i) * kLanes, stride);
      }
    }
  }

  // [place][row][column] to [8 - place][column][row]
  static void turn(const float* from, float* to) {
    for (int place = 0; place < 9; ++place)
      for (int row = 0; row < kLanes; ++row)
        for (int column = 0; column < kLanes; ++column)
          to[((8 - place) * kLanes + column) * kLanes + row] = from[(place * kLanes + row) * kLanes + column];
  }

  void convolve_block(int64_t first, float* buffer, Team team) {
    const int64_t count = blocking_.tiles - first < blocking_.block ? blocking_.tiles - first : blocking_.block;
    float* products = buffer + blocking_.points * blocking_.in_stride;
    transform_tiles<kPoints, kPoints>(grid_, {conv_.in_height, conv_.in_width}, conv_.pad_top, conv_.pad_left, x_,
                                      blocking_.in_blocks, first, count, blocking_.block, buffer, blocking_.in_stride,
                                      team, [](const Vec* d, Vec* o) { Transforms<m>::input(d, o); });
    team.wait();
    multiply(buffer, products, count, team);
    team.wait();
    transform_back(products, first, count, team);
  }

  void multiply(const float* tiles, float* products, int64_t count, Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t groups = blocks_of(outs, kColumns);
    const Share items = team.of(blocking_.points * groups);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t point = item / groups, out = item % groups * kColumns;
      const int64_t columns = outs - out < kColumns ? outs - out : kColumns;
      for (int64_t t = 0; t < count; t += kRows) {
        const int64_t rows = count - t < kRows ? count - t : kRows;
        product_of<kRows, kColumns, kLanes, 1>(
            rows, columns)({tiles + point * blocking_.in_stride + t * kLanes, blocking_.block * kLanes,
                            kernels_ + (point * outs + out) * ins * kLanes * kLanes, ins * kLanes * kLanes, ins, kLanes,
                            products + point * blocking_.out_stride + (out * blocking_.block + t) * kLanes, kLanes,
                            blocking_.block * kLanes, false});
      }
    }
  }

  void transform_back(const float* products, int64_t first, int64_t count, Team team) {
    const int64_t outs = blocking_.out_blocks;
    const Plane extent{conv_.out_height, conv_.out_width};
    const Share items = team.of(outs * count);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t channel = item / count, index = item % count;
      const Tile tile = grid_.at(first + index);
      Vec at[kPoints][kPoints], patch[m][m];
      gather(products + (channel * blocking_.block + index) * kLanes, blocking_.out_stride, at);
      both_axes(at, patch, [](const Vec* p, Vec* o) { Transforms<m>::output(p, o); });
      shift(patch, channel);
      if (conv_.relu)
        for (auto& row : patch)
          for (auto& value : row) value = largest(value, Vec{});
      store_patch(y_ + (tile.sample * outs + channel) * extent.height * extent.width * kLanes, extent, tile.row,
                  tile.column, patch);
    }
  }

  void shift(Vec (&patch)[m][m], int64_t channel) const {
    if (!shift_.shift) return;
    const Vec scale = shift_.scale ? load(shift_.scale + channel * kLanes) : Vec{} + 1.0f;
    const Vec shift = load(shift_.shift + channel * kLanes);
    for (auto& row : patch)
      for (auto& value : row) value = value * scale + shift;
  }

  const WinogradConv& conv_;
  const Grid grid_;
  const Blocking blocking_;
  const float *x_, *weights_;
  const ChannelShift shift_;
  float *y_, *kernels_, *buffers_;
};

template <int m>
class Gradient {
 public:
  static constexpr int kPoints = m + 2;

  Gradient(const WinogradConv& conv, const float* x, const float* dy, float* dweights, float* work)
      : conv_(conv),
        grid_(conv),
        blocking_(conv, kBackRows, kSmallGradients),
        x_(x),
        dy_(dy),
        dweights_(dweights),
        sums_(work),
        buffers_(work + blocking_.kernel_floats * teams(conv, blocking_)) {}

  static int64_t space(const WinogradConv& conv) {
    const Blocking blocking(conv, kBackRows, kSmallGradients);
    return (blocking.kernel_floats + blocking.buffer_floats()) * teams(conv, blocking);
  }

  // In a parallel region.
  void run() {
    const Team all{omp_get_thread_num(), omp_get_num_threads()};
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
  static int64_t teams(const WinogradConv& conv, const Blocking& blocking) {
    return blocking.together ? 1 : conv.threads;
  }

  void add_block(int64_t first, bool add, float* buffer, float* sums, Team team) {
    const int64_t count = blocking_.tiles - first < blocking_.block ? blocking_.tiles - first : blocking_.block;
    float* gradients = buffer + blocking_.points * blocking_.in_stride;
    transform_tiles<kPoints, kPoints>(grid_, {conv_.in_height, conv_.in_width}, conv_.pad_top, conv_.pad_left, x_,
                                      blocking_.in_blocks, first, count, blocking_.block, buffer, blocking_.in_stride,
                                      team, [](const Vec* d, Vec* o) { Transforms<m>::input(d, o); });
    transform_tiles<m, kPoints>(grid_, {conv_.out_height, conv_.out_width}, 0, 0, dy_, blocking_.out_blocks, first,
                                count, blocking_.block, gradients, blocking_.out_stride, team,
                                [](const Vec* d, Vec* o) { Transforms<m>::output_back(d, o); });
    team.wait();
    multiply(buffer, gradients, sums, count, add, team);
    team.wait();
  }

  // sums[point][block of outputs][input][lane of outputs]
  void multiply(const float* tiles, const float* gradients, float* sums, int64_t count, bool add, Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t groups = blocks_of(outs, kBackColumns), size = blocks_of(outs, groups);
    const Share items = team.of(blocking_.points * groups);
    for (int64_t item = items.from; item < items.to; ++item) {
      const int64_t point = item / groups, out = item % groups * size;
      const int64_t columns = outs - out < size ? outs - out : size;
      if (columns <= 0) continue;
      for (int64_t in = 0; in < ins * kLanes; in += kBackRows)
        product_of<kBackRows, kBackColumns, 1, kLanes>(kBackRows, columns)(
            {tiles + point * blocking_.in_stride + in / kLanes * blocking_.block * kLanes + in % kLanes, 0,
             gradients + point * blocking_.out_stride + out * blocking_.block * kLanes, blocking_.block * kLanes, 1,
             count, sums + ((point * outs + out) * ins * kLanes + in) * kLanes, kLanes, ins * kLanes * kLanes, add});
    }
  }

  void transform_back(Team team) {
    const int64_t ins = blocking_.in_blocks, outs = blocking_.out_blocks;
    const int64_t stride = outs * ins * kLanes * kLanes;
    const Share items = team.of(outs * ins);
    for (int64_t item = items.from; item < items.to; ++item)
      for (int i = 0; i < kLanes; ++i) {
        Vec at[kPoints][kPoints], kernel[3][3];
        gather(sums_ + (item * kLanes + i) * kLanes, stride, at);
        for (int64_t other = 1; other < teams(conv_, blocking_); ++other) {
          Vec more[kPoints][kPoints];
          gather(sums_ + other * blocking_.kernel_floats + (item * kLanes + i) * kLanes, stride, more);
          for (int p = 0; p < kPoints; ++p)
            for (int q = 0; q < kPoints; ++q) at[p][q] += more[p][q];
        }
        both_axes(at, kernel, [](const Vec* s, Vec* g) { Transforms<m>::kernel_back(s, g); });
        scatter(kernel, dweights_ + (item * 9 * kLanes + i) * kLanes, kLanes * kLanes);
      }
  }

  const WinogradConv& conv_;
  const Grid grid_;
  const Blocking blocking_;
  const float *x_, *dy_;
  float *dweights_, *sums_, *buffers_;
};

template <template <int> class Work, class... Arguments>
void run_in_parallel(const WinogradConv& conv, Arguments... arguments) {
  const auto run = [&](auto work) {
#pragma omp parallel num_threads(conv.threads)
    work.run();
  };
  if (conv.tile == 2) run(Work<2>(conv, arguments...));
  else run(Work<4>(conv, arguments...));
}

constexpr WinogradLoops kLoops{
    kLanes,
    [](const WinogradConv& conv) { return conv.tile == 2 ? Convolution<2>::space(conv) : Convolution<4>::space(conv); },
    [](const WinogradConv& conv) { return conv.tile == 2 ? Gradient<2>::space(conv) : Gradient<4>::space(conv); },
    [](const WinogradConv& conv, const float* x, const float* weights, ChannelShift shift, float* y, float* work) {
      run_in_parallel<Convolution>(conv, x, weights, shift, y, work);
    },
    [](const WinogradConv& conv, const float* x, const float* dy, float* dweights, float* work) {
      run_in_parallel<Gradient>(conv, x, dy, dweights, work);
    }};

}  // namespace
}  // namespace plimsoll
