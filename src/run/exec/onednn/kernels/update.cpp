// Updates: parameter, gradient, states, learning rate, step → parameter and states, in the parameter's own layout.
#include "run/exec/loops/update.h"

#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {

std::unique_ptr<Kernel> update_kernel(Site& site) {
  const UpdateLoop* loop = nullptr;
  for (const auto& known : all_update_loops())
    if (known.op == site.operation.op->name) loop = &known;
  if (!loop) return site.decline("no loop for it");
  const size_t states = loop->states, rate = states + 2;
  for (size_t i = 0; i < rate; ++i)
    if (site.input(i).dtype != DType::f32) return site.decline("not f32");
  const Layout layout = site.layout(0);
  for (size_t i = 0; i < rate; ++i) site.need(i, layout);
  for (size_t i = 0; i <= states; ++i) site.give(i, layout);
  const int64_t size = bytes_of(layout, site.input(0)).value() / int64_t(sizeof(float));
  const UpdateSettings settings(loop->op, site.attributes());
  return loop_kernel([run = loop->run, settings, size, states, rate](const Places& p) {
    run({p.out(0), p.in(1), states > 0 ? p.out(1) : nullptr, states > 1 ? p.out(2) : nullptr, size, *p.in(rate),
         *p.in<int64_t>(rate + 1)},
        settings);
  });
}

}  // namespace plimsoll
