// softmax_cross_entropy: scores (batch, classes, …) against one label each, and its gradient. A label that is ignored,
// or is no class at all, has the weight 0: torch's own loss would end the program at the latter.
#include "model/ops/loss.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

struct LossForm {
  int64_t classes;
  double smoothing;
  LossReduction reduction;
  std::optional<int64_t> ignored;
  DType type;

  bool mean() const { return reduction == LossReduction::mean; }
};

LossForm form_of(const TorchSite& site, const TensorType& scores) {
  const Attributes& a = site.attributes();
  LossForm form{scores.shape[1], a.number("label_smoothing", 0), *reduction_of(a), std::nullopt, scores.dtype};
  if (a.has("ignore_index")) form.ignored = a.integer("ignore_index", 0);
  return form;
}

struct Labels {
  TorchTensor classes;  // each moved into the range of classes
  TorchTensor weights;  // of each: of its class, or 0
};

Labels labels_of(const LossForm& form, const TorchTensor& given, const TorchTensor& class_weights) {
  const TorchTensor first = torch_number(DType::i64, 0), last = torch_number(DType::i64, double(form.classes - 1));
  Labels labels{call("aten::clamp", "Tensor", given, some(first), some(last)), {}};
  TorchTensor counts = call("aten::eq", "Tensor", given, labels.classes);
  if (form.ignored) {
    const TorchTensor ignored = torch_number(DType::i64, double(*form.ignored));
    counts = call("aten::logical_and", "", counts, call("aten::ne", "Tensor", given, ignored));
  }
  labels.weights = call("aten::to", "dtype", counts, detail::Type{form.type}, false, false, none);
  if (!class_weights.present()) return labels;
  const TorchTensor flat = reshaped(labels.classes, {-1});
  const TorchTensor each = call("aten::index_select", "", class_weights, 0, flat);
  labels.weights = multiply(labels.weights, call("aten::view_as", "", each, labels.weights));
  return labels;
}

TorchTensor total(const TorchTensor& x) { return call("aten::sum", "", x, none); }

TorchTensor beside(const TorchTensor& x) { return call("aten::unsqueeze", "", x, 1); }

// dloss for each label, as the reduction spreads it.
TorchTensor factor_of(const LossForm& form, const TorchTensor& dloss, const TorchTensor& weights) {
  TorchTensor factor = multiply(weights, dloss);
  return form.mean() ? divide(factor, total(weights)) : std::move(factor);
}

}  // namespace

TorchKernel torch_cross_entropy(TorchSite& site) {
  if (!site.of_floats() || site.input(1).dtype != DType::i64) return site.decline("not f32 with labels of i64");
  if (site.input(0).elements() == Count(0)) return site.decline("an empty tensor");
  const LossForm form = form_of(site, site.input(0));
  return [form](const TorchOperands& p) {
    const TorchTensor logs = call("aten::_log_softmax", "", p.in(0), 1, false);
    const Labels labels = labels_of(form, p.in(1), p.in(2));
    TorchTensor at_labels =
        call("aten::squeeze", "dim", call("aten::gather", "", logs, 1, beside(labels.classes), false), 1);
    if (form.smoothing > 0) {
      const TorchTensor mean = call("aten::mean", "dim", logs, some(Ints{1}), false, none);
      at_labels = add(multiply(at_labels, 1 - form.smoothing), mean, form.smoothing);
    }
    const TorchTensor losses = multiply(multiply(at_labels, labels.weights), -1.0);
    if (form.reduction == LossReduction::none) p.give(0, losses);
    else p.give(0, form.mean() ? divide(total(losses), total(labels.weights)) : total(losses));
    p.give(1, logs);
  };
}

// dloss, log probabilities, labels, class weights → dscores = (softmax - target) · factor
TorchKernel torch_cross_entropy_grad(TorchSite& site) {
  if (!site.of_floats() || site.input(2).dtype != DType::i64) return site.decline("not f32 with labels of i64");
  if (site.input(1).elements() == Count(0)) return site.decline("an empty tensor");
  const LossForm form = form_of(site, site.input(1));
  const double elsewhere = form.smoothing / double(form.classes), more_at_label = 1 - form.smoothing;
  return [=](const TorchOperands& p) {
    const Labels labels = labels_of(form, p.in(2), p.in(3));
    const TorchTensor taken = add(multiply(labels.weights, 0.0), -more_at_label);
    TorchTensor slope = call("aten::exp", "", p.in(1));
    if (elsewhere > 0) slope = add(slope, -elsewhere);
    slope = call("aten::scatter_add", "", slope, 1, beside(labels.classes), beside(taken));
    p.give(0, multiply(slope, beside(factor_of(form, p.in(0), labels.weights))));
  };
}

}  // namespace plimsoll
