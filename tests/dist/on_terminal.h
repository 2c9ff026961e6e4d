// A program on a terminal of its own, and what it has drawn there.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace plimsoll {

struct RanOnTerminal {
  int exit_code = -1;
  std::string shown;  // standard output and error, as they came
};

inline RanOnTerminal run_on_terminal(std::vector<std::string> words, unsigned short columns) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return {};
  const winsize size{25, columns, 0, 0};
  ioctl(master, TIOCSWINSZ, &size);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    setsid();
    const int terminal = open(ptsname(master), O_RDWR);
    for (const int file : {0, 1, 2}) dup2(terminal, file);
    execv(argv[0], argv.data());
    _exit(127);
  }
  RanOnTerminal ran;
  char buffer[4096];
  // Reading fails as soon as nobody has the other side open.
  for (ssize_t got = 0; (got = read(master, buffer, sizeof buffer)) > 0;) ran.shown.append(buffer, size_t(got));
  int status = 0;
  waitpid(process, &status, 0);
  close(master);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace plimsoll
