// A library to be loaded before all others (LD_PRELOAD): the n-th call to the file system fails. Only files below a
// given folder count, so that the program's own messages come through.
//
// PLIM_FAULT_CALLS  which calls count: any of open, write, fsync, rename, unlink, ftruncate, mmap, with commas
// PLIM_FAULT_UNDER  files whose path begins so
// PLIM_FAULT_AT     the number of the call that fails, from 1
// PLIM_FAULT_HOW    kill (SIGKILL before the call), short (half of a write), or the number of an error (errno)
// PLIM_FAULT_ON     once, or always: that call and all after it
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr size_t kLargeMapping = 1 << 20;  // smaller ones are the libraries' own, which may not survive a refusal

std::atomic<long> calls{0};

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool counts(const char* call) {
  const size_t length = std::strlen(call);
  for (const char* at = setting("PLIM_FAULT_CALLS"); (at = std::strstr(at, call)) != nullptr; at += length)
    if (at[length] == '\0' || at[length] == ',') return true;
  return false;
}

bool below(const char* path) {
  const char* folder = setting("PLIM_FAULT_UNDER");
  return *folder != '\0' && path && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool open_below(int fd) {
  char link[64], path[PATH_MAX] = {};
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return readlink(link, path, sizeof path - 1) > 0 && below(path);
}

enum class Fault { none, fails, shortened };

// Whether this call is one that fails, with errno set; a kill does not come back.
Fault fault(const char* call) {
  if (!counts(call)) return Fault::none;
  const long number = ++calls, at = std::atol(setting("PLIM_FAULT_AT"));
  const bool always = std::strcmp(setting("PLIM_FAULT_ON"), "always") == 0;
  if (at <= 0 || (always ? number < at : number != at)) return Fault::none;
  const char* how = setting("PLIM_FAULT_HOW");
  if (std::strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (std::strcmp(how, "short") == 0) return Fault::shortened;
  errno = std::atoi(how);
  return Fault::fails;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & O_CREAT) && below(path) && fault("open") == Fault::fails) return -1;
  return next<int (*)(const char*, int, mode_t)>(name)(path, flags, mode);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return opened("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return opened("open64", path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t count) {
  const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  if (!open_below(fd)) return real(fd, bytes, count);
  const Fault now = fault("write");
  if (now == Fault::fails) return -1;
  return real(fd, bytes, now == Fault::shortened && count > 1 ? count / 2 : count);
}

int fsync(int fd) {
  if (open_below(fd) && fault("fsync") == Fault::fails) return -1;
  return next<int (*)(int)>("fsync")(fd);
}

int rename(const char* from, const char* to) noexcept {
  if (below(from) && fault("rename") == Fault::fails) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  if (below(path) && fault("unlink") == Fault::fails) return -1;
  return next<int (*)(const char*)>("unlink")(path);
}

void* mmap(void* at, size_t length, int protection, int flags, int fd, off_t offset) noexcept {
  if (fd < 0 && length >= kLargeMapping && fault("mmap") == Fault::fails) return MAP_FAILED;
  return next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(at, length, protection, flags, fd, offset);
}
}
