#include "model/passes/pass_observer.h"

#include <fmt/format.h>

#include "model/ir/print_program.h"

namespace plimsoll {

std::string print(const PassRun& run) {
  const std::string line = fmt::format("{} ({}): {}, {:.3f} ms", run.name, run.reason,
                                       run.changed ? "changed" : "nothing to do", run.time.value * 1e3);
  return run.changed ? line + "\n" + print(run.program) : line + "\n";
}

}  // namespace plimsoll
