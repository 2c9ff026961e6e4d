#include "plan/time/gemm_time.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace plimsoll {
namespace {

constexpr double kLargestSplit = 128;

struct Tile {
  double rows, columns, share;
};

// One library's kernels for one kind of product.
struct TileChoice {
  Tile tiles[9];
  size_t count;
  double start;           // of a tile, as so much more depth
  double shortest_split;  // of a sum; 0: none is split

  std::span<const Tile> all() const { return {tiles, count}; }
};

TileChoice on_matrix_units(const TorchParameters& p) {
  return {{{256, 128, 1},
           {128, 256, 1},
           {128, 128, p.tile_128x128},
           {128, 64, p.tile_128x64},
           {64, 128, p.tile_128x64},
           {64, 64, p.tile_64x64},
           {64, 32, p.tile_64x32},
           {32, 64, p.tile_64x32},
           {32, 32, p.tile_32x32}},
          9,
          p.tile_start,
          256};
}

// cuBLAS's f32 kernels, whose wider side lies along the columns. Many products at once have fewer of them: one since
// Ampere.
TileChoice on_general_units(bool many, bool older, const TorchParameters& p) {
  if (many && !older) return {{{128, 128, p.general_128x128}}, 1, p.general_start, 0};
  if (many)
    return {{{64, 128, p.general_128x64},
             {64, 64, p.general_64x64},
             {32, 128, p.general_128x32},
             {128, 32, p.general_128x32}},
            4,
            p.general_start,
            0};
  return {{{128, 128, p.general_128x128},
           {64, 128, p.general_128x64},
           {64, 64, p.general_64x64},
           {32, 128, p.general_128x32},
           {128, 32, p.general_128x32},
           {32, 64, p.general_64x32},
           {32, 32, p.general_32x32}},
          7,
          p.general_start,
          older ? 128.0 : 0};
}

TileChoice choice_of(const GemmShape& shape, GemmKernels kernels, const TorchParameters& p) {
  if (kernels == GemmKernels::matrix) return on_matrix_units(p);
  return on_general_units(shape.count > 1, kernels == GemmKernels::general_older, p);
}

// Operations that one multiprocessor does for each step of the depth, idle ones counted.
double in_tiles(const GemmShape& shape, const Tile& tile, double units) {
  const double tiles = std::ceil(shape.rows / tile.rows) * std::ceil(shape.columns / tile.columns) * shape.count;
  return std::ceil(tiles / units) * 2 * tile.rows * tile.columns / tile.share;
}

double quickest(const GemmShape& shape, double units, std::span<const Tile> tiles) {
  double best = in_tiles(shape, tiles[0], units);
  for (const Tile& tile : tiles) best = std::min(best, in_tiles(shape, tile, units));
  return best;
}

}  // namespace

double gemm_time(const GemmShape& shape, const GemmMachine& machine, const TorchParameters& parameters) {
  const TileChoice choice = choice_of(shape, machine.kernels, parameters);
  const double rate = machine.rate / machine.units;
  const auto seconds = [&](double split) {
    GemmShape part = shape;
    part.depth /= split, part.count *= split;
    const double sums = split > 1 ? shape.rows * shape.columns * part.count * 4 / machine.bandwidth : 0;
    return quickest(part, machine.units, choice.all()) * (part.depth + choice.start) / rate + sums;
  };
  double best = seconds(1);
  if (choice.shortest_split <= 0) return best;
  for (double split = 2; split <= kLargestSplit && shape.depth / split >= choice.shortest_split; split *= 2)
    best = std::min(best, seconds(split));
  return best;
}

}  // namespace plimsoll
