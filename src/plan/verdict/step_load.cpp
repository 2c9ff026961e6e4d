#include "plan/verdict/step_load.h"

namespace plimsoll {

std::string name_at(const Program& program, int32_t operation) {
  const bool there = operation >= 0 && size_t(operation) < program.operations.size();
  return there ? program.operations[size_t(operation)].name : "";
}

Result<int64_t> StepLoad::most_to_ask(Bytes limit, const LoadAt& load) const {
  if (family_->straight()) return kMostSamples;
  return batch_past(limit, kMostSamples, load);
}

Result<int64_t> StepLoad::only_batch_under(const Room& room) {
  PLIM_ASSIGN(const Bytes peak, expected_at(*family_->only_batch(), room));
  return peak <= room.line ? *family_->only_batch() : 0;
}

}  // namespace plimsoll
