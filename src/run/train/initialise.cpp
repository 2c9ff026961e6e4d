#include "run/train/initialise.h"

#include "model/passes/folded_weights.h"
#include "run/train/initial_weights.h"
#include "run/train/staging.h"

namespace plimsoll {
namespace {

bool is_stored(const ProgramValue& value) {
  const bool kept = value.role == Role::parameter || value.role == Role::buffer || value.role == Role::state;
  return kept && !value.storage.present() && value.type && value.type->dtype == DType::f32;
}

}  // namespace

Result<int64_t> load_weights(Executor& executor, const Weights& weights) {
  const Program& program = executor.program();
  PLIM_ASSIGN(const FoldedWeights folded, FoldedWeights::make(program, weights));
  Staging staging(executor);
  int64_t written = 0;
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    if (!is_stored(value) || !folded.has(value.name)) continue;
    const auto bytes = staging.take(value.type->bytes());
    const auto count = size_t(value.type->elements().value());
    auto status = folded.read(value.name, 0, {reinterpret_cast<float*>(bytes.data()), count});
    if (!status.ok()) return std::move(status).error();
    executor.write({int32_t(i)}, bytes);
    ++written;
  }
  return written;
}

void initialise(Executor& executor, uint64_t seed) {
  const auto written = load_weights(executor, InitialWeights(executor.program(), seed));
  PLIM_CHECK(written.ok(), "fresh weights cannot fail");
}

}  // namespace plimsoll
