#include "base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/byte_source.h"
#include "base/text.h"

namespace plimsoll {
namespace {

Error failed(const std::string& path, int error) {
  return environment_error(fmt::format("cannot be written: {}", std::strerror(error))).in(printable(path, 200));
}

// 0, or what went wrong.
int write_and_flush(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote == 0 ? ENOSPC : errno;
    text.remove_prefix(size_t(wrote));
  }
  return fsync(fd) == 0 ? 0 : errno;
}

// The name is safe only when its folder is on the disk too. Some file systems cannot flush a folder; the file is there.
void flush_folder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const FileHandle handle(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.fd() >= 0) fsync(handle.fd());
}

// Signals that would end the process wait until nothing half-done is left.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Status check_can_replace(const std::string& path) {
  struct stat there {};
  if (stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode)) return {};
  return environment_error(
             fmt::format("is a {}, expected a file or nothing", S_ISDIR(there.st_mode) ? "folder" : "device or a pipe"))
      .in(printable(path, 200));
}

Status write_whole_file(const std::string& path, std::string_view text) {
  PLIM_TRY(check_can_replace(path));
  const SignalsWait wait;
  const std::string beside = fmt::format("{}.{}.part", path, getpid());
  int error = 0;
  {
    const FileHandle file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file.fd() < 0) return failed(path, errno);
    error = write_and_flush(file.fd(), text);
  }
  if (error == 0 && rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(beside.c_str());
    return failed(path, error);
  }
  flush_folder(path);
  return {};
}

}  // namespace plimsoll
