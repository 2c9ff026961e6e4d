// Work in a process of its own, so that its peak memory, as the system counts it from outside, is its own.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct ChildOutcome {
  std::string output;  // what `work` returned
  Bytes peak;          // the largest resident set that the system has seen of it
};

// Call it before this process has started threads of its own. An Error of `work` comes back as it is; a child that dies
// is an environment error that names the signal.
Result<ChildOutcome> in_child(const std::function<Result<std::string>()>& work);
// The same in this process, whose peak may be from before.
Result<ChildOutcome> in_this_process(const std::function<Result<std::string>()>& work);

}  // namespace plimsoll
