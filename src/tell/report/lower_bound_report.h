// How an answer says that it is a lower bound: which operations are not in it. The same words in every answer.
#pragma once

#include <string>

#include "plan/weight/uncounted.h"
#include "tell/report/json.h"

namespace plimsoll {

std::string unknown_ops_text(const Uncounted& uncounted);  // "com.example:Foo ×3, com.example:Bar ×1"
Json unknown_ops_json(const Uncounted& uncounted);         // [{"op", "count"}]

// One sentence; empty where everything is counted.
std::string lower_bound_text(const Uncounted& uncounted);

// "lower_bound", "unknown_ops", "uncounted_operations" and "unbounded_operations", and where it is one also
// "lower_bound_reason", the sentence.
void add_lower_bound(Json& json, const Uncounted& uncounted);

}  // namespace plimsoll
