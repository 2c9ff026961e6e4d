// What the page draws of a training step in tokens, key by key: the memory operation by operation, and times on the
// roofline by operations that are alike in many blocks.
#pragma once

#include "plan/ask/token_fit_reply.h"
#include "tell/page/step_reply.h"

namespace plimsoll {

inline std::string_view schema_name(const TokenMoment*) { return "TokenMoment"; }

template <class V>
void describe(V& row, const TokenMoment* m) {
  row("name", "", [=] { return m->operation; });
  row("phase", "forward, backward or update", [=] { return phase_text(m->phase); });
  row("bytes", "in memory when it is fullest, in the order of the parts",
      [=] { return std::vector<Bytes>(m->parts.begin(), m->parts.end()); });
}

// Of work, as the operations of other steps have it.
inline std::string_view kind_text(TokenKernel kernel) {
  switch (kernel) {
    case TokenKernel::product:
    case TokenKernel::experts: return "product";
    case TokenKernel::attention: return "attention";
    case TokenKernel::pass: return "element";
  }
  return "";
}

inline std::string_view schema_name(const TokenKernelTime*) { return "TokenKernel"; }

template <class V>
void describe(V& row, const TokenKernelTime* k) {
  row("name", "of the first of those that are alike", [=] { return k->name; });
  row("kind", "of work", [=] { return kind_text(k->kernel); });
  row("phase", "forward or backward", [=] { return phase_text(k->phase); });
  row("count", "operations that are alike", [=] { return int64_t(k->count); });
  row("seconds", "of all of them in a micro-batch, as predicted", [=] { return k->time; });
  row("flops", "of all of them", [=] { return k->flops; });
  row("moved_bytes", "read and written by all of them", [=] { return k->bytes; });
}

struct TokenStepReply {
  std::string model, device;
  int64_t batch = 0;
  TokenStep step;
};
inline std::string_view schema_name(const TokenStepReply*) { return "TokenStep"; }

template <class V>
void describe(V& row, const TokenStepReply* s) {
  row("model", "the network", [=] { return s->model; });
  row("device", "", [=] { return s->device; });
  row("batch", "samples of a micro-batch", [=] { return s->batch; });
  row("peak_flops_per_second", "of the device; absent where it is not known",
      [=] { return s->step.kernels ? std::optional(s->step.kernels->peak) : std::nullopt; });
  row("bytes_per_second", "of its memory; absent where it is not known",
      [=] { return s->step.kernels ? std::optional(s->step.kernels->bandwidth) : std::nullopt; });
  row("parts", "of the memory, by name", [=] {
    std::vector<std::string> names;
    for (size_t p = 0; p < kTokenParts; ++p) names.emplace_back(name_of(TokenPart(p)));
    return names;
  });
  row("moments", "in order; the largest sum is the peak", [=] { return s->step.moments; });
  row("kernels", "by operations that are alike; absent where the device's speed is not known",
      [=] { return s->step.kernels ? std::optional(s->step.kernels->kernels) : std::nullopt; });
}

}  // namespace plimsoll
