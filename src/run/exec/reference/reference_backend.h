// The reference backend: every operation by its own reference maths, in plain layouts. Slow and exact: what other
// backends are compared with, and the proof that the boundary holds for more than one. Works in f64 too.
#pragma once

#include "run/exec/backend.h"

namespace plimsoll {

const Backend& reference_backend();

}  // namespace plimsoll
