#include "plan/llm/state_bytes.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kF32 = 4;
constexpr double kFourBits = 0.5 + 4.0 / 64;                   // with an f32 scale for each 64 numbers
constexpr double kFourBitsTwice = 0.5 + (1 + 4.0 / 256) / 64;  // with the scales in 8 bits

bool is_zero(Shard shard) { return shard == Shard::zero1 || shard == Shard::zero2 || shard == Shard::zero3; }
bool shards_parameters(Shard shard) { return shard == Shard::zero3 || shard == Shard::fsdp || shard == Shard::hsdp; }

// Devices that share one copy of the states. Experts have fewer replicas: each is on a part of the devices only.
double replicas(const TokenTensor& tensor, const TrainingSetup& setup) {
  const Degrees& d = setup.degrees;
  double count = double(d.data() * d.context);
  if (tensor.expert) count /= double(d.expert);
  if (setup.shard == Shard::hsdp) count = std::min(count, double(d.per_node));
  return std::max(1.0, count);
}

double own_bytes(const TokenTensor& tensor, const TrainingSetup& setup) {
  if (!tensor.quantised) return tensor.bytes;
  return setup.habits.double_quantised ? kFourBitsTwice : kFourBits;
}

double state_of_number(const TokenTensor& tensor, const TrainingSetup& setup) {
  const TokenOptimizer& optimizer = *setup.optimizer;
  if (optimizer.factored) return 2 * kF32 / std::sqrt(std::max(1.0, tensor.numbers));
  const double moment = has_master_weights(setup) ? kF32 : tensor.bytes;
  return optimizer.moments * moment + optimizer.own_bytes;
}

}  // namespace

double model_parts(const TokenTensor& tensor, const Degrees& degrees) {
  double parts = 1;
  if (tensor.expert) parts *= double(degrees.expert);
  if (tensor.divided) parts *= double(degrees.tensor);
  return parts;
}

bool shards_gradients(Shard shard) { return shard == Shard::zero2 || shards_parameters(shard); }

bool keeps_gradients(const TrainingSetup& setup) { return setup.micro_batches > 1 || setup.degrees.within_model(); }

bool has_master_weights(const TrainingSetup& setup) {
  if (setup.format == TokenFormat::f32 || setup.format == TokenFormat::amp) return false;
  return is_zero(setup.shard) || setup.degrees.within_model();
}

StateBytes state_bytes(const TokenTensor& tensor, const TrainingSetup& setup) {
  StateBytes bytes;
  const double numbers = tensor.numbers / model_parts(tensor, setup.degrees);
  const double shared = replicas(tensor, setup);
  const bool sharded = shards_parameters(setup.shard) && shared > 1, away = setup.offload == Offload::all;
  bytes.parameter = numbers * own_bytes(tensor, setup);
  if (sharded || away) {
    const bool narrow = setup.format == TokenFormat::amp && !tensor.quantised;  // gathered as it is computed with
    bytes.gathered = narrow ? bytes.parameter / 2 : bytes.parameter;
    bytes.parameter = away ? 0 : bytes.parameter / shared;
  }
  if (!tensor.trained) return bytes;
  const bool megatron = setup.degrees.within_model();
  bytes.gradient = numbers * (megatron ? kF32 : tensor.bytes);
  if (sharded || setup.shard == Shard::zero2) bytes.gradient /= shared;
  bytes.optimizer = numbers * (state_of_number(tensor, setup) + (has_master_weights(setup) ? kF32 : 0));
  if (setup.shard != Shard::none) bytes.optimizer /= shared;
  if (setup.offload != Offload::none) bytes.optimizer = 0;
  return bytes;
}

}  // namespace plimsoll
