// What scatter_elements and scatter_nd share: how an update meets the number that is there.
#pragma once

#include <string>

#include "model/ir/backward.h"
#include "model/ops/element_moves.h"

namespace plimsoll {

enum class ScatterReduction { none, add, multiply, maximum, minimum };

Result<ScatterReduction> read_reduction(const Attributes& attributes);

// y[to] = y[to] ∘ updates[from]. False when the type has no such arithmetic.
bool scatter_one(ScatterReduction reduction, const TensorView& updates, int64_t from, const TensorView& y, int64_t to);

// One operation an update, none where updates only replace.
Cost scatter_cost(const OpCall& call);

// The rule of both: `gather` reads dy where the updates went. Where they replace, what was there has no gradient.
void scatter_gradient(Backward& backward, std::string_view gather);

// The data is copied; updates and indices are read, and the updated places written once more.
Bytes scatter_moved(const OpCall& call);

}  // namespace plimsoll
