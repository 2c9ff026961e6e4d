// Who writes and who reads each value of a Program, as it was when this was made.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "model/ir/program.h"

namespace plimsoll {

class Uses {
 public:
  static constexpr int64_t kNobody = -1;

  explicit Uses(const Program& program) : reads_(program.values.size(), 0), producer_(program.values.size(), kNobody) {
    for (size_t i = 0; i < program.operations.size(); ++i) {
      for (const ValueId id : program.operations[i].inputs)
        if (id.present()) ++reads_[size_t(id.index)];
      for (const ValueId id : program.operations[i].outputs)
        if (id.present()) producer_[size_t(id.index)] = int64_t(i);
    }
    for (const ValueId id : program.outputs) ++reads_[size_t(id.index)];
  }

  int reads(ValueId id) const { return reads_[size_t(id.index)]; }  // being an output is one
  int64_t producer(ValueId id) const { return producer_[size_t(id.index)]; }
  void set_producer(ValueId id, int64_t operation) { producer_[size_t(id.index)] = operation; }

 private:
  std::vector<int> reads_;
  std::vector<int64_t> producer_;  // the operation that writes a value
};

// Takes operations out, in place: a step may have a million of them, and most passes take out few or none.
inline int64_t remove_operations(Program& program, const std::vector<bool>& gone) {
  std::vector<Operation>& operations = program.operations;
  size_t kept = 0;
  for (size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) operations[kept] = std::move(operations[i]);
    ++kept;
  }
  operations.erase(operations.begin() + std::ptrdiff_t(kept), operations.end());
  return int64_t(gone.size() - kept);
}

}  // namespace plimsoll
