// LoadCurve: the memory of a step over the batch, under given size rules. Lifetimes follow from the form of the step,
// which is the same at every batch, so a point costs one pass over its values.
#pragma once

#include "model/passes/batch_family.h"
#include "plan/memory/lifetimes.h"

namespace plimsoll {

class LoadCurve {
 public:
  // What a framework takes for a step; never falls as the batch grows.
  using Expected = std::function<Bytes(const Program& step, const Lifetimes& lifetimes)>;

  // Borrows family and rules.
  static Result<LoadCurve> make(const BatchFamily& family, const SizeRules& rules, Expected expected);

  Result<Bytes> at(int64_t batch);

  // The largest batch of at least 1 with at(batch) ≤ `limit`; 0 when there is none, at most `most`.
  Result<int64_t> largest_under(Bytes limit, int64_t most);

 private:
  LoadCurve(const BatchFamily& family, const SizeRules& rules, Expected expected, Program program);

  void resize(int64_t batch);

  const BatchFamily* family_;
  const SizeRules* rules_;
  Expected expected_;
  Program program_;
  Lifetimes lifetimes_;
  std::map<int64_t, Bytes> known_;
};

// The largest sum of bytes alive at one time and the operation at which it is reached.
struct LivePeak {
  Bytes bytes;
  int32_t operation = 0;
};
LivePeak live_peak(const Lifetimes& lifetimes);

}  // namespace plimsoll
