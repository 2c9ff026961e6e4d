// Loops over numbers at the same place of every operand, whatever their layout: out[i] from in[k][i], for i in
// [from, to). `settings` are the operation's own numbers. out may be one of the inputs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/ir/attributes.h"

namespace plimsoll {

using FlatLoop = void (*)(const float* const* in, float* out, const float* settings, int64_t from, int64_t to);

// A number that an operation has as an attribute.
struct FlatSetting {
  std::string_view attribute = {};
  double usual = 0;
};

struct FlatOperation {
  std::string_view op;  // the Op's name
  bool then_relu;       // fused
  size_t operands;      // inputs that are read; others are settings
  bool keeps_zero;      // zeros in, zero out: padding stays zero
  FlatLoop loop;
  FlatSetting settings[2] = {};
};

std::span<const FlatOperation> all_flat_operations();

}  // namespace plimsoll
