#include "tell/cli/memory_here.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "plan/devices/this_machine.h"
#include "tell/cli/numbers.h"

namespace plimsoll {

Result<MemoryHere> memory_here(const std::string& memory_flag) {
  MemoryHere here;
  if (!memory_flag.empty()) {
    PLIM_ASSIGN(here.bytes, parse_bytes("--memory", memory_flag));
    return here;
  }
  const MachineFacts facts = read_this_machine();
  here.notes = facts.limits();
  if (facts.memory()) here.bytes = *facts.memory();
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const Bytes bytes{int64_t(limit.rlim_cur)};
    if (here.bytes == Bytes(0) || bytes < here.bytes) {
      here.bytes = bytes;
      here.notes.push_back(fmt::format("The process may use {} of memory (ulimit -v).", human_bytes(bytes)));
    }
  }
  if (here.bytes == Bytes(0))
    return user_error("the memory of this machine is not known", "say how much there is: --memory 16GiB");
  return here;
}

}  // namespace plimsoll
