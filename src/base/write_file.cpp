#include "base/write_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>

#include "base/file_beside.h"
#include "base/text.h"

namespace plimsoll {
namespace {

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
  PLIM_ASSIGN(FileBeside file, FileBeside::create(path));
  PLIM_TRY(file.write(text));
  return file.commit();
}

}  // namespace plimsoll
