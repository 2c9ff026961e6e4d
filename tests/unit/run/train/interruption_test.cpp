#include "run/train/interruption.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace plimsoll {
namespace {

TEST(Interruption, TheFirstIsNotedTheSecondEndsAtOnce) {
  EXPECT_EXIT(
      {
        const Interruption interruption;
        if (Interruption::asked() != StopAsked::no) _exit(1);
        std::raise(SIGINT);
        if (Interruption::asked() != StopAsked::interrupted) _exit(2);
        std::raise(SIGINT);
        _exit(3);
      },
      testing::ExitedWithCode(kExitInterrupted), "Ctrl-C again ends it at once");
}

TEST(Interruption, ToldToStopIsAnotherThing) {
  EXPECT_EXIT(
      {
        const Interruption interruption;
        std::raise(SIGTERM);
        _exit(Interruption::asked() == StopAsked::terminated ? 0 : 1);
      },
      testing::ExitedWithCode(0), "told to stop");
}

TEST(Interruption, HandlersComeBack) {
  EXPECT_EXIT(
      {
        { const Interruption interruption; }
        std::raise(SIGINT);
        _exit(0);
      },
      testing::KilledBySignal(SIGINT), "");
}

// The thread that hears of other workers asks while the one that trains looks.
TEST(Interruption, AnotherThreadMayAsk) {
  const Interruption interruption;
  std::thread other([] { Interruption::ask(StopAsked::terminated); });
  while (Interruption::asked() == StopAsked::no) std::this_thread::yield();
  other.join();
  EXPECT_EQ(Interruption::asked(), StopAsked::terminated);
  const Interruption afresh;  // nobody has asked the tests that follow in this process
  EXPECT_EQ(Interruption::asked(), StopAsked::no);
}

}  // namespace
}  // namespace plimsoll
