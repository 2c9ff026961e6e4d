// StepInputs: what a training step is given beside its parameters: samples and what they should come to, the learning
// rate, its number and the counters of its random numbers.
#pragma once

#include "model/ir/program_lookup.h"
#include "run/data/loader.h"
#include "run/train/judge.h"

namespace plimsoll {

class StepInputs {
 public:
  // Borrows both.
  StepInputs(Executor& step, Judge& judge, uint64_t seed)
      : step_(step),
        judge_(judge),
        seed_(seed),
        learning_rate_(input_named(step.program(), "learning_rate")),
        number_(input_named(step.program(), "step")),
        counters_(input_named(step.program(), "random_counters")) {}

  // `state`: before the step.
  void write(const Batch& whole, double learning_rate, const TrainingState& state) {
    const JudgedBatch batch = judge_.judged(whole);
    const auto rate = float(learning_rate);
    const int64_t number = state.updates + 1;
    const int64_t counters[3] = {int64_t(seed_), state.step + 1, whole.first};
    if (staged_ != whole.inputs.data() || !step_.write_staged())
      step_.write(step_.program().inputs.at(0), batch.inputs);
    staged_ = nullptr;
    judge_.write_targets(step_, batch.labels);
    if (learning_rate_.present()) step_.write(learning_rate_, std::as_bytes(std::span(&rate, 1)));
    if (number_.present()) step_.write(number_, std::as_bytes(std::span(&number, 1)));
    if (counters_.present()) step_.write(counters_, std::as_bytes(std::span(counters)));
  }

  // What comes next: a device fetches it while the step is computed.
  void stage(const Batch& next) {
    if (judge_.tokens() > 0) return;  // few bytes, and not as the network reads them
    step_.stage(next.inputs);
    staged_ = next.inputs.data();
  }
  void forget_staged() { staged_ = nullptr; }

 private:
  Executor& step_;
  Judge& judge_;
  uint64_t seed_;
  const std::byte* staged_ = nullptr;  // where the batch lies on the host that was staged last
  ValueId learning_rate_, number_, counters_;
};

}  // namespace plimsoll
