#include "run/measure/memory_bound_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "plan/time/timed_program.h"
#include "run/exec/onednn/onednn_backend.h"

namespace plimsoll {
namespace {

constexpr double kLeastBytes = 1 << 16;  // smaller operations tell of their start, not of memory
constexpr double kMostFlops = 4;         // a byte; products with more tell of their arithmetic

// Norms, sums and pools in a convolution's layout, then linear layers.
Result<Program> small_step(const MemoryBoundSize& size) {
  Builder b("sweeps", Shape({64, size.side, size.side}));
  ValueId x = b.conv("conv", b.input(), 64, {.kernel = {1, 1}});
  x = b.relu("relu", b.batch_norm("norm", x));
  for (int64_t i = 0; i < size.blocks; ++i) {
    const auto named = [&](std::string_view what) { return fmt::format("block{}.{}", i, what); };
    const ValueId branch = b.batch_norm(named("norm"), b.conv(named("conv"), x, 64, {.kernel = {1, 1}}));
    x = b.relu(named("relu"), b.add(named("add"), branch, x));
  }
  x = b.max_pool("pool", x, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  x = b.conv("thin", x, size.width / 16, {.kernel = {1, 1}, .stride = {7, 7}});
  x = b.relu("relu1", b.linear("linear1", b.flatten("flatten", x), size.width));
  PLIM_ASSIGN(const Graph graph, b.finish(b.linear("linear2", x, 1000)));
  PLIM_ASSIGN(Program forward, bind(graph, {.batch = size.batch}));
  StepOptions options;
  PLIM_ASSIGN(options.optimizer, find_optimizer("momentum"));
  return make_step(std::move(forward), options);
}

// The shortest time of each operation in seconds.
std::vector<double> shortest_times(Executor& executor, int runs) {
  std::vector<double> shortest(executor.program().operations.size(), 0);
  for (int run = 0; run < runs; ++run) {
    std::vector<Seconds> times(shortest.size());
    executor.time_into(&times);
    executor.compute();
    executor.update();
    executor.time_into(nullptr);
    for (size_t i = 0; i < times.size(); ++i)
      shortest[i] = run == 0 ? times[i].value : std::min(shortest[i], times[i].value);
  }
  return shortest;
}

struct Sum {
  double bytes = 0, seconds = 0;
  int64_t operations = 0;
};

Status measure(int threads, const MemoryBoundSize& size, int runs, std::vector<MemoryBoundRate>& rows) {
  PLIM_ASSIGN(const Program step, small_step(size));
  const TimedProgram demands = timed(step);
  std::map<ValueId, const TimedOperation*> by_output;
  for (size_t i = 0; i < step.operations.size(); ++i)
    for (const ValueId id : step.operations[i].outputs)
      if (id.present()) by_output[id] = &demands.operations[i];
  PLIM_ASSIGN(const auto executor, make_executor(onednn_backend(), step, EngineOptions(threads)));
  executor->compute();  // touches its memory
  const std::vector<double> times = shortest_times(*executor, runs);
  std::map<MemoryBound, Sum> sums;
  for (size_t i = 0; i < times.size(); ++i) {
    const auto& outputs = executor->program().operations[i].outputs;
    const auto found = outputs.empty() ? by_output.end() : by_output.find(outputs[0]);
    if (found == by_output.end() || times[i] <= 0) continue;  // a reorder
    const TimedOperation& operation = *found->second;
    if (operation.conv || operation.bytes < kLeastBytes) continue;
    if (operation.work == Work::product && operation.flops > kMostFlops * operation.bytes) continue;
    Sum& sum = sums[memory_bound_of(operation)];
    sum.bytes += operation.bytes, sum.seconds += times[i], ++sum.operations;
  }
  for (const auto& [kind, sum] : sums)
    rows.push_back({kind, Bytes(int64_t(sum.bytes / double(sum.operations))), {sum.bytes / sum.seconds}});
  return {};
}

}  // namespace

Result<MemoryBoundRates> measure_memory_bound_speed(int threads, const MemoryBoundEffort& effort,
                                                    const MemoryBoundRates& before) {
  std::vector<MemoryBoundRate> rows(before.rows().begin(), before.rows().end());
  for (int round = 0; round < effort.rounds; ++round)
    for (const MemoryBoundSize& size : effort.sizes) PLIM_TRY(measure(threads, size, effort.runs, rows));
  // The fastest of a size comes first and stays. Updates do not grow with the batch.
  std::sort(rows.begin(), rows.end(), [](const MemoryBoundRate& a, const MemoryBoundRate& b) {
    return std::tuple(a.kind, a.bytes, b.rate) < std::tuple(b.kind, b.bytes, a.rate);
  });
  const auto same = [](const MemoryBoundRate& a, const MemoryBoundRate& b) {
    return a.kind == b.kind && a.bytes == b.bytes;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  return MemoryBoundRates(std::move(rows));
}

}  // namespace plimsoll
