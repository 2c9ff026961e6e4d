// Running statistics of batch norms, taken anew: the mean over some batches, each with the weights as they are now.
//
// What training leaves is a running mean over the last hundred updates or so, and over the start where there were
// fewer: after few, large steps it is far behind the weights, and an inference with it is far from what training saw.
#pragma once

#include <vector>

#include "run/exec/executor.h"

namespace plimsoll {

class NormRenewal {
 public:
  // Of a training step, as it was lowered.
  explicit NormRenewal(const Program& step);

  bool has_norms() const { return !statistics_.empty(); }

  void before(Executor& step) const;  // each compute()
  void after(const Executor& step);
  void write(Executor& step) const;  // what all of them came to

 private:
  struct Statistic {
    ValueId id;
    double share = 1;  // of a batch's own number in what one update leaves
    std::vector<double> sum;
  };

  std::vector<Statistic> statistics_;
  int64_t batches_ = 0;
};

}  // namespace plimsoll
