// OperationChecks: runs one step of an Executor, and compares what each operation computes with the reference maths on
// the numbers that the operation itself has read. So an error is its own, and not that of those before it.
#pragma once

#include <map>
#include <string>

#include "base/rows/json.h"
#include "run/exec/executor.h"

namespace plimsoll {

class OperationChecks {
 public:
  // Borrows both. `step`: as it was before the backend lowered it.
  OperationChecks(Executor& executor, const Program& step) : executor_(executor), step_(step) {}

  void run();

  // By operation: how many were compared, and the largest difference, as a share of the largest number.
  Json compared(double tolerance) const;
  Json not_compared() const;  // operations, and why
  bool agree(double tolerance) const;

 private:
  struct Worst {
    int64_t count = 0;
    double error = 0;
    std::string where;
  };
  struct Read {
    std::vector<Tensor> inputs, outputs;
  };

  std::string why_not(size_t index) const;
  bool same_type(ValueId id) const;
  Tensor numbers_of(ValueId id) const;
  void before(size_t index);
  void after(size_t index);

  Executor& executor_;
  const Program& step_;
  std::map<size_t, Read> read_;  // operations that are about to run
  std::map<std::string, Worst> worst_;
  std::map<std::string, std::string> left_out_;
};

}  // namespace plimsoll
