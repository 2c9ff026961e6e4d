// Where the numbers of a depthwise convolution lie, and how its work is cut for threads. Compiled for each instruction
// set, as tiled_conv/vectors.h describes it.
#pragma once

#include "run/exec/depthwise/depthwise.h"
#include "run/exec/tiled_conv/tile_team.h"
#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

// Outputs that stay in registers together: 14 and 7 divide the planes of the usual networks.
#if defined(__AVX512F__)
constexpr int kWideTile = 14;
#else
constexpr int kWideTile = 7;
#endif
constexpr int kNarrowTile = 7;

// One block of channels of pictures of one size.
struct Planes {
  int64_t height, width, step;  // from one position to the next, in floats
  int64_t sample, block;        // from one sample and one block to the next

  Planes(const DepthwiseConv& conv, int64_t height, int64_t width)
      : height(height),
        width(width),
        step(conv.channels_last ? conv.channels : kLanes),
        sample(blocks_of(conv.channels, kLanes) * kLanes * height * width),
        block(conv.channels_last ? kLanes : kLanes * height * width) {}

  int64_t at(int64_t n, int64_t b) const { return n * sample + b * block; }
  int64_t row() const { return width * step; }
};

// Items are the same whatever the number of threads.
template <class F>
void for_items(int threads, int64_t items, F f) {
  auto work = [&] {
    const Share own = share(items, thread_number(), team_size());
    for (int64_t item = own.from; item < own.to; ++item) f(item);
  };
  in_region_of(threads, work);
}

constexpr int64_t kRowsOfItem = 8;

// f(sample, block, rows) for all rows of planes of that height.
template <class F>
void for_bands(const DepthwiseConv& conv, int64_t height, F f) {
  const int64_t bands = blocks_of(height, kRowsOfItem), blocks = blocks_of(conv.channels, kLanes);
  for_items(conv.threads, conv.batch * blocks * bands, [&](int64_t item) {
    const int64_t plane = item / bands, first = item % bands * kRowsOfItem;
    const int64_t last = first + kRowsOfItem;
    f(plane / blocks, plane % blocks, Share{first, last < height ? last : height});
  });
}

inline bool is_inside(int64_t i, int64_t size) { return uint64_t(i) < uint64_t(size); }

}  // namespace
}  // namespace plimsoll
