// DeviceExchange: the mean of the workers' gradients and running statistics, taken on their devices (device_sum.h):
// each bucket begins with the operation that finishes it, on the thread that computes. What GradientExchange is to
// memory of the host.
#pragma once

#include "run/dist/gradient_exchange.h"

namespace plimsoll {

// The executor's, joined by all workers. Collective.
Result<std::unique_ptr<DeviceSum>> joined_device_sum(Executor& step, Communicator& communicator);

class DeviceExchange : public Exchange {
 public:
  // Borrows all.
  DeviceExchange(Executor& step, DeviceSum& sum, Bytes bucket);
  ~DeviceExchange() override;
  DeviceExchange(const DeviceExchange&) = delete;
  DeviceExchange& operator=(const DeviceExchange&) = delete;

  void begin() override { begun_ = 0; }
  Exchanged finish() override;
  const std::vector<Bucket>& buckets() const override { return buckets_; }

 private:
  void done(size_t operation);

  Executor& step_;
  DeviceSum& sum_;
  std::vector<Bucket> buckets_;
  size_t begun_ = 0;
};

}  // namespace plimsoll
