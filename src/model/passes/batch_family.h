// BatchFamily: one step at any batch, quickly. Axes and costs grow by the same amount for every sample, so a step
// at any batch follows from the steps at two: no rule runs again. That this holds is checked at another batch. Where
// every sample meets every other, costs grow with the square, and a third step tells how; where that does not hold
// either, every step is built anew.
//
// What comes out is for planning: constants keep the contents they had at the smallest batch.
#pragma once

#include <functional>

#include "model/ir/program.h"

namespace plimsoll {

// Of a step only what grows with the batch. Names, ids and attributes are the same at every batch, and of a large
// network most of the memory.
struct StepSizes {
  struct Work {
    Cost cost;
    Bytes moved;
    bool operator==(const Work& other) const {
      return cost.macs == other.cost.macs && cost.flops == other.cost.flops && moved == other.moved;
    }
  };

  int64_t batch = 0;
  std::vector<int64_t> axes;  // of all values, one value after the other
  std::vector<Work> operations;

  bool operator==(const StepSizes&) const = default;
};

class BatchFamily {
 public:
  using Build = std::function<Result<Program>(int64_t batch)>;

  static Result<BatchFamily> make(Build build);

  // Of steps that recompute what another family's keep: that theirs grow alike was checked there.
  static Result<BatchFamily> make_like(const BatchFamily& checked, Build build);

  // Of a network that has a step at this batch alone; every other one is answered with `why_not`.
  static Result<BatchFamily> only_at(int64_t batch, Build build, Error why_not);

  Result<Program> at(int64_t batch) const;

  // Changes a program that came from at(): everything, or only the values' sizes. Only of a straight family.
  void set_batch(Program& program, int64_t batch) const;
  void set_sizes(Program& program, int64_t batch) const;

  Result<Program> exactly(int64_t batch) const;
  const Program& smallest() const { return low_; }  // the step that the others follow from; only of a straight family
  bool straight() const { return straight_; }
  std::optional<int64_t> only_batch() const { return only_; }
  const Error& why_no_other() const { return why_not_; }
  size_t reads() const;  // of values by the operations of a step: what every pass over it takes its time for

 private:
  BatchFamily(Build build, Program low) : build_(std::move(build)), low_(std::move(low)) {}

  // With its steps at two batches, where those have the same form.
  static Result<BatchFamily> begin(Build build);
  bool has_high() const { return high_.batch != 0; }

  // Builds the step at `batch`: its sizes, or nothing where it differs from low_ in more than sizes.
  Result<std::optional<StepSizes>> sizes_like_low(int64_t batch) const;
  void find_growing();
  StepSizes sizes_at(int64_t batch) const;
  StepSizes::Work work_at(size_t operation, int64_t batch) const;

  Build build_;
  Program low_;
  StepSizes high_;
  std::optional<StepSizes> third_;  // where costs grow with the square of the batch
  bool straight_ = false;
  std::optional<int64_t> only_;
  Error why_not_;

  // A value whose size depends on the batch, and where its axes begin in StepSizes::axes.
  struct Growing {
    int32_t value, axes;
  };
  std::vector<Growing> growing_;
};

}  // namespace plimsoll
