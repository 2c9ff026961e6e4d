// gemm_time: how long a matrix product takes that is cut into tiles: each multiprocessor computes one tile at a time,
// so the time goes in waves, and a product that leaves multiprocessors idle in its last wave pays for them. Libraries
// choose the tiles that end soonest, and split long sums where there are too few of them.
#pragma once

#include "plan/time/torch_parameters.h"

namespace plimsoll {

// `count` products of rows × columns × depth.
struct GemmShape {
  double rows = 1, columns = 1, depth = 1, count = 1;
};

// Which kernels a library has for a product.
enum class GemmKernels {
  matrix,         // for matrix units
  general,        // f32 on the general units: smaller tiles, sums that are not split
  general_older,  // the same before Ampere: sums are split, many products at once have several tiles to choose from
};

struct GemmMachine {
  double units = 1;      // multiprocessors
  double rate = 1;       // operations per second that a large product reaches on all of them
  double bandwidth = 1;  // bytes per second, for adding up the parts of split sums
  GemmKernels kernels = GemmKernels::matrix;
};

// In seconds, as if memory were no limit.
double gemm_time(const GemmShape& shape, const GemmMachine& machine, const TorchParameters& parameters);

}  // namespace plimsoll
