#include "run/dist/share_gpus.h"

#include <algorithm>
#include <cstdlib>

namespace plimsoll {

int gpu_number(Communicator& communicator, const std::string& visible) {
  const std::string mine = communicator.host() + "\n" + visible;
  const auto all = communicator.gather(mine);
  return int(std::count(all.begin(), all.begin() + communicator.rank(), mine));
}

std::string visible_gpus() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible ? visible : "all";
}

}  // namespace plimsoll
