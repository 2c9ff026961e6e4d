// Pooling over windows in one, two or three dimensions, and its gradients. torch remembers where a maximum was as a
// position in its plane (i64), not in its window: the value between the two kernels has that type instead.
#include "model/ops/window.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// One dimension is two, the first of size 1.
struct PoolForm {
  Ints kernel, stride, padding, dilation;
  Ints x, y;  // (batch, channels, spatial …)
  bool ceil = false, count_padding = false;

  bool cubic() const { return kernel.size() == 3; }
};

Ints with_two_axes(const Ints& of_each, int64_t other) {
  return of_each.size() == 1 ? Ints{other, of_each[0]} : of_each;
}

Ints in_planes(const Shape& shape) { return shape.rank() == 3 ? Ints{shape[0], shape[1], 1, shape[2]} : shape.dims(); }

// nullopt: torch pads both ends alike, by half a window at the most.
std::optional<PoolForm> form_of(const Attributes& a, const Shape& x, const Shape& y) {
  const auto window = read_window(a, x, a.integers("kernel_shape"));
  if (!window.ok() || x.rank() < 3 || x.rank() > 5 || y.elements() == Count(0)) return std::nullopt;
  if (window->pad_begin != window->pad_end) return std::nullopt;
  for (size_t i = 0; i < window->kernel.size(); ++i)
    if (window->pad_begin[i] < 0 || 2 * window->pad_begin[i] > window->kernel[i]) return std::nullopt;
  return PoolForm{with_two_axes(window->kernel, 1),
                  with_two_axes(window->stride, 1),
                  with_two_axes(window->pad_begin, 0),
                  with_two_axes(window->dilation, 1),
                  in_planes(x),
                  in_planes(y),
                  a.integer("ceil_mode", 0) != 0,
                  a.integer("count_include_pad", 0) != 0};
}

bool is_dilated(const PoolForm& form) {
  return std::any_of(form.dilation.begin(), form.dilation.end(), [](int64_t step) { return step != 1; });
}

constexpr std::string_view kNotTorchs = "torch pads both ends alike, by half a window at the most";

}  // namespace

TorchKernel torch_average_pool(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.shape(0), site.output(0).shape);
  if (!form || is_dilated(*form)) return site.decline(kNotTorchs);
  return [f = *form](const TorchOperands& p) {
    call(f.cubic() ? "aten::avg_pool3d" : "aten::avg_pool2d", "out", reshaped(p.in(0), f.x), f.kernel, f.stride,
         f.padding, f.ceil, f.count_padding, none, reshaped(p.out(0), f.y));
  };
}

TorchKernel torch_average_pool_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.output(0).shape, site.shape(0));
  if (!form || is_dilated(*form)) return site.decline(kNotTorchs);
  return [f = *form, shape = site.output(0).shape.dims()](const TorchOperands& p) {
    const TorchTensor dx =
        call(f.cubic() ? "aten::avg_pool3d_backward" : "aten::avg_pool2d_backward", "", reshaped(p.in(0), f.y),
             reshaped(p.out(0), f.x), f.kernel, f.stride, f.padding, f.ceil, f.count_padding, none);
    p.give(0, reshaped(dx, shape));
  };
}

// max_pool, and max_pool_train, whose second output only max_pool_grad reads.
TorchKernel torch_max_pool(TorchSite& site) {
  const bool trains = site.operation.op->name == "max_pool_train";
  if (!site.of_floats() || (site.has_output(1) && !trains)) return site.decline("positions in the whole input");
  const auto form = form_of(site.attributes(), site.shape(0), site.output(0).shape);
  if (!form) return site.decline(kNotTorchs);
  if (site.has_output(1)) site.change_type(1, DType::i64);
  return [f = *form, shape = site.output(0).shape.dims()](const TorchOperands& p) {
    const auto made = calls<2>(f.cubic() ? "aten::max_pool3d_with_indices" : "aten::max_pool2d_with_indices", "",
                               reshaped(p.in(0), f.x), f.kernel, f.stride, f.padding, f.dilation, f.ceil);
    p.give(0, reshaped(made[0], shape));
    if (p.has_out(1)) p.give(1, reshaped(made[1], shape));
  };
}

TorchKernel torch_max_pool_grad(TorchSite& site) {
  if (!site.of_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.output(0).shape, site.shape(0));
  if (!form) return site.decline(kNotTorchs);
  PLIM_CHECK(site.input(1).dtype == DType::i64, "positions that another kernel has remembered");
  return [f = *form, shape = site.output(0).shape.dims()](const TorchOperands& p) {
    const TorchTensor dx =
        call(f.cubic() ? "aten::max_pool3d_with_indices_backward" : "aten::max_pool2d_with_indices_backward", "",
             reshaped(p.in(0), f.y), reshaped(p.out(0), f.x), f.kernel, f.stride, f.padding, f.dilation, f.ceil,
             reshaped(p.in(1), f.y));
    p.give(0, reshaped(dx, shape));
  };
}

}  // namespace plimsoll
