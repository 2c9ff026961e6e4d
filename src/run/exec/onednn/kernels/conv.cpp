// Convolutions on oneDNN: each direction asks for the layouts that it likes best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/ops/fused_activation.h"
#include "run/exec/onednn/kernels/conv_descriptors.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/summand.h"
#include "run/exec/onednn/kernels/thinned_conv.h"

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

// The convolution of a site, and the one that oneDNN is asked for: the same, or one without its stride.
struct Asked {
  ConvShape shape;
  std::optional<ThinnedConv> thinned;

  const ConvShape& dense() const { return thinned ? thinned->dense() : shape; }
  std::optional<Layout> whole(const Desc& x) const { return thinned ? thinned->whole({x}) : Layout{x}; }
  std::unique_ptr<Kernel> with_input(const Desc& x, std::unique_ptr<Kernel> kernel) const {
    return thinned ? thinned->take_input({x}, std::move(kernel)) : std::move(kernel);
  }
  std::unique_ptr<Kernel> with_output(const Desc& x, std::unique_ptr<Kernel> kernel) const {
    return thinned ? thinned->put_output({x}, std::move(kernel)) : std::move(kernel);
  }
};

std::optional<Asked> asked(const Site& site, const Shape& x, const Shape& weights) {
  auto shape = ConvShape::of(site.attributes(), x, weights);
  if (!shape) return std::nullopt;
  auto thinned = ThinnedConv::of(*shape);
  return Asked{*std::move(shape), std::move(thinned)};
}

constexpr auto kTooManyAxes = "more axes than oneDNN convolves";
constexpr auto kNoSuch = "oneDNN has no such convolution";

}  // namespace

std::unique_ptr<Kernel> conv_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto end = end_of(site);
  if (!end) return site.decline("fused with something that oneDNN cannot fuse");
  const auto conv = asked(site, site.input(0).shape, site.input(1).shape);
  if (!conv) return site.decline(kTooManyAxes);
  const bool bias = site.has_input(2);
  const auto& pd = site.convolutions.forward(conv->dense(), bias, *end);
  const auto x = pd ? conv->whole(pd->src_desc()) : std::nullopt;
  if (!x) return site.decline(kNoSuch);
  site.need(0, *x);
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
  auto kernel = primitive_kernel([pd = *pd] { return dnnl::convolution_forward(pd); }, std::move(arguments),
                                 pd->scratchpad_desc());
  return onto_summand(site, conv->with_input(pd->src_desc(), std::move(kernel)));
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
  const auto conv = asked(site, site.input(0).shape, site.input(1).shape);
  if (!conv) return site.decline(kTooManyAxes);
  const int64_t channels = conv->shape.y[1];
  Dims each(conv->shape.y.size(), 1);
  each[1] = channels;
  const Desc channel = row_major(each).desc;
  const bool bias = site.has_input(2);
  const auto& pd = site.convolutions.forward(conv->dense(), bias, norm_end(channel, site.operation.then != nullptr));
  const auto x = pd ? conv->whole(pd->src_desc()) : std::nullopt;
  if (!x) return site.decline(kNoSuch);
  site.all_row_major();
  site.need(0, *x);
  site.need(1, {pd->weights_desc()});
  site.give(0, {pd->dst_desc()});
  site.method = ConvMethod::direct;
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return conv->with_input(pd->src_desc(), std::make_unique<ConvNormKernel>(*pd, channel, channels, bias, epsilon));
}

// dy, weights → dx
std::unique_ptr<Kernel> conv_grad_data_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto conv = asked(site, site.output(0).shape, site.input(1).shape);
  if (!conv) return site.decline(kTooManyAxes);
  const auto& pd = site.convolutions.backward_data(conv->dense());
  const auto dx = pd ? conv->whole(pd->diff_src_desc()) : std::nullopt;
  if (!dx) return site.decline(kNoSuch);
  site.need(0, {pd->diff_dst_desc()});
  site.need(1, {pd->weights_desc()});
  site.give(0, *dx);
  site.method = ConvMethod::direct;
  auto kernel = primitive_kernel(
      [pd = *pd] { return dnnl::convolution_backward_data(pd); },
      {from_input(DNNL_ARG_DIFF_DST, 0, pd->diff_dst_desc()), from_input(DNNL_ARG_WEIGHTS, 1, pd->weights_desc()),
       to_output(DNNL_ARG_DIFF_SRC, 0, pd->diff_src_desc())},
      pd->scratchpad_desc());
  return conv->with_output(pd->diff_src_desc(), std::move(kernel));
}

// x, dy → dweights
std::unique_ptr<Kernel> conv_grad_weights_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto conv = asked(site, site.input(0).shape, site.output(0).shape);
  if (!conv) return site.decline(kTooManyAxes);
  const auto& pd = site.convolutions.backward_weights(conv->dense());
  const auto x = pd ? conv->whole(pd->src_desc()) : std::nullopt;
  if (!x) return site.decline(kNoSuch);
  site.need(0, *x);
  site.need(1, {pd->diff_dst_desc()});
  site.give(0, {pd->diff_weights_desc()});
  site.method = ConvMethod::direct;
  auto kernel = primitive_kernel(
      [pd = *pd] { return dnnl::convolution_backward_weights(pd); },
      {from_input(DNNL_ARG_SRC, 0, pd->src_desc()), from_input(DNNL_ARG_DIFF_DST, 1, pd->diff_dst_desc()),
       to_output(DNNL_ARG_DIFF_WEIGHTS, 0, pd->diff_weights_desc())},
      pd->scratchpad_desc());
  return conv->with_input(pd->src_desc(), std::move(kernel));
}

}  // namespace plimsoll
