#include "base/spawn.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

int ended(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

TEST(Spawn, AProgramFindsWhatWasSaid) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  Spawn shell({"sh", "-c", "cat; pwd; echo $0 >&2", "its own name"});
  shell.open_to_read(STDIN_FILENO, "/dev/null");
  shell.open_to_write(STDOUT_FILENO, out);
  shell.pass_on(STDOUT_FILENO, STDERR_FILENO);
  shell.change_folder(folder.path());
  pid_t child = 0;
  ASSERT_EQ(shell.start("sh", child), 0);
  EXPECT_EQ(ended(child), 0);
  std::stringstream written;
  written << std::ifstream(out).rdbuf();
  EXPECT_EQ(written.str(), folder.path() + "\nits own name\n");
}

TEST(Spawn, SignalsThatAreIgnoredOrHeldBackHereAreNotThere) {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  for (const char* signal : {"TERM", "PIPE"}) {
    Spawn shell({"sh", "-c", std::string("kill -") + signal + " $$"});
    shell.reset_signals({SIGPIPE});
    shell.unblock_signals();
    shell.begin_session();
    pid_t child = 0;
    ASSERT_EQ(shell.start("sh", child), 0);
    EXPECT_TRUE(WIFSIGNALED(ended(child))) << signal;
  }
  std::signal(SIGPIPE, ignored);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Spawn, AProgramThatIsNotThereIsAnErrno) {
  pid_t child = 0;
  EXPECT_EQ(Spawn({"nothing"}).start("/no/such/program", child), ENOENT);
}

}  // namespace
}  // namespace plimsoll
