#include "run/train/interruption.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

}  // namespace
}  // namespace plimsoll
