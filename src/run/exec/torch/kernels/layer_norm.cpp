// Layer norm over the last axes. Its gradient computes the statistics again, as the gradient rule has it.
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// The axes that are normalised; nullopt: scale or bias are not one number for each of their positions.
std::optional<Ints> normalised(const TorchSite& site, const Shape& x, size_t first, size_t last) {
  const auto axis = normalise_axis(site.attributes().integer("axis", -1), x.rank());
  if (!axis.ok() || x.elements() == Count(0)) return std::nullopt;
  const Ints sizes(x.begin() + *axis, x.end());
  for (size_t i = first; i <= last; ++i)
    if (site.has_input(i) && site.shape(i).dims() != sizes) return std::nullopt;
  return sizes;
}

constexpr std::string_view kOtherScale = "scale or bias are not one number for each position of a slice";

}  // namespace

TorchKernel torch_layer_norm(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto sizes = normalised(site, site.shape(0), 1, 2);
  if (!sizes) return site.decline(kOtherScale);
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return [sizes = *sizes, epsilon](const TorchOperands& p) {
    const auto made = calls<3>("aten::native_layer_norm", "", p.in(0), sizes, maybe(p.in(1)), maybe(p.in(2)), epsilon);
    for (size_t i = 0; i < made.size(); ++i) p.give(i, made[i]);
  };
}

TorchKernel torch_layer_norm_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto sizes = normalised(site, site.shape(1), 2, 2);
  if (!sizes) return site.decline(kOtherScale);
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  Ints axes;
  for (size_t i = 0; i < sizes->size(); ++i) axes.push_back(-int64_t(i) - 1);
  return [sizes = *sizes, axes, epsilon](const TorchOperands& p) {
    const auto moments = calls<2>("aten::var_mean", "dim", p.in(1), some(axes), false, true);
    const TorchTensor inverse = call("aten::rsqrt", "", add(moments[0], epsilon));
    const auto made = calls<3>("aten::native_layer_norm_backward", "", p.in(0), p.in(1), sizes, moments[1], inverse,
                               some(p.in(2)), some(p.in(2)), detail::Flags{{true, true, true}});
    for (size_t i = 0; i < made.size(); ++i) p.give(i, made[i]);
  };
}

}  // namespace plimsoll
