// Convolutions on oneDNN: each direction asks for the layouts that it likes best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/ops/fused_activation.h"
#include "run/exec/onednn/kernels/conv_descriptors.h"
#include "run/exec/onednn/kernels/kernels.h"
#include "run/exec/onednn/kernels/summand.h"

namespace plimsoll {
namespace {

using dnnl::algorithm;
using Desc = dnnl::memory::desc;

struct KnownActivation {
  std::string_view name;
  algorithm as;
};
constexpr KnownActivation kActivations[] = {
    {"clip", algorithm::eltwise_clip}, {"hardswish", algorithm::eltwise_hardswish}, {"silu", algorithm::eltwise_swish}};

// nullopt where oneDNN cannot do it.
std::optional<ConvEnd> end_of(const Site& site) {
  dnnl::post_ops after;
  std::string name;
  if (site.has_input(3)) {
    after.append_sum();
    name += "+";
  }
  const auto activation = fused_activation(site.attributes());
  if (!activation.ok()) return std::nullopt;
  if (!activation->name.empty()) {
    const auto* known = std::find_if(std::begin(kActivations), std::end(kActivations),
                                     [&](const auto& each) { return each.name == activation->name; });
    if (known == std::end(kActivations)) return std::nullopt;
    const float alpha = activation->name == "silu" ? 1.0f : float(activation->alpha);
    const auto beta = float(activation->beta);
    after.append_eltwise(1, known->as, alpha, beta);
    name += fmt::format("{} {} {}", known->name, alpha, beta);
  }
  if (site.operation.then) {
    after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    name += "relu";
  }
  ConvEnd end{plain_attributes(), std::move(name)};
  end.attributes.set_post_ops(after);
  return end;
}

}  // namespace

std::unique_ptr<Kernel> conv_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto end = end_of(site);
  if (!end) return site.decline("fused with something that oneDNN does not fuse");
  const auto shape = ConvShape::of(site.attributes(), site.input(0).shape, site.input(1).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  const bool bias = site.has_input(2);
  const auto& pd = site.convolutions.forward(*shape, bias, *end);
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
  site.method = ConvMethod::direct;
  return onto_summand(site, primitive_kernel([pd = *pd] { return dnnl::convolution_forward(pd); }, std::move(arguments),
                                             pd->scratchpad_desc()));
}

namespace {

// A convolution whose result is scaled and shifted by the channel as it is written: what a folded batch norm does. Both
// numbers of each channel are formed from the norm's own at every run, which costs nothing beside the convolution.
class ConvNormKernel : public Kernel {
 public:
  ConvNormKernel(dnnl::convolution_forward::primitive_desc pd, Desc channel, int64_t channels, bool bias,
                 double epsilon)
      : pd_(std::move(pd)), channel_(std::move(channel)), channels_(channels), bias_(bias), epsilon_(epsilon) {}

  Bytes workspace() const override { return Bytes(2 * channel_bytes() + int64_t(pd_.scratchpad_desc().get_size())); }

  void prepare(Places places) override {
    places_ = std::move(places);
    primitive_ = dnnl::convolution_forward(pd_);
    scratchpad_ = places_.workspace + 2 * channel_bytes();
    const auto& engine = onednn_engine();
    const auto at = [&](const Desc& desc, std::byte* data) { return dnnl::memory(desc, engine, data); };
    memory_ = {{DNNL_ARG_SRC, at(pd_.src_desc(), places_.inputs[0])},
               {DNNL_ARG_WEIGHTS, at(pd_.weights_desc(), places_.inputs[1])},
               {DNNL_ARG_DST, at(pd_.dst_desc(), places_.outputs[0])},
               {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, at(channel_, places_.workspace)},
               {DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, at(channel_, places_.workspace + channel_bytes())},
               {DNNL_ARG_SCRATCHPAD, at(pd_.scratchpad_desc(), scratchpad_)}};
    if (bias_) memory_.emplace(DNNL_ARG_BIAS, at(pd_.bias_desc(), places_.inputs[2]));
  }

  void run() override {
    float *factor = places_.work(), *shift = factor + channel_bytes() / int64_t(sizeof(float));
    for (int64_t c = 0; c < channels_; ++c) {
      factor[c] = float(places_.in(3)[c] / std::sqrt(double(places_.in(6)[c]) + epsilon_));
      shift[c] = places_.in(4)[c] - places_.in(5)[c] * factor[c];
    }
    primitive_.execute(onednn_stream(), memory_);
  }

 private:
  int64_t channel_bytes() const { return (int64_t(channel_.get_size()) + 63) / 64 * 64; }

  dnnl::convolution_forward::primitive_desc pd_;
  Desc channel_;
  int64_t channels_;
  bool bias_;
  double epsilon_;
  Places places_;
  std::byte* scratchpad_ = nullptr;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> memory_;
};

ConvEnd norm_end(const Desc& channel, bool relu) {
  ConvEnd end{plain_attributes(), relu ? "norm relu" : "norm"};
  dnnl::post_ops after;
  after.append_binary(algorithm::binary_mul, channel);
  after.append_binary(algorithm::binary_add, channel);
  if (relu) after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
  end.attributes.set_post_ops(after);
  return end;
}

}  // namespace

// x, weights, bias, scale, shift, mean, variance → y
std::unique_ptr<Kernel> conv_norm_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = ConvShape::of(site.attributes(), site.input(0).shape, site.input(1).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  Dims each(shape->y.size(), 1);
  each[1] = shape->y[1];
  const Desc channel = row_major(each).desc;
  const bool bias = site.has_input(2);
  const auto& pd = site.convolutions.forward(*shape, bias, norm_end(channel, site.operation.then != nullptr));
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.all_row_major();
  site.need(0, {pd->src_desc()});
  site.need(1, {pd->weights_desc()});
  site.give(0, {pd->dst_desc()});
  site.method = ConvMethod::direct;
  return std::make_unique<ConvNormKernel>(*pd, channel, shape->y[1], bias, site.attributes().number("epsilon", 1e-5));
}

// dy, weights → dx
std::unique_ptr<Kernel> conv_grad_data_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = ConvShape::of(site.attributes(), site.output(0).shape, site.input(1).shape);
  if (!shape) return site.decline("more axes than oneDNN convolves");
  const auto& pd = site.convolutions.backward_data(*shape);
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.need(0, {pd->diff_dst_desc()});
  site.need(1, {pd->weights_desc()});
  site.give(0, {pd->diff_src_desc()});
  site.method = ConvMethod::direct;
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
  const auto& pd = site.convolutions.backward_weights(*shape);
  if (!pd) return site.decline("oneDNN has no such convolution");
  site.need(0, {pd->src_desc()});
  site.need(1, {pd->diff_dst_desc()});
  site.give(0, {pd->diff_weights_desc()});
  site.method = ConvMethod::direct;
  return primitive_kernel(
      [pd = *pd] { return dnnl::convolution_backward_weights(pd); },
      {from_input(DNNL_ARG_SRC, 0, pd->src_desc()), from_input(DNNL_ARG_DIFF_DST, 1, pd->diff_dst_desc()),
       to_output(DNNL_ARG_DIFF_WEIGHTS, 0, pd->diff_weights_desc())},
      pd->scratchpad_desc());
}

}  // namespace plimsoll
