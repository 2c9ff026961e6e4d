#include "run/train/memory_here.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/numbers.h"
#include "base/rows/named.h"
#include "plan/devices/this_machine.h"

namespace plimsoll {

Result<MemoryHere> memory_here(std::optional<Bytes> asked) {
  MemoryHere here;
  if (asked) {
    here.bytes = *asked;
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
    return user_error("the memory of this machine is not known",
                      fmt::format("say how much there is: {} 16GiB", named("memory")));
  return here;
}

}  // namespace plimsoll
