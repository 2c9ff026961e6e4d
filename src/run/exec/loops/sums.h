// Sums over axes, and operands that are repeated over axes: numbers seen as (before, kept, after), where only `kept`
// remains or is given.
#pragma once

#include <cstdint>
#include <optional>

#include "base/shape.h"

namespace plimsoll {

struct KeptAxes {
  int64_t before = 1, kept = 1, after = 1;
};

// How `whole` is summed to `part`, or `part` repeated to `whole`, both row-major: the axes that part has are next to
// each other. nullopt when they are not.
std::optional<KeptAxes> kept_axes(const Shape& whole, const Shape& part);

// sums[kept] over before and after. `work`: before · kept floats.
void sum_around(const KeptAxes& axes, const float* x, float* sums, float* work);

enum class Broadcast { add, subtract, subtract_from, multiply, divide };
// y = x ∘ part, part repeated; subtract_from is part - x.
void apply_around(const KeptAxes& axes, Broadcast how, const float* x, const float* part, float* y);

}  // namespace plimsoll
