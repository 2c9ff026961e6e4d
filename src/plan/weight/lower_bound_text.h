// How an answer says that it is a lower bound: which operations are not in it. The same words in every answer.
#pragma once

#include <string>

#include "plan/weight/uncounted.h"

namespace plimsoll {

std::string unknown_ops_text(const Uncounted& uncounted);  // "com.example:Foo ×3, com.example:Bar ×1"

// One sentence; empty where everything is counted.
std::string lower_bound_text(const Uncounted& uncounted);

}  // namespace plimsoll
