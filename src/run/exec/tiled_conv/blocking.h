// How a convolution by tiles is cut into blocks of tiles: small ones, which each thread carries through all
// stages in its own cache while the transformed kernels are small enough to be read again and again; or large ones, on
// which all threads work stage by stage, so that large kernels are read once.
#pragma once

#include "run/exec/tiled_conv/tiles.h"

namespace plimsoll {
namespace {

constexpr int64_t kFloatsInCache = 1 << 18;   // of the second level, for one thread's block
constexpr int64_t kFloatsTogether = 1 << 23;  // of a block that all work on, at most
constexpr int64_t kPageGap = kLanes;          // keeps the points of a tile from falling on the same cache sets

struct Blocking {
  int64_t in_blocks, out_blocks;  // of channels
  int64_t planes;                 // of transformed tiles: one for each point, two where points are complex
  int64_t tiles;                  // of all pictures
  int64_t block;                  // tiles of a block
  bool together;                  // all threads work on the same block
  int64_t kernel_stride;          // from one plane of the transformed kernels to the next
  int64_t kernel_floats;          // of all transformed kernels
  int64_t in_stride, out_stride;  // from one plane of the transformed tiles to the next

  // Kernels of up to `small_kernels` pairs of channels are read again for every small block.
  template <class Domain>
  Blocking(const TiledConv& conv, const Domain& domain, int64_t rows, int64_t small_kernels)
      : planes(Domain::kPlanes), tiles(Grid(conv, domain.height(), domain.width()).tiles) {
    in_blocks = blocks_of(conv.in_channels, kLanes);
    out_blocks = blocks_of(conv.out_channels, kLanes);
    kernel_stride = in_blocks * out_blocks * kLanes * kLanes + kPageGap;
    kernel_floats = planes * kernel_stride;
    const int64_t tile_floats = planes * (in_blocks + out_blocks) * kLanes;
    together = in_blocks * out_blocks * kLanes * kLanes > small_kernels;
    // A block that all work on is the larger the longer the kernels take to read.
    int64_t floats = kernel_floats / 2 < Domain::kLeastTogether ? Domain::kLeastTogether : kernel_floats / 2;
    if (floats > kFloatsTogether) floats = kFloatsTogether;
    block = (together ? floats : kFloatsInCache) / tile_floats / rows * rows;
    if (block < rows) block = rows;
    const int64_t most = together ? tiles : blocks_of(tiles, conv.threads);
    if (block > most) block = most;
    in_stride = in_blocks * block * kLanes + kPageGap;
    out_stride = out_blocks * block * kLanes + kPageGap;
  }

  int64_t buffer_floats() const { return planes * (in_stride + out_stride); }
};

}  // namespace
}  // namespace plimsoll
