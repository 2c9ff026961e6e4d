#include "plan/time/exchange_time.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

struct Bucket {
  double bytes = 0;
  double ready = 0;  // seconds after the pass began
};

// When each operation of a pass is done; the last entry is the end of the backward pass.
std::vector<double> ends_of(const TimedProgram& program, const StepTime& time) {
  std::vector<double> ends;
  double now = 0;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    if (program.operations[i].phase != Phase::update) now += time.operations[i].seconds.value;
    ends.push_back(now);
  }
  ends.push_back(now);
  return ends;
}

std::vector<Bucket> buckets_of(const TimedProgram& program, const std::vector<double>& ends, const ExchangeRule& rule) {
  std::vector<TimedGradient> gradients = program.gradients;
  std::stable_sort(gradients.begin(), gradients.end(),
                   [](const TimedGradient& a, const TimedGradient& b) { return a.operation < b.operation; });
  std::vector<Bucket> buckets;
  bool open = false;
  for (const auto& gradient : gradients) {
    if (!open) buckets.emplace_back();
    Bucket& bucket = buckets.back();
    bucket.bytes += gradient.bytes;
    bucket.ready = ends[gradient.operation];
    open = bucket.bytes < double((buckets.size() == 1 ? rule.first : rule.bucket).value());
  }
  return buckets;
}

}  // namespace

// TensorFlow's usual companion, Horovod, fuses up to 128 MB and looks every millisecond (0.21, 2020).
ExchangeRule exchange_rule(Framework framework) {
  ExchangeRule rule;
  if (framework != Framework::tensorflow) return rule;
  rule.first = rule.bucket = Bytes(128 << 20);
  rule.cycle = {1e-3};
  return rule;
}

ExchangeTime exchange_gradients(const TimedProgram& program, const StepTime& time, int64_t workers,
                                const Wiring& wiring, const ExchangeRule& rule) {
  ExchangeTime exchange;
  if (workers < 2 || program.gradients.empty()) return exchange;
  const std::vector<double> ends = ends_of(program, time);
  const double looked_for = rule.cycle.value / 2;  // on average
  double free = 0, largest = 0, bytes = 0;
  for (const Bucket& bucket : buckets_of(program, ends, rule)) {
    const AllReduce sum = all_reduce(Bytes(std::llround(bucket.bytes * rule.wire)), workers, wiring);
    free = std::max(free, bucket.ready + looked_for) + sum.time.value;
    exchange.alone.value += looked_for + sum.time.value;
    ++exchange.buckets;
    bytes += bucket.bytes * rule.wire;
    if (bucket.bytes > largest) exchange.way = sum.way;
    largest = std::max(largest, bucket.bytes);
  }
  exchange.bytes = Bytes(std::llround(bytes));
  // The passes take longer by what is computed for the exchange, which hides as much more of the link's time.
  exchange.core = {rule.core * bytes * 2 * double(workers - 1) / double(workers)};
  exchange.exposed = {exchange.core.value + std::max(0.0, free - ends.back() - exchange.core.value)};
  return exchange;
}

// In one node's memory a byte is read, added to another and written back, and later copied once more; written lines are
// read before. On a network it is copied into and out of the system at both ends as well, in packets. Both as
// bench/two_workers.py finds them for AlexNet.
double exchange_core_time(const Device& device, std::optional<int64_t> threads, bool leaves_node) {
  constexpr double kInMemory = 6, kByNetwork = 22;  // touches of memory for a byte on its way
  const double touches = leaves_node ? kByNetwork : kInMemory;
  if (device.kind != DeviceKind::cpu) return 0;
  const double cores = device.cores ? std::max(1.0, double(device.cores->value())) : 1;
  const double busy = threads ? std::min(double(*threads), cores) : cores;
  if (device.core_bandwidth) return touches / (device.core_bandwidth->per_second * busy);
  return device.memory_bandwidth ? touches * cores / (device.memory_bandwidth->per_second * busy) : 0;
}

}  // namespace plimsoll
