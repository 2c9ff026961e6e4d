// TrainingSetup: how a network of tokens is trained: what is trained, in which formats, what is kept and what is
// computed again, and over how many devices which part is divided.
#pragma once

#include <string>

#include "base/rows/choices.h"
#include "plan/llm/token_optimizer.h"
#include "plan/llm/tuning.h"
#include "plan/memory/attention_kernel.h"

namespace plimsoll {

enum class Checkpointing { none, selective, full };
enum class LogitsKind { f32, bf16, chunked };
enum class Shard { none, zero1, zero2, zero3, fsdp, hsdp };
enum class Offload { none, optimizer, all };
enum class TokenFormat { bf16, amp, f32, fp8 };

template <>
struct Choices<Checkpointing> {
  static constexpr std::pair<Checkpointing, std::string_view> kAll[] = {
      {Checkpointing::none, "none"}, {Checkpointing::full, "full"}, {Checkpointing::selective, "selective"}};
};
template <>
struct Choices<LogitsKind> {
  static constexpr std::pair<LogitsKind, std::string_view> kAll[] = {
      {LogitsKind::f32, "f32"}, {LogitsKind::bf16, "bf16"}, {LogitsKind::chunked, "chunked"}};
};
template <>
struct Choices<Shard> {
  static constexpr std::pair<Shard, std::string_view> kAll[] = {{Shard::none, "none"},   {Shard::zero1, "zero1"},
                                                                {Shard::zero2, "zero2"}, {Shard::zero3, "zero3"},
                                                                {Shard::fsdp, "fsdp"},   {Shard::hsdp, "hsdp"}};
};
template <>
struct Choices<Offload> {
  static constexpr std::pair<Offload, std::string_view> kAll[] = {
      {Offload::none, "none"}, {Offload::optimizer, "optimizer"}, {Offload::all, "all"}};
};
template <>
struct Choices<TokenFormat> {
  static constexpr std::pair<TokenFormat, std::string_view> kAll[] = {
      {TokenFormat::bf16, "bf16"}, {TokenFormat::amp, "amp"}, {TokenFormat::f32, "f32"}, {TokenFormat::fp8, "fp8"}};
};

struct Degrees {
  int64_t workers = 1, tensor = 1, pipeline = 1, context = 1, expert = 1;
  int64_t per_node = 8;  // devices that share a node: the replicas of hsdp go from node to node

  int64_t data() const { return workers / (tensor * pipeline * context); }
  bool within_model() const { return tensor * pipeline * context * expert > 1; }
};

// What a training program does in its own way, where that differs from PEFT's and transformers'.
struct TrainingHabits {
  bool adapters_in_f32 = true;       // PEFT's autocast_adapter_dtype
  double adapter_dropout = 0;        // PEFT's default; others keep a mask and a copy
  bool packed_attention = false;     // queries, keys and values are one layer, with one adapter's input
  bool quantised_head = false;       // 4-bit head of the vocabulary too
  double quantised_input_bytes = 0;  // each number that a 4-bit layer reads and keeps; today's bitsandbytes keeps none
  bool double_quantised = false;     // scales of 4-bit weights in 8 bits
  bool tf32 = false;                 // f32 products on matrix units: NVIDIA's own builds of PyTorch
  double attention_share = 1;        // of FlashAttention 2's rate
  double scored = 1;                 // share of the tokens that the head sees: masked words alone, gathered before it
  bool first_fsdp = false;  // FSDP 1: blocks that rest are not freed in the backward pass, and have gradients too
};

struct TrainingSetup {
  Tuning tuning;
  TokenFormat format = TokenFormat::bf16;
  const TokenOptimizer* optimizer = nullptr;
  Checkpointing checkpointing = Checkpointing::none;
  AttentionKernel attention = AttentionKernel::sdpa;
  LogitsKind logits = LogitsKind::f32;
  bool packing = false;
  Shard shard = Shard::none;
  Offload offload = Offload::none;
  Degrees degrees;
  int64_t micro_batches = 1;
  TrainingHabits habits;
};

}  // namespace plimsoll
