// PassObserver: who wants to see what each pass of the pipeline did to a Program, and how long it took.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "model/ir/program.h"

namespace plimsoll {

// One pass that has ended.
struct PassRun {
  std::string_view name;
  std::string_view reason;  // for its place in the order
  bool changed;             // the Program
  Seconds time;
  const Program& program;  // as the pass left it
};

using PassObserver = std::function<void(const PassRun&)>;

// "fuse-sums (after the norms, before the activations …): changed, 0.125 ms", and the Program where it was changed.
std::string print(const PassRun& run);

}  // namespace plimsoll
