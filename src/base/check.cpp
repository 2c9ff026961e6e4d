#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace plimsoll::detail {

void check_failed(std::string_view file, int line, std::string_view condition, std::string_view message) {
  std::fprintf(stderr, "plimsoll: a bug of ours at %.*s:%d: %.*s (%.*s). Please report it.\n", int(file.size()),
               file.data(), line, int(message.size()), message.data(), int(condition.size()), condition.data());
  std::fflush(nullptr);
  std::_Exit(3);
}

}  // namespace plimsoll::detail
