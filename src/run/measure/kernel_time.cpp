#include "run/measure/kernel_time.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "run/exec/onednn/onednn_lowering.h"

namespace plimsoll {
namespace {

constexpr int64_t kPage = 4096;

struct Freed {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

// Bytes of a kernel's values: numbers that no arithmetic is slow on.
class MadeUpMemory {
 public:
  Result<std::byte*> take(Bytes size) {
    const auto bytes = size_t((size.value() + kPage) / kPage * kPage);
    auto* data = static_cast<std::byte*>(std::aligned_alloc(kPage, bytes));
    if (!data) return environment_error(human_bytes(size) + " to measure in could not be allocated");
    std::fill_n(reinterpret_cast<float*>(data), bytes / sizeof(float), 0.5F);
    parts_.emplace_back(data);
    return data;
  }

 private:
  std::vector<std::unique_ptr<std::byte, Freed>> parts_;
};

Seconds shortest_run(Kernel& kernel, const KernelEffort& effort) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  kernel.run();  // touches its memory
  double shortest = 1e9;
  const auto begin = Clock::now();
  for (int runs = 0; runs < effort.least_runs || since(begin) < effort.time.value; ++runs) {
    const auto start = Clock::now();
    kernel.run();
    shortest = std::min(shortest, since(start));
  }
  return {shortest};
}

}  // namespace

Result<std::optional<KernelTime>> kernel_time(Program program, const EngineOptions& engine,
                                              const KernelEffort& effort) {
  PLIM_ASSIGN(const auto owned, lower_for_onednn(std::move(program), engine));
  const OnednnLowered& lowered = *owned;
  Kernel* kernel = lowered.kernels.back().get();
  if (!kernel) return std::optional<KernelTime>();
  const Operation& operation = lowered.program.operations.back();
  MadeUpMemory memory;
  Places places;
  const auto place = [&](const std::vector<ValueId>& ids, std::vector<std::byte*>& into) -> Status {
    for (const ValueId id : ids) {
      into.push_back(nullptr);
      if (!id.present()) continue;
      PLIM_ASSIGN(into.back(), memory.take(lowered.rules().storage(lowered.program, id)));
    }
    return {};
  };
  PLIM_TRY(place(operation.inputs, places.inputs));
  PLIM_TRY(place(operation.outputs, places.outputs));
  PLIM_ASSIGN(places.workspace, memory.take(kernel->workspace()));
  kernel->prepare(std::move(places));
  KernelTime time{shortest_run(*kernel, effort), std::nullopt};
  if (const auto methods = lowered.conv_methods(); !methods.empty()) time.method = methods.rbegin()->first;
  return std::optional(time);
}

}  // namespace plimsoll
