// How long it takes to plan the memory of a training step, and how that grows: ResNet-152, then residual networks of
// twice the operations each time. The last column is the growth against n log n: at most about 1 is what we want.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "plan/memory/memory_plan.h"

namespace plimsoll {
namespace {

double milliseconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The quickest of several, on a machine that others use too.
double quickest_of(int times, const auto& work) {
  double best = milliseconds_of(work);
  for (int i = 1; i < times; ++i) best = std::min(best, milliseconds_of(work));
  return best;
}

// Blocks of two convolutions around a shortcut, in five stages, each with half the sides and twice the channels.
Graph residual_network(int blocks) {
  Builder b("residual", {3, 64, 64});
  ValueId x = b.conv("stem", b.input(), 16, {.kernel = {3, 3}, .padding = {1, 1}});
  for (int i = 0; i < blocks; ++i) {
    const auto scope = b.enter(std::to_string(i));
    if (i > 0 && i * 5 / blocks > (i - 1) * 5 / blocks)
      x = b.conv("down", x, 2 * b.channels(x), {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
    const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}, .bias = false};
    ValueId y = b.relu("relu1", b.batch_norm("bn1", b.conv("conv1", x, b.channels(x), same)));
    y = b.batch_norm("bn2", b.conv("conv2", y, b.channels(x), same));
    x = b.relu("relu2", b.add("add", x, y));
  }
  return *b.finish(b.linear("fc", b.flatten("flatten", b.global_average_pool("pool", x)), 10));
}

struct Times {
  size_t operations = 0;
  double bind = 0, passes = 0, plan = 0;  // milliseconds
  double share = 0;                       // arena over its bound
};

Times times_of(const Graph& graph, int64_t batch) {
  Times times;
  StepOptions options;
  options.optimizer = *find_optimizer(kDefaultOptimizer);
  Program forward, step;
  times.bind = quickest_of(3, [&] { forward = *bind(graph, {.batch = batch}); });
  times.passes = quickest_of(3, [&] { step = *make_step(forward, options); });
  times.operations = step.operations.size();
  times.plan = quickest_of(5, [&] {
    const MemoryPlan plan = plan_memory(step, plain_size_rules());
    times.share = double(plan.arena.value()) / double(plan.arena_bound.value());
  });
  return times;
}

void print(const std::string& what, const Times& times, const std::string& growth) {
  fmt::print("  {:20s} {:>9d} {:>9.1f} {:>9.1f} {:>9.2f}  {:>8.4f}  {}\n", what, times.operations, times.bind,
             times.passes, times.plan, times.share, growth);
}

int run() {
  fmt::print("planning a training step's memory (milliseconds)\n");
  fmt::print("  {:20s} {:>9s} {:>9s} {:>9s} {:>9s}  {:>8s}  {}\n", "", "operations", "bind", "passes", "plan",
             "of bound", "plan's growth, and against n log n");
  for (const int64_t batch : {1, 32, 256})
    print(fmt::format("resnet152 × {}", batch), times_of(*build_model("resnet152", {}), batch), "");
  Times before;
  for (int blocks = 64; before.operations < 100'000; blocks *= 2) {
    const Times times = times_of(residual_network(blocks), 32);
    std::string growth;
    if (before.operations > 0) {
      const double n = double(times.operations), m = double(before.operations), ratio = times.plan / before.plan;
      growth = fmt::format("×{:.2f}  {:.2f}", ratio, ratio / (n * std::log(n) / (m * std::log(m))));
    }
    print(fmt::format("{} blocks", blocks), times, growth);
    before = times;
  }
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main() { return plimsoll::run(); }
