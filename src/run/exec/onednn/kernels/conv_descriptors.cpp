#include "run/exec/onednn/kernels/conv_descriptors.h"

#include "model/ops/convolution.h"
#include "run/exec/onednn/primitive.h"

namespace plimsoll {
namespace {

using dnnl::algorithm;
using Desc = dnnl::memory::desc;

constexpr auto kDirect = algorithm::convolution_direct;

// oneDNN chooses the layout.
Desc any(const Dims& dims) { return Desc(dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any); }

// As in training always: an evaluation then finds the weights in the layout that it likes.
ConvDescriptors::Forward forward_of(const ConvShape& s, bool bias, const dnnl::primitive_attr& attributes) {
  constexpr auto kind = dnnl::prop_kind::forward_training;
  const auto desc = bias ? dnnl::convolution_forward::desc(kind, kDirect, any(s.x), any(s.weights), any({s.y[1]}),
                                                           any(s.y), s.strides, s.dilations, s.pad_begin, s.pad_end)
                         : dnnl::convolution_forward::desc(kind, kDirect, any(s.x), any(s.weights), any(s.y), s.strides,
                                                           s.dilations, s.pad_begin, s.pad_end);
  return {desc, attributes, onednn_engine()};
}

}  // namespace

std::optional<ConvShape> ConvShape::of(const Attributes& attributes, const Shape& x, const Shape& weights) {
  auto conv = convolution(attributes, x, weights);
  if (!conv.ok() || x.rank() < 3 || x.rank() > 5) return std::nullopt;
  ConvShape shape{dims_of(x), dims_of(weights), dims_of(conv->output), {}, {}, {}, {}};
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

const std::optional<ConvDescriptors::Forward>& ConvDescriptors::forward(const ConvShape& shape, bool bias,
                                                                        const ConvEnd& end) {
  const auto [known, is_new] = forward_.try_emplace({shape, bias, end.name});
  if (is_new) known->second = attempt([&] { return forward_of(shape, bias, end.attributes); });
  return known->second;
}

const std::optional<ConvDescriptors::BackwardData>& ConvDescriptors::backward_data(const ConvShape& s) {
  const auto [known, is_new] = backward_data_.try_emplace(s);
  if (!is_new) return known->second;
  const auto& ahead = forward(s, false, {plain_attributes(), ""});
  if (ahead)
    known->second = attempt([&] {
      const dnnl::convolution_backward_data::desc desc(kDirect, any(s.x), any(s.weights), any(s.y), s.strides,
                                                       s.dilations, s.pad_begin, s.pad_end);
      return BackwardData(desc, plain_attributes(), onednn_engine(), *ahead);
    });
  return known->second;
}

const std::optional<ConvDescriptors::BackwardWeights>& ConvDescriptors::backward_weights(const ConvShape& s) {
  const auto [known, is_new] = backward_weights_.try_emplace(s);
  if (!is_new) return known->second;
  const auto& ahead = forward(s, false, {plain_attributes(), ""});
  if (ahead)
    known->second = attempt([&] {
      const dnnl::convolution_backward_weights::desc desc(kDirect, any(s.x), any(s.weights), any(s.y), s.strides,
                                                          s.dilations, s.pad_begin, s.pad_end);
      return BackwardWeights(desc, plain_attributes(), onednn_engine(), *ahead);
    });
  return known->second;
}

}  // namespace plimsoll
