// Batch norms: of a training step with the batch's own statistics, and with stored ones.
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// Every channel of every group has this many numbers.
int64_t numbers_of_channel(const Shape& x) { return x[1] > 0 ? x.elements().value() / x[1] : 0; }

bool plain(const TorchSite& site) {
  return site.attributes().integer("ghost", 0) == 0 && site.attributes().integer("spatial", 1) != 0 &&
         !site.attributes().has("activation");
}

// The running statistic that a step moves: output `to`, which holds what input `from` held.
const TorchTensor& running(const TorchOperands& p, size_t from, size_t to) {
  p.give(to, p.in(from));
  return p.has_out(to) ? p.out(to) : p.in(from);
}

}  // namespace

TorchKernel torch_batch_norm_train(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (!plain(site)) return site.decline("groups of the batch, or fused with what follows it");
  if (numbers_of_channel(site.shape(0)) < 2) return site.decline("one number per channel has no variance");
  for (const size_t output : {size_t{0}, size_t{3}, size_t{4}})
    if (!site.has_output(output)) return site.decline("an output is not kept");
  const double epsilon = site.attributes().number("epsilon", 1e-5),
               momentum = 1 - site.attributes().number("momentum", 0.9);
  return [=](const TorchOperands& p) {
    calls<3>("aten::native_batch_norm", "out", p.in(0), some(p.in(1)), some(p.in(2)), some(running(p, 3, 1)),
             some(running(p, 4, 2)), true, momentum, epsilon, p.out(0), p.out(3), p.out(4));
  };
}

TorchKernel torch_batch_norm_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (!plain(site) || site.has_input(5)) return site.decline("groups of the batch, or fused with what follows it");
  return [](const TorchOperands& p) {
    const auto made =
        calls<3>("aten::native_batch_norm_backward", "", p.in(0), p.in(1), some(p.in(2)), none, none, some(p.in(3)),
                 some(p.in(4)), true, 0.0, detail::Flags{{p.has_out(0), p.has_out(1), p.has_out(2)}});
    for (size_t i = 0; i < made.size(); ++i) p.give(i, made[i]);
  };
}

TorchKernel torch_batch_norm(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (!plain(site) || site.attributes().integer("training_mode", 0) != 0 || site.shape(0).rank() < 2)
    return site.decline("other statistics than a stored one for each channel");
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return [epsilon](const TorchOperands& p) {
    p.give(0, calls<3>("aten::native_batch_norm", "", p.in(0), some(p.in(1)), some(p.in(2)), some(p.in(3)),
                       some(p.in(4)), false, 0.0, epsilon)[0]);
  };
}

TorchKernel torch_batch_norm_grad_stored(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return [epsilon](const TorchOperands& p) {
    const auto made =
        calls<3>("aten::native_batch_norm_backward", "", p.in(0), p.in(1), some(p.in(2)), some(p.in(3)), some(p.in(4)),
                 none, none, false, epsilon, detail::Flags{{p.has_out(0), p.has_out(1), p.has_out(2)}});
    for (size_t i = 0; i < made.size(); ++i) p.give(i, made[i]);
  };
}

}  // namespace plimsoll
