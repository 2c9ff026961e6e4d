// Gradients on their way between workers, beside the backward pass that produces them.
//
// The backward pass is walked in its order. Gradients are collected in buckets; a full one is ready when the operation
// that wrote its last gradient is done. One channel sends the buckets one after another. What it still has to send when
// the backward pass is over is exposed: the step gets longer by that, because updates wait for every bucket.
#pragma once

#include "plan/time/all_reduce_time.h"
#include "plan/time/step_time.h"

namespace plimsoll {

// How a framework sends gradients.
struct ExchangeRule {
  Bytes first{1 << 20};    // of gradients as computed; the first bucket is small, so that sending begins early
  Bytes bucket{25 << 20};  // the others; PyTorch's default
  Seconds cycle;           // what is ready is looked for so often; 0: at once
  double wire = 1;         // bytes on the wire for each byte of a gradient: 0.5 for f16 in place of f32
  double core = 0;         // seconds of the worker's own computing that a byte on its way costs
};

ExchangeRule exchange_rule(Framework framework);

// Of a CPU, whose cores sum and copy what they would else have computed beside: seconds a byte, of `threads` of them.
// `leaves_node`: through a network, not the node's own memory.
double exchange_core_time(const Device& device, std::optional<int64_t> threads, bool leaves_node);

struct ExchangeTime {
  Bytes bytes;  // on the wire
  int64_t buckets = 0;
  Seconds alone;                          // of all buckets, if nothing overlapped
  Seconds core;                           // of computing that went into it
  Seconds exposed;                        // by which the step gets longer
  AllReduceWay way = AllReduceWay::none;  // of the largest bucket

  Seconds waited() const { return {std::max(0.0, exposed.value - core.value)}; }
  // The share of what travels that nobody waits for.
  double hidden() const { return alone.value > 0 ? 1 - std::min(1.0, waited().value / alone.value) : 1; }
};

// `time`: of that program on one worker.
ExchangeTime exchange_gradients(const TimedProgram& program, const StepTime& time, int64_t workers,
                                const Wiring& wiring, const ExchangeRule& rule);

}  // namespace plimsoll
