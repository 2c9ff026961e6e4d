// MicroGradients: the squared lengths of the gradients of a step's micro-batches. Each of them is in memory only until
// it has been added to their sum, so it is measured there and then.
#pragma once

#include <vector>

#include "run/exec/executor.h"

namespace plimsoll {

class MicroGradients {
 public:
  // Borrows a step with micro-batches.
  explicit MicroGradients(Executor& step);

  // Runs the step's compute() for the next micro-batch.
  void compute();

  // Behind the last one: the mean over the micro-batches since the last call, and that of the mean of their gradients.
  double take_own_square();
  double mean_square() const;

 private:
  Executor& step_;
  std::vector<ValueId> added_;  // by operation: what it adds to a sum; absent where it adds nothing
  std::vector<ValueId> sums_;
  double squares_ = 0;
  int64_t passes_ = 0;
};

}  // namespace plimsoll
