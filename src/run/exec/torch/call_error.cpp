#include "run/exec/torch/call_error.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "base/field_mark.h"
#include "base/text.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {

bool means_no_memory(const std::string& why) {
  return why.find("out of memory") != std::string::npos || why.find("bad_alloc") != std::string::npos;
}

void leave_without_memory() {
  const volatile auto more_than_there_is = size_t(std::numeric_limits<ptrdiff_t>::max());
  ::operator delete(::operator new(more_than_there_is));
}

Error call_error(const std::string& where, const std::string& why) {
  const std::string device = opened_torch().device().name();
  if (means_no_memory(why))
    return environment_error(fmt::format("out of memory on {} at {}: {}", device, where, why),
                             "a smaller " + named("batch") + " needs less");
  if (why.find("no kernel image") != std::string::npos)
    return environment_error(fmt::format("the PyTorch in {} has no kernels for the architecture of {}",
                                         in_quotes(opened_torch().folder()), device),
                             "install a torch that was built for this GPU; nvidia-smi names it");
  return environment_error(fmt::format("{} on {}: {}", where, device, why),
                           "torch:cpu runs the same path on the processor");
}

}  // namespace plimsoll
