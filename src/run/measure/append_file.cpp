#include "run/measure/append_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace plimsoll {
namespace {

Error failed(const std::string& path, int error) {
  return environment_error(fmt::format("cannot be written: {}", std::strerror(error))).in(printable(path, 200));
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::string& path) {
  FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.fd() < 0) return failed(path, errno);
  return AppendFile(path, std::move(file));
}

Status AppendFile::append(std::string_view record) {
  const off_t before = lseek(file_.fd(), 0, SEEK_END);
  while (!record.empty()) {
    const ssize_t wrote = write(file_.fd(), record.data(), record.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const int error = wrote == 0 ? ENOSPC : errno;
      if (before >= 0 && ftruncate(file_.fd(), before) != 0) return failed(path_, errno);
      return failed(path_, error);
    }
    record.remove_prefix(size_t(wrote));
  }
  return {};
}

}  // namespace plimsoll
