// Softmax cross-entropy of (batch, classes) against one label each, and its backward pass.
#include <cmath>

#include "model/ops/loss.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/loops/softmax.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

// The plain case: matrices, the mean, no weights of classes, no label that is ignored.
bool plain(const Site& site, size_t scores, size_t weights) {
  const Attributes& attributes = site.attributes();
  const auto reduction = reduction_of(attributes);
  return site.input(scores).dtype == DType::f32 && site.input(scores).shape.rank() == 2 && !site.has_input(weights) &&
         !attributes.has("ignore_index") && reduction.ok() && *reduction == LossReduction::mean;
}

double loss_of(const float* logs, int64_t classes, int64_t label, double smoothing) {
  double mean = 0;
  if (smoothing > 0)
    for (int64_t c = 0; c < classes; ++c) mean += logs[c] / double(classes);
  return -(1 - smoothing) * double(logs[label]) - smoothing * mean;
}

bool is_class(int64_t label, int64_t classes) { return label >= 0 && label < classes; }

}  // namespace

// scores, labels → loss, log probabilities
std::unique_ptr<Kernel> cross_entropy_kernel(Site& site) {
  if (!plain(site, 0, 2) || site.input(1).dtype != DType::i64 || !site.has_output(1) || !site.has_output(0))
    return site.decline("weighted, or more than one class per sample");
  site.all_row_major();
  const int64_t batch = site.input(0).shape[0], classes = site.input(0).shape[1];
  const double smoothing = site.attributes().number("label_smoothing", 0);
  return loop_kernel(
      [=](const Places& p) {
        auto* losses = p.work<double>();
        const auto* labels = p.in<int64_t>(1);
        parallel_items(batch, batch * classes, [&](int64_t n) {
          log_softmax_row(p.in(0) + n * classes, classes, p.out(1) + n * classes);
          const bool known = is_class(labels[n], classes);
          losses[n] = known ? loss_of(p.out(1) + n * classes, classes, labels[n], smoothing) : 0;
        });
        double sum = 0, count = 0;
        for (int64_t n = 0; n < batch; ++n) {
          sum += losses[n];
          count += is_class(labels[n], classes) ? 1 : 0;
        }
        *p.out(0) = float(sum / count);
      },
      Bytes(batch * int64_t(sizeof(double))));
}

// dloss, log probabilities, labels → dscores
std::unique_ptr<Kernel> cross_entropy_grad_kernel(Site& site) {
  if (!plain(site, 1, 3) || site.input(2).dtype != DType::i64)
    return site.decline("weighted, or more than one class per sample");
  site.all_row_major();
  const int64_t batch = site.input(1).shape[0], classes = site.input(1).shape[1];
  const double smoothing = site.attributes().number("label_smoothing", 0);
  return loop_kernel([=](const Places& p) {
    const auto* labels = p.in<int64_t>(2);
    int64_t count = 0;
    for (int64_t n = 0; n < batch; ++n) count += is_class(labels[n], classes) ? 1 : 0;
    const float share = *p.in(0) / float(count), elsewhere = float(smoothing / double(classes)),
                at_label = float(1 - smoothing);
    parallel_items(batch, batch * classes, [&](int64_t n) {
      const float* logs = p.in(1) + n * classes;
      float* dx = p.out(0) + n * classes;
      const int64_t label = labels[n];
      const bool known = is_class(label, classes);
      const float share_of_label = known ? std::exp(logs[label]) : 0;  // read before dx, which may lie over it
      shares_back(logs, elsewhere, known ? share : 0, classes, dx);
      if (known) dx[label] = (share_of_label - elsewhere - at_label) * share;
    });
  });
}

}  // namespace plimsoll
