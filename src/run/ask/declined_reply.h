// Why operations did not get the kernel that is asked first, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/memory/declined.h"

namespace plimsoll {

inline std::string_view schema_name(const DeclinedGroup*) { return "Declined"; }

template <class V>
void describe(V& row, const DeclinedGroup* g) {
  row("op", "", [=] { return g->op; });
  row("operations", "that were declined in this way", [=] { return g->operations; });
  row("example", "the name of the first", [=] { return g->example; });
  row("implementation", "that was asked; empty: there was none to ask", [=] { return g->implementation; });
  row("reason", "why it declined", [=] { return g->reason; });
  row("taken_by", "the implementation that runs them", [=] { return g->taken_by; });
}

}  // namespace plimsoll
