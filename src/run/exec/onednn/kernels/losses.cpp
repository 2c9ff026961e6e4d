// Losses of one prediction against one target each: their sum or mean, and their slopes.
#include <cmath>

#include "model/ops/loss.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

constexpr int64_t kPiece = 4096;  // numbers that are summed at a time

double log_at_least(double x) { return std::max(std::log(x), -100.0); }
double bce(double p, double t) { return -t * log_at_least(p) - (1 - t) * log_at_least(1 - p); }
double bce_slope(double p, double t) { return (p - t) / std::max(p * (1 - p), 1e-12); }
double logits(double x, double t) { return std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::abs(x))); }
double logits_slope(double x, double t) { return 1 / (1 + std::exp(-x)) - t; }
double squared(double x, double t) { return (x - t) * (x - t); }
double squared_slope(double x, double t) { return 2 * (x - t); }

struct LossMaths {
  std::string_view op;  // its backward operation is called X_grad
  double (*loss)(double, double);
  double (*slope)(double, double);
};

constexpr LossMaths kLosses[] = {{"binary_cross_entropy", bce, bce_slope},
                                 {"binary_cross_entropy_with_logits", logits, logits_slope},
                                 {"mse_loss", squared, squared_slope}};

const LossMaths* maths_of(std::string_view name) {
  if (name.ends_with("_grad")) name.remove_suffix(std::string_view("_grad").size());
  for (const auto& maths : kLosses)
    if (maths.op == name) return &maths;
  return nullptr;
}

}  // namespace

// predictions, targets → loss
std::unique_ptr<Kernel> loss_kernel(Site& site) {
  const LossMaths* maths = maths_of(site.operation.op->name);
  const auto reduction = reduction_of(site.attributes());
  if (!maths || !site.all_f32() || !reduction.ok() || *reduction == LossReduction::none)
    return site.decline("not one number of f32");
  if (site.input(0).elements() == Count(0) || site.input(0).shape != site.input(1).shape)
    return site.decline("predictions and targets of different shapes");
  site.all_row_major();
  const int64_t count = site.input(0).elements().value(), pieces = (count + kPiece - 1) / kPiece;
  const double share = *reduction == LossReduction::mean ? 1 / double(count) : 1;
  return loop_kernel(
      [=, loss = maths->loss](const Places& p) {
        auto* sums = p.work<double>();
        parallel_items(pieces, count, [&](int64_t piece) {
          double sum = 0;
          for (int64_t i = piece * kPiece; i < std::min(count, (piece + 1) * kPiece); ++i)
            sum += loss(p.in(0)[i], p.in(1)[i]);
          sums[piece] = sum;
        });
        double sum = 0;
        for (int64_t piece = 0; piece < pieces; ++piece) sum += sums[piece];
        *p.out(0) = float(sum * share);
      },
      Bytes(pieces * int64_t(sizeof(double))));
}

// dloss, predictions, targets → dpredictions
std::unique_ptr<Kernel> loss_grad_kernel(Site& site) {
  const LossMaths* maths = maths_of(site.operation.op->name);
  const auto reduction = reduction_of(site.attributes());
  if (!maths || !site.all_f32() || !reduction.ok() || *reduction == LossReduction::none)
    return site.decline("not one number of f32");
  if (site.input(1).shape != site.input(2).shape) return site.decline("targets of another shape");
  site.all_row_major();
  const int64_t count = site.input(1).elements().value();
  const double share = *reduction == LossReduction::mean ? 1 / double(count) : 1;
  return loop_kernel([=, slope = maths->slope](const Places& p) {
    const double factor = double(*p.in(0)) * share;  // read first: a single result may lie over it
    parallel_ranges(count, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) p.out(0)[i] = float(slope(p.in(1)[i], p.in(2)[i]) * factor);
    });
  });
}

}  // namespace plimsoll
