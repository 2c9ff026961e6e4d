#include "plan/llm/step_memory.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "plan/llm/state_bytes.h"
#include "plan/memory/framework_allocator.h"
#include "plan/memory/framework_context.h"

namespace plimsoll {
namespace {

constexpr double kGaps = 1.02;                         // as framework_peak.cpp has them
constexpr double kProductWorkspace = 8.5 * (1 << 20);  // cuBLAS
constexpr double kHopperWorkspace = 32.0 * (1 << 20);
constexpr double kBucket = 1e9;  // ZeRO's buckets of gradients: 5e8 numbers of 16 bits

struct Block {
  int32_t at = -1;
  double bytes = 0;
  TokenPart part = TokenPart::activations;
};

// One stage of a pipeline, or the whole.
struct Stage {
  int32_t first = -1, last = 0;  // blocks; -1: with the embedding, trace.blocks: with the head
  int64_t in_flight = 1;         // micro-batches whose activations are there at once

  bool has(int32_t block) const { return block >= first && block <= last; }
};

class Replay {
 public:
  Replay(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch, const Stage& stage,
         std::optional<double> line)
      : form_(form),
        trace_(trace),
        setup_(setup),
        stage_(stage),
        line_(line),
        samples_(double(batch) / double(setup.degrees.tensor * setup.degrees.context)),
        allocator_(AllocatorKind::segments),
        alive_(size_t(stage.in_flight), std::vector<int32_t>(trace.tensors.size(), kNone)),
        last_backward_reader_(trace.tensors.size(), -1) {
    for (size_t k = 0; k < trace.operations.size(); ++k)
      for (const int32_t t : trace.operations[k].reads)
        if (last_backward_reader_[size_t(t)] < 0) last_backward_reader_[size_t(t)] = int32_t(k);
    block_state_.resize(size_t(trace.blocks) + 2);
    for (const auto& tensor : form.tensors) add_state(tensor);
    held_.assign(trace.tensors.size(), false);
    for (const int32_t t : trace.held) held_[size_t(t)] = true;
  }

  StepMemory run(bool hopper) {
    now_ = "parameters";
    take_states();
    take(hopper ? kHopperWorkspace : kProductWorkspace, TokenPart::workspace, "workspace of products");
    take_buffers();
    for (int round = 0; round < 2; ++round) step(round > 0);
    memory_.allocated = whole(peak_);
    memory_.reserved = allocator_.held();
    for (size_t p = 0; p < kTokenParts; ++p) memory_.parts[p] = whole(at_peak_[p]);
    memory_[TokenPart::slack] = memory_.reserved - std::min(memory_.reserved, memory_.allocated);
    return memory_;
  }

 private:
  static constexpr int32_t kNone = -1;
  static Bytes whole(double bytes) { return Bytes(int64_t(std::min(bytes, 4e18))); }

  struct BlockState {
    double gathered = 0, gradients = 0;
    std::vector<StateBytes> tensors;
    std::vector<const TokenTensor*> names;
  };

  void add_state(const TokenTensor& tensor) {
    if (!stage_.has(tensor.block)) return;
    BlockState& block = block_state_[size_t(tensor.block + 1)];
    const StateBytes bytes = state_bytes(tensor, setup_);
    block.gathered += bytes.gathered;
    block.tensors.push_back(bytes);
    block.names.push_back(&tensor);
  }

  int32_t take(double bytes, TokenPart part, const std::string& name) {
    if (bytes < 1) return kNone;
    const Bytes size = whole(bytes);
    const int32_t at = allocator_.take(size);
    if (size_t(at) >= owners_.size()) owners_.resize(size_t(at) + 1);
    owners_[size_t(at)] = {at, bytes, part};
    in_use_[size_t(part)] += bytes;
    sum_ += bytes;
    if (size > memory_.largest.bytes) memory_.largest = {name, size};
    if (line_ && sum_ * kGaps > *line_ && memory_.over.name.empty()) memory_.over = {name, size};
    if (sum_ > peak_) {
      peak_ = sum_;
      at_peak_ = in_use_;
      memory_.peak_operation = now_;
    }
    return at;
  }

