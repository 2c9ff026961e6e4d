// flatten-concats: a concat of a concat along the same axis joins the pieces of both at once. Who reads only the outer
// one then knows all its pieces (norm-pieces, norm-slices), and an inner one that nobody reads any more is dead.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many concats have taken in others.
int64_t flatten_concats(Program& program);

}  // namespace plimsoll
