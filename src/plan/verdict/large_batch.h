// How many steps and samples the same loss takes at each batch (McCandlish et al. 2018, An Empirical Model of
// Large-Batch Training):
//   steps(B) = S (1 + B_crit / B), samples(B) = E (1 + B / B_crit), with E = S · B_crit
// Far below the critical batch twice the batch halves the steps; far above it only doubles the samples. At the critical
// batch both are twice their least.
#pragma once

namespace plimsoll {

class LargeBatch {
 public:
  // From one known training: `samples` seen in batches of `reference` reach the loss.
  LargeBatch(double critical, double reference, double samples)
      : critical_(critical), least_samples_(samples / (1 + reference / critical)) {}

  double critical() const { return critical_; }
  double least_samples() const { return least_samples_; }
  double least_steps() const { return least_samples_ / critical_; }
  double steps(double batch) const { return least_steps() * (1 + critical_ / batch); }
  double samples(double batch) const { return least_samples_ * (1 + batch / critical_); }

  // Of SGD: the best learning rate at `batch` over that at `reference`. Linear far below the critical batch, and then
  // no longer.
  double best_rate(double batch, double reference) const {
    return (1 + critical_ / reference) / (1 + critical_ / batch);
  }

 private:
  double critical_, least_samples_;
};

}  // namespace plimsoll