  std::vector<int32_t> take_pieces(double bytes, int pieces, TokenPart part, const std::string& name) {
    std::vector<int32_t> taken;
    for (int i = 0; i < pieces; ++i) taken.push_back(take(bytes * samples_, part, name));
    return taken;
  }

  void give(const std::vector<int32_t>& blocks) {
    for (const int32_t at : blocks) give(at);
  }

  void give(int32_t at) {
    if (at == kNone) return;
    const Block& block = owners_[size_t(at)];
    in_use_[size_t(block.part)] -= block.bytes;
    sum_ -= block.bytes;
    allocator_.give_back(at);
  }

  void take_states() {
    for (const auto& block : block_state_)
      for (size_t i = 0; i < block.tensors.size(); ++i) {
        const TokenTensor& tensor = *block.names[i];
        take(block.tensors[i].parameter, tensor.adapter ? TokenPart::adapters : TokenPart::parameters, tensor.name);
        if (keeps_gradients(setup_)) take(block.tensors[i].gradient, TokenPart::gradients, tensor.name + ", gradient");
      }
  }

  // What exchange of gradients and tokens takes all the time.
  void take_buffers() {
    const Degrees& d = setup_.degrees;
    double gradients = 0;
    for (const auto& block : block_state_)
      for (const auto& bytes : block.tensors) gradients += bytes.gradient;
    const bool zero = setup_.shard == Shard::zero1 || setup_.shard == Shard::zero2 || setup_.shard == Shard::zero3;
    if (d.data() > 1 && setup_.shard == Shard::none && !d.within_model())
      take(gradients, TokenPart::communication, "buckets of gradients");
    else if (d.data() > 1 && zero && !d.within_model())
      take(std::min(gradients, kBucket), TokenPart::communication, "bucket of gradients");
    // The embedding, the head and what else is in no block stays gathered.
    take(block_state_.front().gathered + block_state_.back().gathered, TokenPart::communication, "gathered tables");
  }

  void step(bool again) {
    std::vector<int32_t> gradients;
    for (int64_t m = 0; m < stage_.in_flight; ++m) forward(size_t(m));
    backward(0, gradients);
    now_ = "update";
    if (!again) take_optimizer();
    update();
    for (const int32_t at : gradients) give(at);
    for (auto& alive : alive_)
      for (int32_t& at : alive) {
        give(at);
        at = kNone;
      }
  }

  void take_optimizer() {
    for (const auto& block : block_state_)
      for (size_t i = 0; i < block.tensors.size(); ++i)
        take(block.tensors[i].optimizer, TokenPart::optimizer, block.names[i]->name + ", states");
  }

  // PyTorch updates all tensors in one call, which makes the root of every second moment at once.
  void update() {
    if (setup_.shard != Shard::none || setup_.degrees.within_model() || setup_.offload != Offload::none) return;
    std::vector<int32_t> made;
    for (const auto& block : block_state_)
      for (size_t i = 0; i < block.tensors.size(); ++i) {
        const TokenTensor& tensor = *block.names[i];
        if (tensor.trained)
          made.push_back(
              take(tensor.numbers / model_parts(tensor, setup_.degrees) * tensor.bytes * setup_.optimizer->temporary,
                   TokenPart::workspace, tensor.name + ", update"));
      }
    for (const int32_t at : made) give(at);
  }

  double size_of(const TraceTensor& tensor) const { return tensor.of_samples ? tensor.bytes * samples_ : tensor.bytes; }
  static TokenPart part_of(const TraceTensor& tensor) {
    return tensor.logits ? TokenPart::logits : TokenPart::activations;
  }

  bool checkpointed(int32_t block) const {
    return setup_.checkpointing != Checkpointing::none && block >= 0 && block < trace_.blocks;
  }

