// BatchFamily: one step at any batch, quickly. Sizes and costs grow by the same amount for every sample, so a step
// at any batch follows from the steps at two: no rule runs again. That this holds is checked at a third batch; where
// it does not, every step is built anew.
//
// What comes out is for planning: constants keep the contents they had at the smallest batch.
#pragma once

#include <functional>

#include "model/ir/program.h"

namespace plimsoll {

class BatchFamily {
 public:
  using Build = std::function<Result<Program>(int64_t batch)>;

  static Result<BatchFamily> make(Build build);

  Result<Program> at(int64_t batch) const;

  // Changes a program that came from at(): everything, or only the values' sizes. Only of a straight family.
  void set_batch(Program& program, int64_t batch) const;
  void set_sizes(Program& program, int64_t batch) const;

  Result<Program> exactly(int64_t batch) const { return build_(batch); }
  bool straight() const { return straight_; }

 private:
  BatchFamily(Build build, Program low, Program high);

  Build build_;
  Program low_, high_;
  bool straight_ = false;
  std::vector<int32_t> growing_;  // values whose size depends on the batch
};

}  // namespace plimsoll
