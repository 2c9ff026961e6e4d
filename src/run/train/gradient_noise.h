// GradientNoise: the gradient noise scale of a training run, which tells how large a batch is of use (McCandlish et al.
// 2018, An Empirical Model of Large-Batch Training).
//
// A gradient over B samples is the true one, G, and noise whose square shrinks as 1/B: E|g_B|² = |G|² + tr(Σ)/B. Two
// batch sizes of one step give two such numbers, so each step has an estimate of |G|² and of tr(Σ): of workers, the
// small one is each worker's own gradient and the big one their mean; of one worker, those of micro-batches and of the
// whole. Either estimate is without bias but noisy, their quotient is neither: so both are smoothed by themselves, and
// the noise scale tr(Σ)/|G|² is the quotient of the two.
//
// Its 95 % interval is Fieller's, for a quotient of two means. Where |G|² is not known to be above 0, the upper end is
// infinite.
#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll {

struct NoiseScale {
  double samples = 0;        // the noise scale; the critical batch is about that
  double low = 0, high = 0;  // of its 95 % interval
  double signal = 0;         // |G|²
  double noise = 0;          // tr(Σ)
  double average = 0;        // of the noise scale, over all steps from the first that had one
  int64_t steps = 0;
};

class GradientNoise {
 public:
  // `memory`: about so many of the last steps count. The noise scale grows as the loss falls.
  explicit GradientNoise(double memory = 200) : decay_(1 - 1 / memory) {}

  // One step. `small_square`: the mean over all small batches of their gradients' squared lengths; `big_square`: the
  // squared length of the mean of these gradients. Steps with a number that is not finite, or whose batches are not of
  // two sizes, do not count.
  void add(double small_square, double small_batch, double big_square, double big_batch);

  int64_t steps() const { return steps_; }

  // nullopt before there are enough steps, and while the estimates are of no use: |G|² not above 0.
  std::optional<NoiseScale> scale() const;

  // Small and big gradients are the same to rounding: the workers evidently see the same data.
  bool same_data() const;

 private:
  // Of the steps that count, each with its weight: sums of both estimates and of their products.
  struct Sums {
    double weight = 0, square_weight = 0;
    double signal = 0, noise = 0, signal_signal = 0, signal_noise = 0, noise_noise = 0;
    double difference = 0;  // of small and big, over small
  };

  double decay_;
  int64_t steps_ = 0;
  Sums sums_;
  double scales_ = 0;  // sum
  int64_t scaled_steps_ = 0;
};

}  // namespace plimsoll