  bool stays(int32_t t, const TraceOperation& by) const {
    if (held_[size_t(t)]) return true;
    const int32_t reader = last_backward_reader_[size_t(t)];
    if (!checkpointed(by.block)) return reader >= 0;
    // The input of a block, which another one reads, stays; so do results of products where only the rest is redone.
    if (is_boundary(t)) return true;
    if (reader < 0) return false;
    const TraceOperation& first = trace_.operations[size_t(reader)];
    return setup_.checkpointing == Checkpointing::selective && trace_.tensors[size_t(t)].product &&
           first.block == by.block;
  }

  // Made in one block and read by the forward pass of another.
  bool is_boundary(int32_t t) const {
    if (boundary_.empty()) find_boundaries();
    return boundary_[size_t(t)];
  }

  void find_boundaries() const {
    boundary_.assign(trace_.tensors.size(), false);
    std::vector<int32_t> made(trace_.tensors.size(), -2);
    for (const auto& operation : trace_.operations)
      for (const int32_t t : operation.makes) made[size_t(t)] = operation.block;
    for (const auto& operation : trace_.operations) {
      for (const int32_t t : operation.drops)
        if (operation.block != made[size_t(t)]) boundary_[size_t(t)] = true;
      for (const int32_t t : operation.into)
        if (operation.block != made[size_t(t)]) boundary_[size_t(t)] = true;
    }
  }

  void forward(size_t micro) {
    int32_t block = -2;
    std::vector<int32_t> gathered;
    for (const auto& operation : trace_.operations) {
      if (!stage_.has(operation.block)) continue;
      if (operation.block != block) enter(operation.block, block, gathered, false);
      run_forward(operation, micro, false);
    }
    for (const int32_t at : gathered) give(at);
  }

  // Sharded parameters of this block and, ahead of time, of the next.
  void enter(int32_t block, int32_t& now, std::vector<int32_t>& gathered, bool backwards) {
    now = block;
    const bool in_stack = block >= 0 && block < trace_.blocks;
    while (gathered.size() > 1 && !(backwards && setup_.habits.keeps_gathered)) {
      give(gathered.front());
      gathered.erase(gathered.begin());
    }
    if (in_stack && block_state_[size_t(block + 1)].gathered > 0)
      gathered.push_back(
          take(block_state_[size_t(block + 1)].gathered, TokenPart::communication, "gathered parameters of a block"));
  }

  // `whole`: everything that the backward pass reads stays, whatever the checkpoints.
  void run_forward(const TraceOperation& operation, size_t micro, bool whole) {
    now_ = operation.name;
    auto& alive = alive_[micro];
    for (const int32_t t : operation.makes)
      if (alive[size_t(t)] == kNone)
        alive[size_t(t)] = take(size_of(trace_.tensors[size_t(t)]), part_of(trace_.tensors[size_t(t)]), operation.name);
    const TokenPart scratch = operation.logits ? TokenPart::logits : TokenPart::workspace;
    give(take_pieces(operation.forward_scratch, operation.forward_pieces, scratch, operation.name + ", scratch"));
    give(take(operation.weight_scratch, TokenPart::workspace, operation.name + ", weights written out"));
    for (const int32_t t : operation.drops)
      if (!(whole ? held_[size_t(t)] || last_backward_reader_[size_t(t)] >= 0 || is_boundary(t)
                  : stays(t, operation))) {
        give(alive[size_t(t)]);
        alive[size_t(t)] = kNone;
      }
    if (whole || !checkpointed(operation.block)) return;
    // Made for a backward pass that will make it again.
    for (const int32_t t : operation.makes)
      if (!stays(t, operation) && is_dropped(operation, t) && alive[size_t(t)] != kNone) {
        give(alive[size_t(t)]);
        alive[size_t(t)] = kNone;
      }
  }

  static bool is_dropped(const TraceOperation& operation, int32_t t) {
    return std::find(operation.drops.begin(), operation.drops.end(), t) != operation.drops.end();
  }

