// scale: a training on one, two … thousands of workers: the time of a step, what of it is exchange of gradients and
// waiting for samples, and, joined with the critical batch, steps, time and money to the same loss.
//
// A worker is one device. All have a copy of the network and a batch of their own; gradients are added up before every
// update. A worker's own step is that of `place`.
#pragma once

#include <limits>

#include "plan/time/exchange_time.h"
#include "plan/verdict/large_batch.h"
#include "plan/verdict/place.h"

namespace plimsoll {

inline constexpr int64_t kMostWorkers = 1'000'000;

// all_reduce: a process for each worker, gradients in buckets beside the backward pass. one_process: PyTorch's
// DataParallel, for GPUs of one host (data_parallel.h).
enum class ExchangeWay { all_reduce, one_process };

struct ScaleQuestion {
  Job job;           // of one worker; its batch, when given, is every worker's
  Candidate device;  // as it is named: a node has several workers
  Wiring wiring;
  ExchangeWay exchange = ExchangeWay::all_reduce;
  ExchangeRule rule;
  double jitter = 0;                    // a worker's computing varies from step to step by this share of it
  bool shared_disk = false;             // one for all nodes, not one on each
  std::optional<int64_t> global_batch;  // of all workers together, however many; not with micro-batches
  std::optional<double> critical_batch;
  std::optional<int64_t> reference_batch;  // at which the job's epochs reach the loss; absent: one worker's
};

struct ScaleRun {
  int64_t workers = 1, nodes = 1;
  int64_t batch = 0;         // of a worker, in one pass
  int64_t global_batch = 0;  // of a step
  bool fits = true;
  Bytes peak;
  Seconds compute;     // of a worker by itself
  Seconds straggling;  // by which the slowest of them takes longer
  ExchangeTime exchange;
  Seconds waiting;  // for samples: the step is longer by that
  Seconds step;
  std::string_view bound_by;
  double samples_per_second = 0;
  double efficiency = 1;  // against as many workers that each run as fast as one alone
  double steps = 0, samples = 0;
  Seconds total;
  std::optional<Dollars> cost;
  double machine_seconds = 0;  // of what is paid for: stands for money where there is no price
};

class Scaling {
 public:
  // Chooses a worker's batch where none is given: the one that `place` would.
  static Result<std::unique_ptr<Scaling>> make(ScaleQuestion question);

  Scaling(const Scaling&) = delete;
  Scaling& operator=(const Scaling&) = delete;

  // With the question's batch. Where neither it nor a global batch is given and a critical batch is: with the batch
  // that is done first. Without a critical batch the epochs are the same at every batch.
  Result<ScaleRun> on(int64_t workers, std::optional<double> critical_batch);

  // Where time and money meet: the number of workers from which on a percent more of money buys less than a percent of
  // time. Of those up to `most`.
  Result<ScaleRun> knee(std::optional<double> critical_batch, int64_t most);

  // Whether the steps to the same loss are known: with a critical batch, or because the batch is always the reference.
  bool knows_steps() const { return question_.critical_batch || question_.global_batch == reference_; }

  const ScaleQuestion& question() const { return question_; }
  Framework framework() const { return placing_.framework_on(worker_); }
  int64_t reference_batch() const { return reference_; }
  const JobPlacement& alone() const { return *alone_; }  // one worker with the batch chosen
  const std::optional<HourlyPrice>& price() const { return price_; }
  bool chooses_batch() const { return !question_.job.batch && !question_.global_batch; }

 private:
  explicit Scaling(ScaleQuestion question);

  Status start();
  Result<const JobPlacement*> worker_at(int64_t batch);
  Result<ScaleRun> step_on(int64_t workers, int64_t batch);
  Status exchange(ScaleRun& run, const JobPlacement& worker);
  void load(ScaleRun& run, const JobPlacement& worker);
  Status compare(ScaleRun& run, const JobPlacement& worker);
  void finish(ScaleRun& run, std::optional<double> critical_batch) const;
  Result<ScaleRun> with_best_batch(int64_t workers, double critical_batch);

  ScaleQuestion question_;
  Candidate worker_;
  Placing placing_;
  std::optional<int64_t> batch_;  // of a worker; absent when the global one is given
  int64_t largest_ = 1;           // batch of a worker that fits
  int64_t reference_ = 1;
  std::optional<HourlyPrice> price_;
  const JobPlacement* alone_ = nullptr;
  std::map<int64_t, JobPlacement> workers_;                // by batch
  std::map<std::pair<int64_t, int64_t>, ScaleRun> steps_;  // by workers and batch
};

// Of money, or of machines' time where prices are not known.
double money_of(const ScaleRun& run);

}  // namespace plimsoll
