#include "base/nameless_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace plimsoll {

Result<FileHandle> nameless_file(const std::string& folder, const std::string& hint) {
  FileHandle file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.fd() >= 0) return file;
  std::string pattern = folder + "/plimsoll-XXXXXX";
  FileHandle named(mkstemp(pattern.data()));
  if (named.fd() < 0)
    return environment_error(fmt::format("cannot be written: {}", std::strerror(errno)), hint)
        .in(printable(folder, 200));
  unlink(pattern.c_str());
  return named;
}

}  // namespace plimsoll
