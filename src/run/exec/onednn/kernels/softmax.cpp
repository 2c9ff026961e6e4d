// softmax and log_softmax along the last axes, forward (x → y) and backward (dy, y → dx).
#include "run/exec/loops/softmax.h"

#include "model/ops/axis_slices.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

struct SoftmaxLoops {
  std::string_view op;
  void (*forward)(const Rows&, const float*, float*);
  void (*backward)(const Rows&, const float*, const float*, float*);
};

constexpr SoftmaxLoops kLoops[] = {
    {"softmax", softmax_rows, nullptr},
    {"softmax_grad", nullptr, softmax_rows_back},
    {"log_softmax", log_softmax_rows, nullptr},
    {"log_softmax_grad", nullptr, log_softmax_rows_back},
};

}  // namespace

std::unique_ptr<Kernel> softmax_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto slices = axis_slices(call_of(site.program, site.operation));
  if (!slices.ok() || slices->inner != 1 || slices->length == 0) return site.decline("not along the last axis");
  const Rows rows{slices->outer, slices->length};
  site.all_row_major();
  for (const auto& loops : kLoops) {
    if (loops.op != site.operation.op->name) continue;
    if (loops.forward) return loop_kernel([rows, f = loops.forward](const Places& p) { f(rows, p.in(0), p.out(0)); });
    return loop_kernel([rows, f = loops.backward](const Places& p) { f(rows, p.in(0), p.in(1), p.out(0)); });
  }
  return site.decline("no loop is written for it");
}

}  // namespace plimsoll
