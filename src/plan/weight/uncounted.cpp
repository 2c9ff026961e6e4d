#include "plan/weight/uncounted.h"

namespace plimsoll {

int64_t Uncounted::unknown() const {
  int64_t all = 0;
  for (const auto& [name, count] : unknown_ops) all += count;
  return all;
}

Uncounted uncounted_in(const Program& program) {
  Uncounted found;
  for (const auto& operation : program.operations) {
    if (operation.certainty == Certainty::unbounded) ++found.unbounded;
    if (operation.certainty != Certainty::unknown) continue;
    if (operation.op) ++found.unsized;
    else ++found.unknown_ops[operation.op_name];
  }
  return found;
}

}  // namespace plimsoll
