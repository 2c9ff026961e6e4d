// Crew: all workers of a run, as the trainer of each sees them. They compute a step each on samples of their own, leave
// it with the mean of all gradients, and decide together what comes of it: nobody moves a weight, saves or stops alone.
//
// Of one worker it is the worker itself, without threads or messages. Every call is collective.
//
// Where a step has micro-batches, each worker adds up the gradients of its own first, and they meet after the last.
#pragma once

#include <memory>
#include <string>

#include "run/dist/device_exchange.h"
#include "run/dist/pulse.h"
#include "run/dist/straggler.h"
#include "run/exec/executor.h"
#include "run/measure/utilisation.h"
#include "run/train/interruption.h"
#include "run/train/micro_gradients.h"
#include "run/train/training_state.h"

namespace plimsoll {

struct CrewSetup {
  Communicator* communicator = nullptr;  // nullptr: alone
  Pulse* pulse = nullptr;                // nullptr: nobody watches
  ExchangeForm exchange;                 // of gradients
  std::shared_ptr<DeviceSum> sum;        // with exchange.by_devices; of the same executor
};

// What a worker brings from its step, and what all come to.
struct StepNews {
  double loss = 0;  // mean over the samples
  int64_t samples = 0, correct = 0;
  bool finite = true;
  StopAsked stop = StopAsked::no;
  bool save = false;       // rank 0's clock says so
  double seconds = 0;      // of computing
  double own_square = 0;   // squared length of its gradient; of all: their mean. Of one worker: that of micro-batches
  double mean_square = 0;  // of the mean of all gradients
  Rounded rounded;         // squared lengths of what rounding changed; of all: as the squares above
};

class Crew {
 public:
  Crew(const CrewSetup& setup, Executor& step);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return communicator_->size(); }
  int rank() const { return communicator_->rank(); }
  bool alone() const { return communicator_->alone(); }
  bool first() const { return communicator_->first(); }
  Communicator& communicator() { return *communicator_; }

  // Runs the step's compute(): what it leaves is the mean of all workers' gradients. False: this worker's own are not
  // finite numbers. `last`: of the step's micro-batches; what others leave is this worker's own.
  // `meanwhile`: done once all is launched, before anything is waited for; may be empty.
  bool compute(int64_t step, bool last = true, const std::function<void()>& meanwhile = {});
  // Whether what compute() left are finite numbers. The exchange has looked at them; alone the step is asked.
  bool finite() const { return alone() ? step_.finite() : latest_.mean_finite; }
  void says(int64_t step, const char* doing);  // for whoever watches

  // The same on every rank. Squares and rounding come from compute().
  StepNews meet(const StepNews& mine);
  Tally add_up(const Tally& mine);
  StopAsked stop_asked();
  // "rank 1 on node7: 'conv1'" of the ranks whose own numbers were not finite; each brings where, or nothing.
  std::string gather_places(const std::string& mine);

  // All have what rank 0 has: parameters, buffers, optimizer state.
  void take_weights_of_first();
  // An Error names the first rank whose parameters, buffers or state are not bit by bit those of rank 0.
  Status check_same_weights(int64_t step);

  const std::optional<StragglerFound>& straggler() const { return straggler_found_; }  // since the last meet()
  // Which share of all workers' processors other programs had between two moments, 0 to 1.
  double share_of_others(const ProcessorsTime& from, const ProcessorsTime& to);
  const std::string& host_of(int rank) const { return hosts_.at(size_t(rank)); }
  Bytes wire_bytes() const;  // of a step, on their way there; the mean takes as many back
  Seconds communicated() const { return busy_; }
  Seconds waited() const { return exposed_; }

 private:
  Executor& step_;
  std::unique_ptr<Communicator> own_;  // when alone
  Communicator* communicator_;
  Pulse* pulse_;
  DType wire_;
  std::unique_ptr<Exchange> exchange_;
  std::optional<MicroGradients> micro_;   // of one worker's micro-batches
  std::unique_ptr<Communicator> inside_;  // for sums inside a step, while gradients travel
  std::vector<std::string> hosts_;
  Straggler straggler_;
  std::optional<StragglerFound> straggler_found_;
  Seconds busy_, exposed_;
  Exchanged latest_;
};

}  // namespace plimsoll
