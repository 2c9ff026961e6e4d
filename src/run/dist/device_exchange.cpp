#include "run/dist/device_exchange.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace plimsoll {

Result<std::unique_ptr<DeviceSum>> joined_device_sum(Executor& step, Communicator& communicator) {
  auto sum = step.device_sum();
  PLIM_TRY(communicator.together(sum.ok() ? Status() : Status(sum.error())));
  DeviceSum::Id id{};
  Status made;
  if (communicator.first()) {
    auto first = (*sum)->new_id();
    if (first.ok()) id = *first;
    else made = Status(first.error());
  }
  PLIM_TRY(communicator.together(made));
  communicator.broadcast(id);
  PLIM_TRY(communicator.together((*sum)->join(id, communicator.rank(), communicator.size())));
  return *std::move(sum);
}

DeviceExchange::DeviceExchange(Executor& step, DeviceSum& sum, Bytes bucket)
    : step_(step), sum_(sum), buckets_(make_buckets(step.lowered(), step.plan(), bucket)) {
  step_.tell_of_each([this](size_t operation) { done(operation); });
}

DeviceExchange::~DeviceExchange() { step_.tell_of_each({}); }

void DeviceExchange::done(size_t operation) {
  for (; begun_ < buckets_.size() && buckets_[begun_].ready_at <= operation; ++begun_) {
    std::vector<ValueId> values;
    for (const StepResult& result : buckets_[begun_].results) values.push_back(result.value);
    sum_.begin(values, buckets_[begun_].gradients());
  }
}

// A square may be too large for f32 where no gradient is: only with the mean it tells whose numbers are not finite.
Exchanged DeviceExchange::finish() {
  PLIM_CHECK(begun_ == buckets_.size(), "a bucket that no operation finished");
  const auto start = std::chrono::steady_clock::now();
  const DeviceMeans means = sum_.finish();
  Exchanged exchanged;
  exchanged.mean_finite = step_.finite();
  exchanged.finite = exchanged.mean_finite || std::isfinite(means.own_square);
  exchanged.own_square = means.own_square;
  exchanged.mean_square = means.mean_square;
  exchanged.exposed = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  exchanged.busy = std::max(means.busy, exchanged.exposed);
  return exchanged;
}

}  // namespace plimsoll