  // Gradients are shared where an operation hands them on.
  struct Gradient {
    int32_t at = kNone;
    std::shared_ptr<int> users;
  };

  void release(Gradient& gradient) {
    if (!gradient.users) return;
    if (--*gradient.users == 0) give(gradient.at);
    gradient = {};
  }

  void backward(size_t micro, std::vector<int32_t>& gradients) {
    flowing_.assign(trace_.tensors.size(), {});
    int32_t block = -2;
    std::vector<int32_t> gathered;
    int32_t unsharded = kNone;
    for (size_t k = trace_.operations.size(); k-- > 0;) {
      const TraceOperation& operation = trace_.operations[k];
      if (!stage_.has(operation.block)) continue;
      if (operation.block != block) {
        give(unsharded);
        unsharded = kNone;
        enter(operation.block, block, gathered, true);
        if (checkpointed(operation.block)) recompute(operation.block, micro);
        unsharded = take_unsharded(operation.block);
      }
      now_ = operation.name + ", backward";
      if (operation.backward) run_backward(operation, gradients);
      for (const int32_t t : operation.reads) done_with(t, int32_t(k), micro);
      for (const int32_t t : operation.makes)
        if (!held_[size_t(t)] && last_backward_reader_[size_t(t)] < 0) forget(t, micro);
    }
    give(unsharded);
    for (const int32_t at : gathered) give(at);
    for (auto& gradient : flowing_) release(gradient);
  }

  void recompute(int32_t block, size_t micro) {
    for (const auto& operation : trace_.operations)
      if (operation.block == block) run_forward(operation, micro, true);
  }

  // Whole gradients of a block, before they are added up and each device keeps its part.
  int32_t take_unsharded(int32_t block) {
    const bool sharded = setup_.shard == Shard::zero2 || setup_.shard == Shard::zero3 || setup_.shard == Shard::fsdp ||
                         setup_.shard == Shard::hsdp;
    if (!sharded || setup_.degrees.data() == 1) return kNone;
    double bytes = 0;
    const auto& state = block_state_[size_t(block + 1)];
    for (size_t i = 0; i < state.tensors.size(); ++i)
      if (state.names[i]->trained)
        bytes += state.names[i]->numbers / model_parts(*state.names[i], setup_.degrees) * state.names[i]->bytes;
    return take(bytes, TokenPart::communication, "gradients of a block");
  }

  void run_backward(const TraceOperation& operation, std::vector<int32_t>& gradients) {
    const TokenPart part = operation.logits ? TokenPart::logits : TokenPart::activations;
    const TokenPart scratch_part = operation.logits ? TokenPart::logits : TokenPart::workspace;
    const auto scratch = take_pieces(operation.backward_scratch, operation.backward_pieces, scratch_part,
                                     operation.name + ", backward scratch");
    const int32_t weights =
        take(operation.weight_scratch, TokenPart::workspace, operation.name + ", weights written out");
    Gradient handed;
    if (operation.hands_on && !operation.from.empty()) handed = flowing_[size_t(operation.from[0])];
    for (const int32_t t : operation.into) {
      Gradient& gradient = flowing_[size_t(t)];
      const bool first = !gradient.users;
      if (first && handed.users && size_of(trace_.tensors[size_t(t)]) <= owners_[size_t(handed.at)].bytes) {
        ++*handed.users;
        gradient = handed;
        continue;
      }
      if (operation.hands_on && operation.from.empty() && first) continue;  // made on the way forward
      const TokenPart into = trace_.tensors[size_t(t)].logits ? TokenPart::logits : part;
      Gradient made{take(size_of(trace_.tensors[size_t(t)]), into, operation.name + ", gradient"),
                    std::make_shared<int>(1)};
      if (first) gradient = made;
      else add_up(gradient, made);
    }
    take_weight_gradients(operation, gradients);
    give(weights);
    give(scratch);
    for (const int32_t t : operation.from) release(flowing_[size_t(t)]);
  }

