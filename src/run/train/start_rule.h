// StartRule: how the numbers of a stored tensor start before training. The rule follows from the first operation of the
// forward pass that reads the tensor, and which of its inputs the tensor is; operations that only move numbers (views,
// transposes, copies into a kernel's layout) are looked through.
//
//   weights of products (conv, gemm, linear, matmul, recurrent …)
//     before a ReLU or a kin of it, also after a norm, an addition, a concat or a pool
//                                    evenly in ±sqrt(6 / fan_in)              (He et al. 2015)
//     before anything else, and where the operation's attribute "start" says "glorot"
//                                    evenly in ±sqrt(6 / (fan_in + fan_out))  (Glorot and Bengio 2010)
//   scale of a norm, or a vector that something is multiplied with or divided by   1
//   bias of a product or a norm, or a vector that is added                         0
//   running mean 0, every other buffer 1 (running variance, weights of classes)
//   slopes of a PReLU                0.25
//   all others (embeddings, class tokens, position embeddings, unread parameters)  normal, mean 0, deviation 0.02
//   what the optimizer keeps         0
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct StartRule {
  enum class Kind : uint8_t { constant, uniform, normal };
  Kind kind = Kind::constant;
  double scale = 0;  // the constant, the bound, the deviation

  bool operator==(const StartRule&) const = default;
};

// One rule a value; those that are not stored get that of a constant 0.
std::vector<StartRule> start_rules(const Program& program);

}  // namespace plimsoll
