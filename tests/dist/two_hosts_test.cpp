// Two hosts with a cable between them (tools/two_hosts.sh): they train together, and the cable is cut.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

constexpr const char* kHosts = "10.77.0.1:1,10.77.0.2:1";
constexpr int kNotToBeHad = 77;

class TwoHosts : public Workers {
 protected:
  void SetUp() override {
    Workers::SetUp();
    if (IsSkipped()) return;
    const Ran tried = on_the_left({"true"}).wait();
    if (tried.exit_code == kNotToBeHad) GTEST_SKIP() << tried.err;
    ASSERT_EQ(tried.exit_code, 0) << tried.err;
  }

  // Whatever happens, it ends: so nothing here waits for ever. The script ends with a code of its own when somebody
  // is left on either host.
  static StartedProgram on_the_left(const std::vector<std::string>& words) {
    std::vector<std::string> all{"/usr/bin/timeout", "--kill-after", "5", "300", PLIM_TWO_HOSTS};
    all.insert(all.end(), words.begin(), words.end());
    return StartedProgram(all);
  }

  StartedProgram start(const std::string& name, std::vector<std::string> more) const {
    more.insert(more.end(), {"--hosts", kHosts});
    return on_the_left(words(name, 2, 8, more));
  }

  // A machine that has more to do may make one host the slower one, which is said.
  static int64_t lines_but_slow(const std::string& text) {
    std::istringstream lines(text);
    int64_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.find(" is slow: ") == std::string::npos;
    return count;
  }

  // On the host of rank 1.
  void set_cable(const char* state) const {
    std::vector<std::string> all{"/usr/bin/nsenter", "--target", std::to_string(process_of(1)), "--net"};
    if (geteuid() != 0) all.insert(all.end(), {"--user", "--preserve-credentials"});
    all.insert(all.end(), {"ip", "link", "set", "cable", state});
    const Ran ran = StartedProgram(all).wait();
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
};

TEST_F(TwoHosts, TrainTogetherAsTwoWorkersOfOneHostDo) {
  const std::vector<std::string> flags{"--optimizer", "momentum", "--max-steps", "6"};
  const Ran apart = start("apart", flags).wait();
  ASSERT_EQ(apart.exit_code, 0) << apart.err;
  EXPECT_EQ(nlohmann::json::parse(apart.out)["workers"], 2);
  ASSERT_EQ(train("beside", 2, 8, flags).exit_code, 0);
  EXPECT_EQ(losses("apart"), losses("beside"));
  EXPECT_EQ(weights("apart"), weights("beside"));
}

// A cable that is back within the silence changes nothing; without it both ends are over by themselves.
TEST_F(TwoHosts, TheCableIsCutAndBothEnd) {
  StartedProgram program = start("run", {"--optimizer", "momentum", "--epochs", "100000", "--silence", "6"});
  wait_for_steps(3);
  set_cable("down");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  set_cable("up");
  wait_for_steps(losses().size() + 3);

  set_cable("down");
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_EQ(lines_but_slow(ran.err), 1) << ran.err;
  EXPECT_NE(ran.err.find("rank 1 on right was silent for 6 s, in step "), std::string::npos) << ran.err;
  EXPECT_TRUE((*read_checkpoint(run_dir(), CheckpointKind::last)).has_value());
  expect_nobody_left();
}

}  // namespace
}  // namespace plimsoll
