#include "run/dist/daemon_above.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace plimsoll {
namespace {

// A process of this name whose only child leaves; how it ends itself.
int status_of_parent_called(const char* name) {
  const pid_t parent = fork();
  if (parent == 0) {
    prctl(PR_SET_NAME, name);
    const pid_t worker = fork();
    if (worker == 0) {
      end_daemon_above();
      _exit(0);
    }
    int status = 0;
    waitpid(worker, &status, 0);
    usleep(20'000);  // a signal that is on its way arrives
    _exit(7);
  }
  int status = 0;
  waitpid(parent, &status, 0);
  return status;
}

TEST(DaemonAbove, IsEnded) {
  const int status = status_of_parent_called("orted");
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(DaemonAbove, OtherParentsAreLeftAlone) {
  const int status = status_of_parent_called("mpirun");
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace plimsoll
