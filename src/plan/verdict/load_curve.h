// LoadCurve: the storages of a step over the batch, under given size rules. Lifetimes follow from the form of the step,
// which is the same at every batch, so a point costs one pass over its values.
#pragma once

#include <functional>
#include <map>

#include "model/passes/batch_family.h"
#include "plan/memory/lifetimes.h"

namespace plimsoll {

class LoadCurve {
 public:
  // Borrows family and rules. Costs nothing before it is first asked.
  LoadCurve(const BatchFamily& family, const SizeRules& rules) : family_(&family), rules_(&rules) {}

  // Moves to a batch; step() and storages() are then those of it.
  Status move_to(int64_t batch);
  const Program& step() const { return program_; }

  // The step at a batch with its costs, for timing; its storages are only there after move_to().
  Result<const Program*> costed_at(int64_t batch);
  const Lifetimes& storages() const { return lifetimes_; }

  void let_go() { *this = LoadCurve(*family_, *rules_); }  // the memory of both; whoever asks next begins anew

 private:
  Status begin();

  const BatchFamily* family_;
  const SizeRules* rules_;
  bool begun_ = false;
  Program program_;
  Lifetimes lifetimes_;
};

// The same storages of a straight family, without the step: only the types of its values are copied, and the few
// operations that have workspaces.
class SizeCurve {
 public:
  // Borrows both.
  SizeCurve(const BatchFamily& family, const SizeRules& rules);

  const Lifetimes& at(int64_t batch);  // good until the next question

 private:
  const BatchFamily* family_;
  const SizeRules* rules_;
  Program sized_;                 // values without names, and operations with workspaces
  std::vector<int32_t> moments_;  // of these operations, in the whole step
  Lifetimes lifetimes_;
};

// The largest batch from `least` to `most` whose load is at most `limit`; 0 when there is none. `load` never falls as
// the batch grows; it is nearly a straight line, and few points of it are asked for. `known`: points asked for before.
using LoadAt = std::function<Result<Bytes>(int64_t batch)>;
Result<int64_t> largest_batch(Bytes limit, int64_t least, int64_t most, const LoadAt& load,
                              const std::map<int64_t, Bytes>& known = {});

// Some batch, at most `most`, whose load is more than `limit`, found by doubling; `most` where it is not. For loads
// that are dear to ask for, or have no answer, far beyond the limit.
Result<int64_t> batch_past(Bytes limit, int64_t most, const LoadAt& load);

// The largest sum of bytes alive at one time.
Bytes live_peak(const Lifetimes& lifetimes);

}  // namespace plimsoll