  // The sum goes into one of them, unless somebody else still reads it.
  void add_up(Gradient& old, Gradient& made) {
    release(old);
    old = made;
  }

  void take_weight_gradients(const TraceOperation& operation, std::vector<int32_t>& gradients) {
    const bool sharded = setup_.shard == Shard::zero2 || setup_.shard == Shard::zero3 || setup_.shard == Shard::fsdp ||
                         setup_.shard == Shard::hsdp;
    for (const auto& [bytes, expert] : operation.weight_gradients) {
      double parts = double(setup_.degrees.tensor) * (expert ? double(setup_.degrees.expert) : 1);
      if (sharded) parts *= std::max<double>(1, double(setup_.degrees.data()));
      const int32_t at = take(bytes / parts, TokenPart::gradients, operation.name + ", gradient of the weights");
      if (keeps_gradients(setup_)) give(at);
      else gradients.push_back(at);
    }
  }

  void done_with(int32_t t, int32_t reader, size_t micro) {
    if (last_backward_reader_[size_t(t)] == reader && !held_[size_t(t)]) forget(t, micro);
  }

  void forget(int32_t t, size_t micro) {
    give(alive_[micro][size_t(t)]);
    alive_[micro][size_t(t)] = kNone;
  }

  const TokenForm& form_;
  const StepTrace& trace_;
  const TrainingSetup& setup_;
  const Stage stage_;
  const std::optional<double> line_;
  const double samples_;
  FrameworkAllocator allocator_;
  std::vector<Block> owners_;
  std::vector<std::vector<int32_t>> alive_;    // by micro-batch: the block of each tensor
  std::vector<int32_t> last_backward_reader_;  // the first operation whose backward pass reads it: the last to do so
  std::vector<BlockState> block_state_;        // from before the stack to after it
  std::vector<bool> held_;
  mutable std::vector<bool> boundary_;
  std::vector<Gradient> flowing_;
  std::array<double, kTokenParts> in_use_{}, at_peak_{};
  double sum_ = 0, peak_ = 0;
  std::string now_;
  StepMemory memory_;
};

std::vector<Stage> stages_of(const StepTrace& trace, const TrainingSetup& setup) {
  const int64_t stages = setup.degrees.pipeline;
  if (stages == 1) return {{-1, trace.blocks, 1}};
  const int32_t each = int32_t((trace.blocks + stages - 1) / stages);
  return {{-1, each - 1, std::min(stages, std::max<int64_t>(setup.micro_batches, 1))},
          {trace.blocks - each, trace.blocks, 1}};
}

}  // namespace

std::string_view name_of(TokenPart part) {
  constexpr std::string_view kNames[] = {"parameters", "adapters",      "gradients", "optimizer", "activations",
                                         "logits",     "communication", "workspace", "slack",     "context"};
  return kNames[size_t(part)];
}

Bytes StepMemory::needed() const {
  const Bytes tight(int64_t(double(allocated.value()) * kGaps));
  return context + std::min(tight, reserved);
}

StepMemory step_memory(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch,
                       const Device* device, std::optional<Bytes> line) {
  const bool gpu = !device || device->kind == DeviceKind::gpu;
  const Bytes context = gpu ? pytorch_context(device) : Bytes(0);
  const bool hopper = device && (device->generation == "hopper" || device->generation == "blackwell");
  std::optional<double> room;
  if (line) room = double(line->value()) - double(context.value());
  StepMemory fullest;
  for (const Stage& stage : stages_of(trace, setup)) {
    StepMemory memory = Replay(form, trace, setup, batch, stage, room).run(hopper);
    memory.last_stage = stage.first >= 0;
    if (memory.allocated > fullest.allocated) fullest = std::move(memory);
  }
  fullest.context = fullest[TokenPart::context] = context;
  return fullest;
}

}  // namespace plimsoll
