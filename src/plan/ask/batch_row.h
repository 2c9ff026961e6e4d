// The row of a batch, which every request about a step has.
#pragma once

#include "base/rows/row.h"

namespace plimsoll {

// `fallback`: the batch that is taken where none is given.
Row batch_row(std::string help, std::string fallback);

}  // namespace plimsoll
