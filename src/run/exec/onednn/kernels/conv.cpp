// Convolutions on oneDNN: each direction asks for the layouts that it likes best.
#include "model/ops/convolution.h"
#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;
using Desc = dnnl::memory::desc;
constexpr auto kF32 = dnnl::memory::data_type::f32;
constexpr auto kAny = dnnl::memory::format_tag::any;

Desc any(const Dims& dims) { return Desc(dims, kF32, kAny); }

// What all three directions are told of one convolution.
struct ConvShape {
  Dims x, weights, y, strides, dilations, pad_begin, pad_end;

  static std::optional<ConvShape> of(const Attributes& attributes, const Shape& x, const Shape& weights) {
    auto conv = convolution(attributes, x, weights);
    if (!conv.ok() || x.rank() < 3 || x.rank() > 5) return std::nullopt;
    ConvShape shape{dims_of(x), dims_of(weights), dims_of(conv->output)};
    if (conv->groups > 1) {
      shape.weights[0] /= conv->groups;
      shape.weights.insert(shape.weights.begin(), conv->groups);
    }
    const Window& window = conv->window;
    shape.strides = window.stride;
    for (const int64_t dilation : window.dilation) shape.dilations.push_back(dilation - 1);
    shape.pad_begin = window.pad_begin;
    shape.pad_end = window.pad_end;
    return shape;
  }
};

dnnl::convolution_forward::primitive_desc forward(const ConvShape& s, bool bias, bool relu, prop_kind kind) {
  const auto attributes = relu ? relu_attributes() : plain_attributes();
  const auto desc =
      bias ? dnnl::convolution_forward::desc(kind, algorithm::convolution_direct, any(s.x), any(s.weights),
                                             any({s.y[1]}), any(s.y), s.strides, s.dilations, s.pad_begin, s.pad_end)
           : dnnl::convolution_forward::desc(kind, algorithm::convolution_direct, any(s.x), any(s.weights), any(s.y),
                                             s.strides, s.dilations, s.pad_begin, s.pad_end);
  return {desc, attributes, onednn_engine()};
}

bool training(const Site& site) { return site.program.loss.present(); }

}  // namespace

std::unique_ptr<Kernel> conv_kernel(Site& site) {
  if (!site.all_f32() || site.has_input(3) || site.attributes().has("activation"))
    return site.decline("fused with something that oneDNN does not fuse");
  const auto shape = ConvShape::of(site.attributes(), site.input(0).shape, site.input(1).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  const bool bias = site.has_input(2), relu = site.operation.then != nullptr;
  const auto pd = attempt([&] {
    return forward(*shape, bias, relu, training(site) ? prop_kind::forward_training : prop_kind::forward_inference);
  });
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.need(0, {pd->src_desc()});
  site.need(1, {pd->weights_desc()});
  site.give(0, {pd->dst_desc()});
  std::vector<Argument> arguments{from_input(DNNL_ARG_SRC, 0, pd->src_desc()),
                                  from_input(DNNL_ARG_WEIGHTS, 1, pd->weights_desc()),
                                  to_output(DNNL_ARG_DST, 0, pd->dst_desc())};
  if (bias) {
    site.need(2, {pd->bias_desc()});
    arguments.push_back(from_input(DNNL_ARG_BIAS, 2, pd->bias_desc()));
  }
  return primitive_kernel([pd = *pd] { return dnnl::convolution_forward(pd); }, std::move(arguments),
                          pd->scratchpad_desc());
}

// dy, weights → dx
std::unique_ptr<Kernel> conv_grad_data_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = ConvShape::of(site.attributes(), site.output(0).shape, site.input(1).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  const auto pd = attempt([&] {
    const ConvShape& s = *shape;
    const dnnl::convolution_backward_data::desc desc(algorithm::convolution_direct, any(s.x), any(s.weights), any(s.y),
                                                     s.strides, s.dilations, s.pad_begin, s.pad_end);
    return dnnl::convolution_backward_data::primitive_desc(desc, plain_attributes(), onednn_engine(),
                                                           forward(s, false, false, prop_kind::forward_training));
  });
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.need(0, {pd->diff_dst_desc()});
  site.need(1, {pd->weights_desc()});
  site.give(0, {pd->diff_src_desc()});
  return primitive_kernel(
      [pd = *pd] { return dnnl::convolution_backward_data(pd); },
      {from_input(DNNL_ARG_DIFF_DST, 0, pd->diff_dst_desc()), from_input(DNNL_ARG_WEIGHTS, 1, pd->weights_desc()),
       to_output(DNNL_ARG_DIFF_SRC, 0, pd->diff_src_desc())},
      pd->scratchpad_desc());
}

// x, dy → dweights
std::unique_ptr<Kernel> conv_grad_weights_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = ConvShape::of(site.attributes(), site.input(0).shape, site.output(0).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  const auto pd = attempt([&] {
    const ConvShape& s = *shape;
    const dnnl::convolution_backward_weights::desc desc(algorithm::convolution_direct, any(s.x), any(s.weights),
                                                        any(s.y), s.strides, s.dilations, s.pad_begin, s.pad_end);
    return dnnl::convolution_backward_weights::primitive_desc(desc, plain_attributes(), onednn_engine(),
                                                              forward(s, false, false, prop_kind::forward_training));
  });
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.need(0, {pd->src_desc()});
  site.need(1, {pd->diff_dst_desc()});
  site.give(0, {pd->diff_weights_desc()});
  return primitive_kernel(
      [pd = *pd] { return dnnl::convolution_backward_weights(pd); },
      {from_input(DNNL_ARG_SRC, 0, pd->src_desc()), from_input(DNNL_ARG_DIFF_DST, 1, pd->diff_dst_desc()),
       to_output(DNNL_ARG_DIFF_WEIGHTS, 0, pd->diff_weights_desc())},
      pd->scratchpad_desc());
}

}  // namespace plimsoll
