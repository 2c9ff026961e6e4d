// GradientExchange: the mean of the workers' gradients and running statistics, in place, while the step that produces
// them still runs. One thread of its own takes the buckets in their order and adds each up over all ranks. Gradients
// may travel in 16 bits (packed_mean.h); running statistics do not: what a step adds to them is often less than those
// hold. Between workers of one host nothing travels: they read each other's memory (neighbour_mean.h).
//
// Borrows the executor, which tells it of each operation from then on, and takes a communicator of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "run/dist/buckets.h"
#include "run/dist/communicator.h"
#include "run/dist/neighbour_mean.h"
#include "run/dist/packed_mean.h"
#include "run/exec/executor.h"

namespace plimsoll {

// What one step's exchange took.
struct Exchanged {
  Seconds busy;                            // of the communication
  Seconds exposed;                         // that the step waited for, after its last operation
  bool finite = true;                      // what this rank brought
  bool mean_finite = true;                 // what all have come to
  double own_square = 0, mean_square = 0;  // squared lengths of this rank's gradient and of the mean of all
  Rounded rounded;
};

// How gradients are sent.
struct ExchangeForm {
  Bytes bucket{4 << 20};    // the size of the pieces, in f32
  DType wire = DType::f32;  // or bf16, f16
  // Workers of one host that read each other's memory (neighbour_mean.h); what is sent in 16 bits is sent anyway.
  bool neighbours = false;
  // Results lie on a device: every bucket is added up in a copy on the host,
  bool on_device = false;
  // or on the devices themselves (device_exchange.h).
  bool by_devices = false;

  bool by_reading() const { return neighbours && wire == DType::f32; }
};

// What an exchange takes as memory of its own, and what MPI takes while it adds up.
Bytes exchange_memory(const std::vector<Bucket>& buckets, const ExchangeForm& form, int workers);
// What each worker gives, and gets back, in a step.
Bytes wire_bytes(const std::vector<Bucket>& buckets, DType wire);

// A step's exchange, from the thread that computes: begin(), compute() of the executor, finish().
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void begin() = 0;
  virtual Exchanged finish() = 0;  // all buckets are in
  virtual const std::vector<Bucket>& buckets() const = 0;
};

class GradientExchange : public Exchange {
 public:
  GradientExchange(Executor& step, std::unique_ptr<Communicator> communicator, const ExchangeForm& form);
  ~GradientExchange() override;
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  void begin() override;
  Exchanged finish() override;
  const std::vector<Bucket>& buckets() const override { return buckets_; }

 private:
  void run();
  void exchange(size_t index);
  bool is_copied(const Bucket& bucket) const { return bucket.results.size() > 1 || !step_.on_host(); }
  std::span<float> place_of(const Bucket& bucket);
  void copy_together(const Bucket& bucket);
  void copy_back(const Bucket& bucket);
  void add_up(std::span<float> numbers, bool gradients);
  void add_up_packed(const Bucket& bucket);
  void settle();

  Executor& step_;
  std::unique_ptr<Communicator> communicator_;
  std::vector<Bucket> buckets_;
  size_t most_;  // numbers of one sum: MPI takes memory by it
  std::vector<float> copied_;
  std::optional<PackedMean> packed_;         // where gradients travel in 16 bits
  std::optional<NeighbourMean> neighbours_;  // where workers read each other's memory
  std::vector<double> squares_;              // as those tell them: of gradients, then of all else
  double busy_ = 0, own_square_ = 0, mean_square_ = 0;
  Rounded rounded_;
  bool finite_ = true, mean_finite_ = true;

  std::mutex mutex_;  // all below
  std::condition_variable changed_;
  size_t ready_ = 0, done_ = 0;  // buckets of this step
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace plimsoll
