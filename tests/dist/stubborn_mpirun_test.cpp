// An mpirun that does not end: it never heard of its workers' end, or does not listen. Nobody waits for it, and nobody
// of its run stays.
#include <sys/stat.h>

#include <fstream>

#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

class StubbornMpirun : public Workers {
 protected:
  // Another mpirun, found before the real one; `$real` in its script is that one.
  std::vector<std::string> environment(const std::string& script) const {
    const std::string path =
        tools_.write("mpirun", "#!/bin/sh\nreal=$(PATH=" + rest() + " command -v mpirun)\n" + script);
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return {"PATH=" + tools_.path() + ":" + rest()};
  }

 private:
  static std::string rest() { return getenv("PATH"); }
  TemporaryFolder tools_;
};

TEST_F(StubbornMpirun, OfWorkersThatAreDoneIsNotWaitedFor) {
  const auto all = words("run", 2, 8, {"--max-steps", "3", "--silence", "2"});
  const Ran ran = StartedProgram(all, ".", environment("\"$real\" \"$@\"\nexec sleep 100000\n")).wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(losses().size(), 3u);
  EXPECT_EQ(nlohmann::json::parse(ran.out)["workers"], 2);
}

TEST_F(StubbornMpirun, GoesWithTheProcessThatStartedIt) {
  const std::string begun = folder_.path() + "/begun";
  StartedProgram program(words("run", 2, 8), ".",
                         environment("trap '' TERM\necho $$ > '" + begun + "'\nwhile :; do sleep 1; done\n"));
  wait_until([&] { return std::filesystem::exists(begun) && std::filesystem::file_size(begun) > 0; });
  kill(program.pid(), SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  expect_nobody_left();
}

// MPI would wait for workers that have left; here it would fail, and say something else.
TEST_F(StubbornMpirun, WhoFindsNoLauncherDoesNotBeginMpi) {
  const std::string nobody = "0123456789abcdef 60 127.0.0.1:1";
  const Ran ran = StartedProgram(words_without_np("run", 8), ".",
                                 {"PLIMSOLL_WATCH=" + nobody, "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=0",
                                  "OMPI_MCA_pml=no_such"})
                      .wait();
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("the process that watches the workers does not answer at 127.0.0.1:1"), std::string::npos)
      << ran.err;
}

}  // namespace
}  // namespace plimsoll
