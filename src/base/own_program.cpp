#include "base/own_program.h"

#include <filesystem>

namespace plimsoll {

Result<std::string> own_program() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return environment_error("this program's own file cannot be found").in("/proc/self/exe");
  return path.string();
}

}  // namespace plimsoll
