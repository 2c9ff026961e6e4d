// WorkLimit: how much a file may make us compute before anything is run. While one is in force, whoever computes from
// constants alone (folding, shape rules that look at contents) asks first and does without where it is too much.
//
// One unit is about what an element of a tensor takes in reference maths. A limit holds for its own thread and while it
// lives; outside of one, as in a training run, there is none.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace plimsoll {

class WorkLimit {
 public:
  explicit WorkLimit(int64_t units);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  int64_t left() const { return left_; }

 private:
  friend bool may_work(Count units);

  int64_t left_;
  WorkLimit* outer_;
};

// Takes the units from the limit in force. False, and nothing is taken, when that many are not left.
bool may_work(Count units);

}  // namespace plimsoll
