#include "run/data/obtain/set_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace plimsoll {
namespace {

// Whether we have it now; false only where there are no locks.
bool take(int fd, const std::function<void()>& wait) {
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) return false;
  wait();
  while (flock(fd, LOCK_EX) != 0)
    if (errno != EINTR) return false;
  return true;
}

// The one before us has removed the file: somebody may have made another one.
bool was_removed(int fd) {
  struct stat there {};
  return fstat(fd, &there) == 0 && there.st_nlink == 0;
}

}  // namespace

SetLock::SetLock(std::string path, const std::function<void()>& wait) : path_(std::move(path)) {
  while (true) {
    lock_ = FileHandle(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (lock_.fd() < 0 || !take(lock_.fd(), wait) || !was_removed(lock_.fd())) return;
  }
}

SetLock::~SetLock() {
  if (lock_.fd() >= 0) unlink(path_.c_str());
}

}  // namespace plimsoll
