// Functions of one number with exponentials in them, on oneDNN, forward and backward.
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

using dnnl::algorithm;

struct Function {
  std::string_view op;  // forward; the backward operation is called X_grad and reads x
  algorithm how;
};

constexpr Function kFunctions[] = {
    {"sigmoid", algorithm::eltwise_logistic}, {"tanh", algorithm::eltwise_tanh},
    {"silu", algorithm::eltwise_swish},       {"gelu", algorithm::eltwise_gelu_erf},
    {"exp", algorithm::eltwise_exp},          {"softplus", algorithm::eltwise_soft_relu},
    {"elu", algorithm::eltwise_elu},          {"mish", algorithm::eltwise_mish},
    {"sqrt", algorithm::eltwise_sqrt},        {"log", algorithm::eltwise_log},
    {"abs", algorithm::eltwise_abs},
};

struct Chosen {
  algorithm how;
  float alpha, beta;
};

std::optional<Chosen> chosen(const Site& site, std::string_view name) {
  for (const auto& function : kFunctions) {
    if (function.op != name) continue;
    Chosen result{function.how, 0, 0};
    if (name == "elu") result.alpha = float(site.attributes().number("alpha", 1));
    if (name == "silu") result.alpha = float(site.attributes().number("alpha", 1));
    if (name == "gelu" && site.attributes().text("approximate", "none") == "tanh")
      result.how = algorithm::eltwise_gelu_tanh;
    return result;
  }
  return std::nullopt;
}

std::unique_ptr<Kernel> forward(Site& site, const Chosen& function) {
  const Layout layout = site.layout(0);
  const auto pd = attempt([&] {
    const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference, function.how, layout.desc,
                                           function.alpha, function.beta);
    return dnnl::eltwise_forward::primitive_desc(desc, plain_attributes(), onednn_engine());
  });
  if (!pd) return site.decline("oneDNN has no such function");
  site.need(0, layout);
  site.give(0, layout);
  return primitive_kernel([pd = *pd] { return dnnl::eltwise_forward(pd); },
                          {from_input(DNNL_ARG_SRC, 0, layout.desc), to_output(DNNL_ARG_DST, 0, layout.desc)},
                          pd->scratchpad_desc());
}

// dy, x → dx
std::unique_ptr<Kernel> backward(Site& site, const Chosen& function) {
  const Layout layout = shared_layout(site, 2);
  const auto pd = attempt([&] {
    const dnnl::eltwise_forward::desc ahead(dnnl::prop_kind::forward_training, function.how, layout.desc,
                                            function.alpha, function.beta);
    const dnnl::eltwise_backward::desc desc(function.how, layout.desc, layout.desc, function.alpha, function.beta);
    return dnnl::eltwise_backward::primitive_desc(
        desc, plain_attributes(), onednn_engine(),
        dnnl::eltwise_forward::primitive_desc(ahead, plain_attributes(), onednn_engine()));
  });
  if (!pd) return site.decline("oneDNN has no such function");
  site.need(0, layout);
  site.need(1, layout);
  site.give(0, layout);
  return primitive_kernel([pd = *pd] { return dnnl::eltwise_backward(pd); },
                          {from_input(DNNL_ARG_DIFF_DST, 0, layout.desc), from_input(DNNL_ARG_SRC, 1, layout.desc),
                           to_output(DNNL_ARG_DIFF_SRC, 0, layout.desc)},
                          pd->scratchpad_desc());
}

}  // namespace

std::unique_ptr<Kernel> eltwise_kernel(Site& site) {
  if (!site.all_f32() || site.operation.then) return site.decline("fused, or not f32");
  std::string_view name = site.operation.op->name;
  const bool back = name.ends_with("_grad");
  if (back) name.remove_suffix(std::string_view("_grad").size());
  const auto function = chosen(site, name);
  if (!function) return site.decline("not a function of oneDNN's");
  return back ? backward(site, *function) : forward(site, *function);
}

}  // namespace plimsoll
