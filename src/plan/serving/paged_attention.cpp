#include "plan/serving/paged_attention.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kKeyTile = 64;       // keys, or queries, that a block takes at once
constexpr double kBytesOfNumber = 2;  // of queries, answers and new keys
constexpr double kUsualHead = 128;
// A round takes longer with wider heads, but hardly: most of it is starting and waiting.
double by_width(double head) { return std::pow(head / kUsualHead, 0.3); }

// The share of the keys that a step before this one has left in the L2 cache.
double still_cached(double bytes, double l2) { return l2 > 0 ? std::clamp(1.5 - bytes / l2, 0.0, 1.0) : 0; }

}  // namespace

CallTime decode_attention(const AttentionCall& call, const KernelMachine& machine, const DecodeConstants& c) {
  const double blocks = call.sequences * call.kv_heads * std::ceil(call.heads / call.kv_heads / kKeyTile);
  const double seen = call.window > 0 ? std::min(call.seen, call.window) : call.seen;
  const double tiles = std::max(1.0, std::ceil(seen / kKeyTile));
  const bool shared = call.heads > call.kv_heads;
  const bool splits = shared || machine.splits_heads_anyhow || machine.datacenter_blackwell;
  constexpr double kBlocksHeld = 2;  // by a multiprocessor at once
  const double parts = splits ? std::clamp(std::floor(kBlocksHeld * machine.units / blocks), 1.0, tiles) : 1;
  const double bytes = 2 * call.sequences * seen * call.kv_heads * call.head * call.bytes;
  const double cached = still_cached(bytes, machine.l2);
  const double moving = bytes / (machine.bandwidth * c.bandwidth_share) * (1 - cached + cached / c.l2_times);
  const double longest = std::ceil(tiles / parts) * c.key_tile * call.head;
  const bool blackwell = machine.datacenter_blackwell;
  const double rounds =
      (c.round * blocks * by_width(call.head) + c.row * call.sequences * call.heads * call.head / kUsualHead) /
      machine.units * (blackwell ? c.blackwell_round : 1);
  const bool copies = shared && call.kv_heads > 1 && call.sequences > 1 && !blackwell && !machine.splits_heads_anyhow;
  const double around = (copies ? c.copies : 0) + (parts > 1 ? c.combine : 0);
  const double slower = machine.slower();
  return {{c.start * slower * (blackwell ? c.blackwell_start : 1)},
          {std::hypot(moving, longest) + rounds + around * slower * slower}};
}

CallTime prompt_attention(const AttentionCall& call, const KernelMachine& machine, const PromptConstants& c) {
  const double tiles = std::ceil(call.tokens / kKeyTile), past = std::max(0.0, call.seen - call.tokens);
  const double rows = call.sequences * call.heads * tiles;
  const double all = past + kKeyTile * (tiles + 1) / 2;  // that a tile sees, in the mean
  const double keys = call.window > 0 ? std::min(all, call.window + kKeyTile) : all;
  const double products = 4 * rows * kKeyTile * keys * call.head / (machine.products * c.products_share);
  const double of_tokens = kBytesOfNumber * call.sequences * call.tokens * 2 * call.head;
  const double moving =
      of_tokens * (call.heads / c.bandwidth_share + call.kv_heads / c.write_share) / machine.bandwidth;
  return {{c.start * machine.slower()},
          {std::hypot(products, moving) + c.round * rows / machine.units * by_width(call.head)}};
}

}  // namespace plimsoll
