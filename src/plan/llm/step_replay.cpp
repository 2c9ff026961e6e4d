#include "plan/llm/step_replay.h"

#include <algorithm>

namespace plimsoll {

constexpr double kBytesOfAToken = 16;  // its number and its label's

StepReplay::StepReplay(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch,
                       const PipelineStage& stage, std::optional<double> line)
    : trace_(trace),
      setup_(setup),
      stage_(stage),
      samples_(double(batch) / double(setup.degrees.tensor * setup.degrees.context)),
      sequence_(form.sequence),
      ledger_(line),
      states_(form, trace.blocks, setup, stage_, ledger_),
      kept_(trace, setup),
      alive_(size_t(stage.in_flight), std::vector<int32_t>(trace.tensors.size(), kNone)) {}

StepMemory StepReplay::run(double workspace, std::vector<TokenMoment>* moments) {
  ledger_.at("parameters", Phase::forward);
  states_.take_parameters();
  ledger_.take(workspace, TokenPart::workspace, "workspace of products");
  states_.take_buffers();
  ledger_.take(samples_ * double(sequence_) * kBytesOfAToken, TokenPart::input, "tokens and labels");
  step(true);
  ledger_.record(moments);
  step(false);
  return ledger_.memory();
}

void StepReplay::step(bool first) {
  std::vector<int32_t> gradients;
  for (int64_t m = 0; m < stage_.in_flight; ++m) forward(size_t(m));
  backward(0, gradients);
  ledger_.at("update", Phase::update);
  if (first) states_.take_optimizer();
  states_.update();
  ledger_.give(gradients);
  for (auto& alive : alive_)
    for (int32_t& block : alive) {
      ledger_.give(block);
      block = kNone;
    }
}

void StepReplay::forward(size_t micro) {
  int32_t block = -2;
  std::vector<int32_t> gathered;
  for (const auto& operation : trace_.operations) {
    if (!stage_.has(operation.block)) continue;
    if (operation.block != block) enter(operation.block, block, gathered, false);
    run_forward(operation, micro, false);
  }
  ledger_.give(gathered);
}

// Sharded parameters of this block and, ahead of time, of the next.
void StepReplay::enter(int32_t block, int32_t& now, std::vector<int32_t>& gathered, bool backwards) {
  now = block;
  const bool in_stack = block >= 0 && block < trace_.blocks;
  while (gathered.size() > 1 && !(backwards && setup_.habits.first_fsdp)) {
    ledger_.give(gathered.front());
    gathered.erase(gathered.begin());
  }
  if (in_stack && states_.gathered(block) > 0)
    gathered.push_back(
        ledger_.take(states_.gathered(block), TokenPart::communication, "gathered parameters of a block"));
}

std::vector<int32_t> StepReplay::take_pieces(double bytes, int pieces, const TraceOperation& operation) {
  const TokenPart part = operation.logits ? TokenPart::logits : TokenPart::workspace;
  std::vector<int32_t> taken;
  for (int i = 0; i < pieces; ++i) taken.push_back(ledger_.take(bytes * samples_, part, operation.name + ", scratch"));
  return taken;
}

// `again`: for the backward pass of a checkpointed block, which reads what it makes.
void StepReplay::run_forward(const TraceOperation& operation, size_t micro, bool again) {
  ledger_.at(operation.name, again ? Phase::backward : Phase::forward);
  auto& alive = alive_[micro];
  for (const int32_t t : operation.makes) {
    const TraceTensor& tensor = trace_.tensors[size_t(t)];
    const TokenPart part = tensor.logits ? TokenPart::logits : TokenPart::activations;
    if (alive[size_t(t)] == kNone) alive[size_t(t)] = ledger_.take(tensor.bytes_of(samples_), part, operation.name);
  }
  ledger_.give(take_pieces(operation.forward_scratch, operation.forward_pieces, operation));
  ledger_.give(ledger_.take(operation.weight_scratch, TokenPart::workspace, operation.name + ", weights written out"));
  for (const int32_t t : operation.drops)
    if (!(again ? kept_.stays_when_redone(t) : kept_.stays(t, operation))) forget(t, micro);
}

void StepReplay::backward(size_t micro, std::vector<int32_t>& gradients) {
  GradientFlow flow(trace_, samples_, ledger_);
  int32_t block = -2;
  std::vector<int32_t> gathered, whole_gradients, shares;
  const size_t in_flight = setup_.habits.first_fsdp ? 1 : 0;  // being added up while the next block runs
  for (size_t k = trace_.operations.size(); k-- > 0;) {
    const TraceOperation& operation = trace_.operations[k];
    if (!stage_.has(operation.block)) continue;
    if (operation.block != block) {
      leave(in_flight, whole_gradients);
      leave(in_flight, shares);
      enter(operation.block, block, gathered, true);
      if (kept_.checkpointed(block)) recompute(block, micro);
      whole_gradients.push_back(
          ledger_.take(states_.whole_gradients(block), TokenPart::communication, "gradients of a block"));
      if (setup_.habits.first_fsdp)  // each device's share of the sum is written beside them
        shares.push_back(ledger_.take(states_.whole_gradients(block) / double(setup_.degrees.data()),
                                      TokenPart::communication, "sum of a block's gradients"));
    }
    ledger_.at(operation.name + ", backward", Phase::backward);
    if (operation.backward) run_backward(operation, flow, gradients);
    done_with(operation, int32_t(k), micro);
  }
  leave(0, whole_gradients);
  leave(0, shares);
  ledger_.give(gathered);
  flow.end();
}

// Gives back all but the last few.
void StepReplay::leave(size_t few, std::vector<int32_t>& taken) {
  while (taken.size() > few) {
    ledger_.give(taken.front());
    taken.erase(taken.begin());
  }
}

void StepReplay::recompute(int32_t block, size_t micro) {
  for (const auto& operation : trace_.operations)
    if (operation.block == block) run_forward(operation, micro, true);
}

void StepReplay::run_backward(const TraceOperation& operation, GradientFlow& flow, std::vector<int32_t>& gradients) {
  const auto scratch = take_pieces(operation.backward_scratch, operation.backward_pieces, operation);
  const int32_t weights =
      ledger_.take(operation.weight_scratch, TokenPart::workspace, operation.name + ", weights written out");
  flow.make(operation);
  take_weight_gradients(operation, gradients);
  ledger_.give(weights);
  ledger_.give(scratch);
  flow.release(operation);
}

void StepReplay::take_weight_gradients(const TraceOperation& operation, std::vector<int32_t>& gradients) {
  if (setup_.degrees.within_model()) return;  // Megatron adds them up where they stay
  for (const auto& [bytes, expert] : operation.weight_gradients) {
    double parts = double(setup_.degrees.tensor) * (expert ? double(setup_.degrees.expert) : 1);
    if (shards_gradients(setup_.shard)) parts *= std::max<double>(1, double(setup_.degrees.data()));
    const int32_t made =
        ledger_.take(bytes / parts, TokenPart::gradients, operation.name + ", gradient of the weights");
    if (keeps_gradients(setup_)) ledger_.give(made);
    else gradients.push_back(made);
  }
}

void StepReplay::done_with(const TraceOperation& operation, int32_t index, size_t micro) {
  for (const int32_t t : operation.reads)
    if (kept_.last_reader(t) == index && !kept_.held(t)) forget(t, micro);
  for (const int32_t t : operation.makes)
    if (!kept_.held(t) && kept_.last_reader(t) < 0) forget(t, micro);
}

void StepReplay::forget(int32_t tensor, size_t micro) {
  ledger_.give(alive_[micro][size_t(tensor)]);
  alive_[micro][size_t(tensor)] = kNone;
}

}  // namespace plimsoll
