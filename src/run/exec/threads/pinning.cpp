#include "run/exec/threads/pinning.h"

#include <pthread.h>
#include <sched.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace plimsoll {
namespace {

// As they were when the first thread asked: a pinned one has but its own.
const std::vector<int>& processors_to_pin_to() {
  static const std::vector<int> processors = [] {
    std::vector<int> found;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return found;
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &mask)) found.push_back(i);
    return found;
  }();
  return processors;
}

}  // namespace

bool threads_are_pinned() {
  const char* said = std::getenv("OMP_PROC_BIND");
  return said && *said && std::string_view(said) != "false" && std::string_view(said) != "FALSE";
}

void pin_this_thread(int number) {
  const auto& processors = processors_to_pin_to();
  if (processors.empty()) return;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(processors[size_t(number) % processors.size()], &mask);
  pthread_setaffinity_np(pthread_self(), sizeof mask, &mask);
}

}  // namespace plimsoll
