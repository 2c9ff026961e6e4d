#include "run/bench/device_check.h"

#include <cmath>

#include "run/bench/operation_checks.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_library.h"
#include "run/train/initialise.h"

namespace plimsoll {
namespace {

constexpr uint64_t kSeedOfCheck = 1;
constexpr int kStepsOfCheck = 3;  // whose allocations are counted

// Of the largest number that an operation computes: as many digits as its operands keep.
double tolerance_of(const ComputeFormat& format) {
  switch (format.numbers) {
    case ComputeFormat::Numbers::bf16: return 3e-2;
    case ComputeFormat::Numbers::f16:
    case ComputeFormat::Numbers::tf32: return 5e-3;
    default: return 1e-4;
  }
}

// Waves for images, a low learning rate, class 0 and step 0 for what is counted.
void fill_inputs(Executor& executor) {
  const Program& program = executor.program();
  for (const ValueId id : program.inputs) {
    Tensor tensor(*program.value(id).type);
    if (tensor.type.dtype == DType::f32) {
      const bool single = tensor.size() == 1;
      for (int64_t i = 0; i < int64_t(tensor.size()); ++i)
        tensor.as<float>()[i] = single ? 1e-3F : float(std::sin(0.37 * double(i)));
    }
    if (program.value(id).name == "step") tensor.as<int64_t>()[0] = 1;
    executor.write(id, tensor.bytes);
  }
}

Json memory_report(const Executor& executor, const TorchAllocations& ready, const TorchAllocations& after) {
  Json memory{{"planned_bytes", (executor.plan().persistent + executor.plan().arena).value()},
              {"allocations_in_steps", after.taken - ready.taken},
              {"bytes_beyond_plan", after.bytes_there},
              {"results_copied", after.out_of_place - ready.out_of_place}};
  if (const auto gpu = gpu_memory_in_use()) {
    memory["gpu_bytes"] = gpu->whole.value();
    memory["gpu_bytes_in_use"] = gpu->in_use.value();
  }
  return memory;
}

}  // namespace

Result<Json> device_check(const BenchCase& bench) {
  PLIM_ASSIGN(const auto executor, make_executor(*bench.backend, bench.step, bench.engine));
  const ComputeFormat& format = bench.engine.format;
  initialise(*executor, kSeedOfCheck);
  fill_inputs(*executor);
  OperationChecks checks(*executor, bench.step);
  checks.run();
  const TorchAllocations ready = torch_allocations();
  for (int i = 0; i < kStepsOfCheck; ++i) {
    executor->compute();
    if (bench.step.loss.present()) executor->update();
  }
  const TorchAllocations after = torch_allocations();
  const double tolerance = tolerance_of(format);
  Json report{{"schema", "plimsoll.device_check/1"}, {"device", bench.engine.device.name()}, {"format", format.name()}};
  if (bench.engine.device.by_torch()) {
    report["torch"] = opened_torch().version();
    report["not_steered"] = opened_torch().not_steered();
  }
  report["agrees"] = checks.agree(tolerance);
  report["tolerance"] = tolerance;
  report["compared"] = checks.compared(tolerance);
  report["not_compared"] = checks.not_compared();
  report["by_reference"] = executor->lowered().by_reference;
  report["memory"] = memory_report(*executor, ready, after);
  return report;
}

}  // namespace plimsoll
