#include "plan/time/compiled_layout.h"

namespace plimsoll {
namespace {

enum class Kind { grouped, small, narrowing, other };

// Depthwise ones are not called grouped: channels last suits them.
Kind kind_of(const ProductShape& conv) {
  constexpr double kSmall = 64;
  const double kernels = conv.rows * conv.groups;
  if (conv.groups > 1 && conv.channels > 1) return Kind::grouped;
  if (kernels <= kSmall && conv.channels <= kSmall) return Kind::small;
  if (2 * kernels <= conv.channels && conv.taps > 1) return Kind::narrowing;
  return Kind::other;
}

// Channels last against the layout as it is, of a forward pass, by torch.compile's own table
// (torch/_inductor/graph.py).
double against_planes(Kind kind) {
  switch (kind) {
    case Kind::grouped: return 1.358;
    case Kind::small: return 0.783;
    case Kind::narrowing: return 0.725;
    default: return 0.823;
  }
}

bool likes_channels_last(const TimedProgram& program) {
  double flops = 0, weighted = 0;
  bool grouped = false, narrowing = false, small = true;
  for (const auto& operation : program.operations) {
    if (operation.work != Work::convolution) continue;
    const Kind kind = kind_of(operation.product);
    flops += operation.flops * operation.repeat;
    weighted += operation.flops * operation.repeat * against_planes(kind);
    grouped |= kind == Kind::grouped, narrowing |= kind == Kind::narrowing, small &= kind == Kind::small;
  }
  return program.trains ? !grouped && !narrowing && !small : weighted <= flops;
}

}  // namespace

ImageLayout layout_that_runs(const TimedProgram& program, const Execution& execution) {
  if (!execution.compiled || execution.layout == ImageLayout::nhwc) return execution.layout;
  return likes_channels_last(program) ? ImageLayout::nhwc : ImageLayout::nchw;
}

Execution as_run(const TimedProgram& program, Execution execution) {
  execution.layout = layout_that_runs(program, execution);
  return execution;
}

}  // namespace plimsoll
