// Uncounted: what the totals of a Program leave out. Where anything is left out, they are a lower bound.
#pragma once

#include <map>
#include <string>

#include "model/ir/program.h"

namespace plimsoll {

struct Uncounted {
  std::map<std::string, int64_t> unknown_ops;  // operations that we do not know, with their count
  int64_t unsized = 0;                         // operations that we know, on shapes that we do not
  int64_t unbounded = 0;                       // operations in loops without a known end, counted once

  int64_t unknown() const;  // operations of all unknown kinds
  bool lower_bound() const { return !unknown_ops.empty() || unsized > 0 || unbounded > 0; }
};

Uncounted uncounted_in(const Program& program);

}  // namespace plimsoll
