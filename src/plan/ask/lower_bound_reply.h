// The keys of every answer that may be a lower bound.
#pragma once

#include "base/rows/reply.h"
#include "base/text.h"
#include "plan/weight/lower_bound_text.h"

namespace plimsoll {

struct UnknownOp {
  std::string op;
  int64_t count;
};
inline std::string_view schema_name(const UnknownOp*) { return "UnknownOp"; }

template <class V>
void describe(V& row, const UnknownOp* o) {
  row("op", "domain and name", [=] { return o->op; });
  row("count", "how many there are", [=] { return o->count; });
}

inline std::vector<UnknownOp> unknown_ops(const Uncounted& uncounted) {
  std::vector<UnknownOp> ops;
  for (const auto& [name, count] : uncounted.unknown_ops) ops.push_back({printable(name), count});
  return ops;
}

// `get`: the Uncounted, when asked.
template <class V, class Get>
void describe_lower_bound(V& row, Get get) {
  row("lower_bound", "something is not counted, so the answer is a lower bound", [=] { return get().lower_bound(); });
  row("unknown_ops", "operations that are not known and not counted", [=] { return unknown_ops(get()); });
  row("uncounted_operations", "known, on shapes that are not known", [=] { return get().unsized; });
  row("unbounded_operations", "in loops without a known end, counted once", [=] { return get().unbounded; });
  row("lower_bound_reason", "the same in a sentence",
      [=] { return get().lower_bound() ? std::optional(lower_bound_text(get())) : std::nullopt; });
}

}  // namespace plimsoll
