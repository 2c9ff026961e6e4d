#include "run/data/obtain/run_tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/byte_source.h"
#include "base/spawn.h"
#include "base/text.h"
#include "run/data/inflate.h"

namespace plimsoll {
namespace {

constexpr int64_t kTail = 4000;  // bytes of what a program wrote that are looked at

// The last line with something in it.
std::string last_line(int fd) {
  const off_t end = lseek(fd, 0, SEEK_END);
  std::string text(size_t(std::min<int64_t>(kTail, std::max<off_t>(end, 0))), '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), end - off_t(text.size()));
  text.resize(size_t(std::max<ssize_t>(got, 0)));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t start = text.rfind('\n');
  return printable(start == std::string::npos ? text : text.substr(start + 1), 300);
}

}  // namespace

Status run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& out) {
  PLIM_ASSIGN(const FileHandle errors, nameless_file());
  Spawn tool(words);
  tool.open_to_read(STDIN_FILENO, "/dev/null");
  tool.open_to_write(STDOUT_FILENO, out.empty() ? "/dev/null" : out);
  tool.pass_on(errors.fd(), STDERR_FILENO);
  tool.change_folder(folder);
  pid_t child = 0;
  const int failed = tool.start(words[0].c_str(), child);
  if (failed != 0)
    return environment_error(fmt::format("{} cannot be started: {}", words[0], std::strerror(failed)),
                             "install it, or put the files where they belong by hand");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return environment_error(fmt::format("'{}' failed: {}", fmt::join(words, " "), last_line(errors.fd())),
                           "is there a network?");
}

}  // namespace plimsoll
