#include "plan/time/gemm_time.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kLargestSplit = 128;
constexpr double kShortestSplit = 256;  // of a sum that is worth splitting

struct Tile {
  double rows, columns, share;
};

double in_tiles(const GemmShape& shape, const Tile& tile, double units) {
  const double tiles = std::ceil(shape.rows / tile.rows) * std::ceil(shape.columns / tile.columns) * shape.count;
  return std::ceil(tiles / units) * 2 * tile.rows * tile.columns / tile.share;
}

// Operations that one multiprocessor does for each step of the depth, idle ones counted.
double quickest(const GemmShape& shape, double units, const TorchParameters& p) {
  const Tile tiles[] = {{256, 128, 1},
                        {128, 256, 1},
                        {128, 128, p.tile_128x128},
                        {128, 64, p.tile_128x64},
                        {64, 128, p.tile_128x64},
                        {64, 64, p.tile_64x64},
                        {64, 32, p.tile_64x32},
                        {32, 64, p.tile_64x32},
                        {32, 32, p.tile_32x32}};
  double best = in_tiles(shape, tiles[0], units);
  for (const Tile& tile : tiles) best = std::min(best, in_tiles(shape, tile, units));
  return best;
}

}  // namespace

double gemm_time(const GemmShape& shape, const GemmMachine& machine, const TorchParameters& parameters) {
  const double rate = machine.rate / machine.units;
  const auto seconds = [&](double split) {
    GemmShape part = shape;
    part.depth /= split, part.count *= split;
    const double sums = split > 1 ? shape.rows * shape.columns * part.count * 4 / machine.bandwidth : 0;
    return quickest(part, machine.units, parameters) * (part.depth + parameters.tile_start) / rate + sums;
  };
  double best = seconds(1);
  for (double split = 2; split <= kLargestSplit && shape.depth / split >= kShortestSplit; split *= 2)
    best = std::min(best, seconds(split));
  return best;
}

}  // namespace plimsoll
