#include "run/data/obtain/run_tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "base/byte_source.h"
#include "base/text.h"
#include "run/data/inflate.h"

extern char** environ;

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

// posix_spawn's list of what happens to files, freed with its owner.
struct Actions {
  posix_spawn_file_actions_t list{};
  Actions() { posix_spawn_file_actions_init(&list); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&list); }
};

}  // namespace

Status run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& out) {
  PLIM_ASSIGN(const FileHandle errors, nameless_file());
  Actions actions;
  const std::string target = out.empty() ? "/dev/null" : out;
  posix_spawn_file_actions_addopen(&actions.list, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions.list, 1, target.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions.list, errors.fd(), 2);
  posix_spawn_file_actions_addchdir_np(&actions.list, folder.c_str());
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &actions.list, nullptr, arguments.data(), environ);
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
