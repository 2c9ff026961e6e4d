// Pooling on oneDNN. What a max pool remembers for its backward pass is oneDNN's own workspace, in the place of ours.
#include "model/ops/pool.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;
using Desc = dnnl::memory::desc;

struct PoolShape {
  algorithm how = algorithm::pooling_max;
  Dims x, y, kernel, strides, dilations, pad_begin, pad_end;
};

std::optional<Window> whole_plane(const Shape& x) {
  Window window;
  for (int i = 2; i < x.rank(); ++i) window.kernel.push_back(x[i]);
  window.stride = window.kernel;
  window.dilation.assign(window.kernel.size(), 1);
  window.pad_begin.assign(window.kernel.size(), 0);
  window.pad_end = window.pad_begin;
  return window;
}

// Adaptive pooling with windows that are all alike and do not overlap.
std::optional<Window> even_windows(const Shape& x, const Shape& y) {
  Window window = *whole_plane(x);
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    if (y[int(i) + 2] == 0 || x[int(i) + 2] % y[int(i) + 2] != 0) return std::nullopt;
    window.kernel[i] = window.stride[i] = x[int(i) + 2] / y[int(i) + 2];
  }
  return window;
}

std::optional<Window> window_of(const Attributes& attributes, std::string_view name, const Shape& x, const Shape& y) {
  if (name.starts_with("global")) return whole_plane(x);
  if (name.starts_with("adaptive")) return even_windows(x, y);
  auto window = read_window(attributes, x, attributes.integers("kernel_shape"));
  return window.ok() ? std::optional(*window) : std::nullopt;
}

std::optional<PoolShape> pool_shape(const Site& site, const Shape& x, const Shape& y) {
  const std::string_view name = site.operation.op->name;
  const Attributes& attributes = site.attributes();
  if (x.rank() < 3 || x.rank() > 5 || site.output(0).elements() == Count(0)) return std::nullopt;
  auto window = window_of(attributes, name, x, y);
  if (!window) return std::nullopt;
  PoolShape shape;
  if (name.find("average") != name.npos)
    shape.how = attributes.integer("count_include_pad", 0) != 0 ? algorithm::pooling_avg_include_padding
                                                                : algorithm::pooling_avg_exclude_padding;
  shape.x = dims_of(x);
  shape.y = dims_of(y);
  shape.kernel = window->kernel;
  shape.strides = window->stride;
  shape.pad_begin = window->pad_begin;
  shape.pad_end = window->pad_end;
  for (size_t i = 0; i < window->kernel.size(); ++i) {
    if (window->dilation[i] != 1) return std::nullopt;
    // What ceil_mode adds is more padding at the end; oneDNN would count it in an average that includes padding.
    const int64_t missing = (shape.y[i + 2] - 1) * window->stride[i] + window->kernel[i] - x[int(i) + 2] -
                            window->pad_begin[i] - window->pad_end[i];
    if (missing > 0 && shape.how == algorithm::pooling_avg_include_padding) return std::nullopt;
    shape.pad_end[i] += std::max<int64_t>(missing, 0);
    // A window without a number in it: oneDNN leaves there what it likes.
    if (shape.pad_begin[i] >= window->kernel[i] || shape.pad_end[i] >= window->kernel[i]) return std::nullopt;
  }
  return shape;
}

dnnl::pooling_forward::primitive_desc forward(const PoolShape& s, prop_kind kind, const Desc& x, const Desc& y) {
  const dnnl::pooling_forward::desc desc(kind, s.how, x, y, s.strides, s.kernel, s.pad_begin, s.pad_end);
  return {desc, plain_attributes(), onednn_engine()};
}

}  // namespace

// x → y, and for max_pool_train also what its backward pass needs
std::unique_ptr<Kernel> pool_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32) return site.decline("not f32");
  const auto shape = pool_shape(site, site.input(0).shape, site.output(0).shape);
  if (!shape) return site.decline("a window that oneDNN's pooling does not have");
  const bool remembers = site.operation.op->name == "max_pool_train";
  if (!remembers && site.has_output(1)) return site.decline("the positions of its maxima are asked for");
  const Layout x = same_order(site.layout(0), site.input(0).shape, site.input(0).shape),
               y = same_order(site.layout(0), site.input(0).shape, site.output(0).shape);
  const auto kind = remembers ? prop_kind::forward_training : prop_kind::forward_inference;
  const auto pd = attempt([&] { return forward(*shape, kind, x.desc, y.desc); });
  if (!pd) return site.decline("oneDNN has no such pool");
  site.need(0, x);
  site.give(0, y);
  std::vector<Argument> arguments{from_input(DNNL_ARG_SRC, 0, x.desc), to_output(DNNL_ARG_DST, 0, y.desc)};
  if (remembers) {
    site.give(1, {pd->workspace_desc()});
    arguments.push_back(to_output(DNNL_ARG_WORKSPACE, 1, pd->workspace_desc()));
  }
  return primitive_kernel([pd = *pd] { return dnnl::pooling_forward(pd); }, std::move(arguments),
                          pd->scratchpad_desc());
}

// dy → dx; a max pool also reads what it remembered, in the layout that its result had then
std::unique_ptr<Kernel> pool_grad_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32) return site.decline("not f32");
  const auto shape = pool_shape(site, site.output(0).shape, site.input(0).shape);
  if (!shape) return site.decline("a window that oneDNN's pooling does not have");
  const bool remembers = site.has_input(1);
  if (remembers && !site.layout(1).described()) return site.decline("the positions of its maxima are not oneDNN's");
  const Layout known = remembers ? as_f32(site.layout(1)) : site.layout(0);
  const Desc x = same_order(known, site.input(0).shape, site.output(0).shape).desc,
             y = same_order(known, site.input(0).shape, site.input(0).shape).desc;
  const auto pd = attempt([&] {
    const dnnl::pooling_backward::desc desc(shape->how, x, y, shape->strides, shape->kernel, shape->pad_begin,
                                            shape->pad_end);
    return dnnl::pooling_backward::primitive_desc(desc, plain_attributes(), onednn_engine(),
                                                  forward(*shape, prop_kind::forward_training, x, y));
  });
  if (!pd) return site.decline("oneDNN has no such pool");
  site.need(0, {y});
  site.give(0, {x});
  std::vector<Argument> arguments{from_input(DNNL_ARG_DIFF_DST, 0, y), to_output(DNNL_ARG_DIFF_SRC, 0, x)};
  if (remembers) {
    site.need(1, {pd->workspace_desc()});
    arguments.push_back(from_input(DNNL_ARG_WORKSPACE, 1, pd->workspace_desc()));
  }
  return primitive_kernel([pd = *pd] { return dnnl::pooling_backward(pd); }, std::move(arguments),
                          pd->scratchpad_desc());
}

}  // namespace plimsoll
