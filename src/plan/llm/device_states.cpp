#include "plan/llm/device_states.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr double kBucket = 1e9;  // ZeRO's buckets of gradients: 5e8 numbers of 16 bits

bool is_zero_shard(Shard shard) { return shard == Shard::zero1 || shard == Shard::zero2 || shard == Shard::zero3; }

}  // namespace

DeviceStates::DeviceStates(const TokenForm& form, int32_t blocks, const TrainingSetup& setup,
                           const PipelineStage& stage, MemoryLedger& ledger)
    : setup_(setup), ledger_(ledger), blocks_(size_t(blocks) + 2) {
  for (const auto& tensor : form.tensors) {
    if (!stage.has(tensor.block)) continue;
    Block& block = blocks_[size_t(tensor.block + 1)];
    block.bytes.push_back(state_bytes(tensor, setup));
    block.tensors.push_back(&tensor);
    block.gathered += block.bytes.back().gathered;
  }
}

void DeviceStates::take_parameters() {
  for (const Block& block : blocks_)
    for (size_t i = 0; i < block.tensors.size(); ++i) {
      const TokenTensor& tensor = *block.tensors[i];
      const TokenPart part = tensor.adapter ? TokenPart::adapters : TokenPart::parameters;
      ledger_.take(block.bytes[i].parameter, part, tensor.name);
      if (keeps_gradients(setup_))
        ledger_.take(block.bytes[i].gradient, TokenPart::gradients, tensor.name + ", gradient");
    }
}

void DeviceStates::take_buffers() {
  const Degrees& d = setup_.degrees;
  double gradients = 0;
  for (const Block& block : blocks_)
    for (const auto& bytes : block.bytes) gradients += bytes.gradient;
  if (d.data() > 1 && setup_.shard == Shard::none && !d.within_model())
    ledger_.take(gradients, TokenPart::communication, "buckets of gradients");
  else if (d.data() > 1 && is_zero_shard(setup_.shard) && !d.within_model())
    ledger_.take(std::min(gradients, kBucket), TokenPart::communication, "bucket of gradients");
  // The embedding, the head and what else is in no block stays gathered.
  ledger_.take(blocks_.front().gathered + blocks_.back().gathered, TokenPart::communication, "gathered tables");
}

void DeviceStates::take_optimizer() {
  for (const Block& block : blocks_)
    for (size_t i = 0; i < block.tensors.size(); ++i)
      ledger_.take(block.bytes[i].optimizer, TokenPart::optimizer, block.tensors[i]->name + ", states");
}

// PyTorch updates all tensors in one call, which makes the root of every second moment at once.
void DeviceStates::update() {
  if (setup_.shard != Shard::none || setup_.degrees.within_model() || setup_.offload != Offload::none) return;
  std::vector<int32_t> made;
  for (const Block& block : blocks_)
    for (const TokenTensor* tensor : block.tensors)
      if (tensor->trained)
        made.push_back(ledger_.take(
            tensor->numbers / model_parts(*tensor, setup_.degrees) * tensor->bytes * setup_.optimizer->temporary,
            TokenPart::workspace, tensor->name + ", update"));
  ledger_.give(made);
}

double DeviceStates::whole_gradients(int32_t block) const {
  if (!shards_gradients(setup_.shard) || setup_.degrees.data() == 1) return 0;
  double bytes = 0;
  for (const TokenTensor* tensor : of(block).tensors)
    if (tensor->trained || setup_.habits.first_fsdp)  // which has one gradient for all tensors of a block
      bytes += tensor->numbers / model_parts(*tensor, setup_.degrees) * tensor->bytes;
  return bytes;
}

}  // namespace plimsoll
