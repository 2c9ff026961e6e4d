#include "plan/verdict/candidate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/guessed_device.h"
#include "plan/devices/this_device.h"

namespace plimsoll {

Result<Candidate> find_candidate(const std::string& name) {
  Candidate candidate;
  if (name == kThisDevice) {
    PLIM_ASSIGN(ThisDevice here, load_this_device());
    candidate.whole = std::move(here.device);
    candidate.notes = std::move(here.notes);
  } else {
    PLIM_ASSIGN(candidate.whole, load_device(name));
    const auto guessed = candidate.whole.name == name ? std::nullopt : guess_device(name);
    if (guessed && !guessed->others.empty() && candidate.whole.name == guessed->name)
      candidate.notes.push_back(fmt::format("{} was taken to mean {}; there is also {}.", in_quotes(name),
                                            guessed->name, fmt::join(guessed->others, ", ")));
  }
  PLIM_ASSIGN(const ComputePart part, compute_part(candidate.whole));
  candidate.part = part.device;
  candidate.count = part.count;
  if (candidate.is_gpu()) {
    PLIM_ASSIGN(candidate.host, host_part(candidate.whole));
    return candidate;
  }
  if (candidate.whole.memory) candidate.part.memory = candidate.whole.memory;
  return candidate;
}

}  // namespace plimsoll
