// TimedProgram: what a Program's operations ask of a device, without the device. Made once, then timed on
// as many devices as one likes (step_time.h).
#pragma once

#include <vector>

#include "base/dtype.h"
#include "model/ir/program.h"
#include "plan/devices/conv_rates.h"
#include "plan/devices/memory_bound_rates.h"

namespace plimsoll {

// Kinds of work that run at different shares of a device's peak or bandwidth.
enum class Work : uint8_t {
  nothing,    // a view: no kernel, no bytes
  element,    // number by number, copies, gathers
  normalise,  // batch, layer and group norms, softmax: several passes over the data
  pool,
  reduce,        // sums over rows or planes
  convolution,   // the output of one
  grad_data,     // of a convolution
  grad_weights,  // of a convolution
  product,       // matrix products
  update,        // of parameters
};
inline constexpr size_t kWorks = 10;

std::string_view name_of(Work work);

// What a norm takes its statistics over.
enum class Norm : uint8_t { none, batch, row };

Work work_of(const Operation& operation);
Norm norm_of(const Operation& operation);

// A convolution or product as the matrix product that it amounts to: `groups` times rows × columns × depth,
// where rows are output channels, columns positions of the whole batch, and depth what is summed over.
struct ProductShape {
  double groups = 1, rows = 0, columns = 0, depth = 0;
  double taps = 1;          // kernel elements of a convolution
  double channels = 0;      // input channels of one group
  double batches = 1;       // independent products that `columns` counts together: heads and samples of an attention
  bool transforms = false;  // 3×3 or 5×5, stride 1, not grouped: Winograd or FFT save multiplications
};

struct TimedOperation {
  Work work = Work::nothing;
  Phase phase = Phase::forward;
  DType dtype = DType::f32;     // that it computes in
  double flops = 0, bytes = 0;  // of one run
  double repeat = 1;
  ProductShape product;           // of convolutions and products
  std::optional<ConvLayer> conv;  // of a convolution over two axes, in whatever direction
  Norm norm = Norm::none;         // row: layer and group norms, softmax
  double channels = 0;            // batch norm: each has its own sums; softmax: in a row; interpolation: planes
  bool rearranges = false;        // numbers change their places: transposes, concats, pads, gathers
  bool part = false;              // slices, pieces, repetitions: a view where a framework's tensors have strides
  bool attends = false;           // a fused attention: its flops are of two products that share their tiles
  bool reads_input = false;       // the samples themselves: no gradient flows further back
};

// A parameter's gradient: complete when that operation is done.
struct TimedGradient {
  size_t operation = 0;
  double bytes = 0;
};

struct TimedProgram {
  std::vector<TimedOperation> operations;  // one for each of the Program's
  std::vector<TimedGradient> gradients;    // of parameters that are updated
  double micro_batches = 1;
  bool trains = false;
  double parameters = 0, parameter_bytes = 0, parameter_tensors = 0;
  double input_bytes = 0;   // of one pass: samples and labels
  double output_bytes = 0;  // of one pass
};

TimedProgram timed(const Program& program);

// As which of the measured sweeps over memory an operation counts, as far as memory sets its pace.
MemoryBound memory_bound_of(const TimedOperation& operation);

}  // namespace plimsoll
