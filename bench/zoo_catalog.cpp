// Every network of the zoo on every device of the catalog, fit and place, on one core: how long it takes in all, and
// how many times longer than weighing every network once, measured in the same run.
#include <fmt/format.h>

#include <chrono>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "plan/weight/weigh.h"

namespace plimsoll {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Network zoo_network(const ZooModel& model) {
  const auto graph = std::make_shared<const Graph>(*build_model(model.name, {}));
  return Network(std::string(model.name), [graph](std::optional<int64_t> batch, const NumberFormat& format) {
    return bind(*graph, {.batch = batch, .parameters = format.parameters, .activations = format.activations});
  });
}

struct Sum {
  int64_t pairs = 0, fits = 0;
  double batches = 0;  // so that nothing is optimised away, and two runs can be compared
};

void fit_and_place(const ZooModel& model, const std::vector<Candidate>& candidates, Sum& sum) {
  const Network network = zoo_network(model);
  Job job;
  job.network = &network;
  job.step.optimizer = *find_optimizer(kDefaultOptimizer);
  job.load_line = kLoadLine;
  job.samples = 1'000'000;
  Placing placing(job);
  for (const auto& candidate : candidates) {
    const auto placement = placing.on(candidate);
    const auto largest = placing.largest_batch_on(candidate);
    if (!placement.ok() || !largest.ok()) continue;
    ++sum.pairs;
    sum.fits += placement->fits;
    sum.batches += double(*largest);
  }
}

int run() {
  std::vector<Candidate> candidates;
  for (const auto& file : all_device_files())
    if (auto candidate = find_candidate(std::string(file.name)); candidate.ok()) candidates.push_back(*candidate);
  const double weighing = seconds_of([] {
    for (const auto& model : all_models())
      (void)weigh(*bind(*build_model(model.name, {}), {.batch = 1}), Mode::train, **find_optimizer(kDefaultOptimizer));
  });
  Sum sum;
  const double all = seconds_of([&] {
    for (const auto& model : all_models()) fit_and_place(model, candidates, sum);
  });
  fmt::print("zoo × catalog: {} networks × {} devices, fit and place, {} pairs, {} fit, batches {:.0f}\n",
             all_models().size(), candidates.size(), sum.pairs, sum.fits, sum.batches);
  fmt::print("  {:.1f} s on one core, {:.2f} ms a pair; ×{:.0f} the time of weighing the zoo once\n", all,
             all / double(sum.pairs) * 1e3, all / weighing);
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main() { return plimsoll::run(); }
