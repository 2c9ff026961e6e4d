// The small parts that a start of workers is made of.
#include <gtest/gtest.h>

#include "run/dist/agreement.h"
#include "run/dist/mpirun_text.h"
#include "run/dist/share_cores.h"
#include "run/dist/straggler.h"

namespace plimsoll {
namespace {

TEST(MpirunText, KeepsItsWordsAndPassesTheWorkers) {
  const std::string rule(74, '-');
  MpirunText text;
  EXPECT_EQ(text.pass("epoch 1/2\n"), "epoch 1/2\n");
  EXPECT_EQ(text.pass("\repoch 2"), "\repoch 2");  // a line that is drawn again and again has no end
  EXPECT_EQ(text.pass("\r" + rule + "\nkept\n" + rule + "\n"), "\r");  // and what mpirun says may come behind it
  EXPECT_EQ(text.pass("\n" + rule + "\nmpirun noticed that process rank 3 with PID 0 on "), "\n");
  EXPECT_EQ(text.pass("node node7 exited on signal 11 (Segmentation fault).\n" + rule + "\n"), "");
  EXPECT_EQ(text.pass("[node7:12] *** Process received signal ***\n--- a line of ours\n"), "--- a line of ours\n");
  const auto ended = text.ended_by_signal();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->rank, 3);
  EXPECT_EQ(ended->signal, 11);
  EXPECT_EQ(ended->host, "node7");
}

// Said where it is told twice to end, sometimes.
TEST(MpirunText, KeepsWhatMpirunSaysInItsOwnName) {
  MpirunText text;
  EXPECT_EQ(text.pass("mpirun: abort is already in progress...hit ctrl-c"), "");
  EXPECT_EQ(text.pass(" again to forcibly terminate\n\nmean loss 1\n\n"), "mean loss 1\n\n");
  EXPECT_EQ(text.pass("mp"), "");
  EXPECT_EQ(text.pass("h\n"), "mph\n");
}

TEST(ShareOfCores, IsWholeAndNeverEmpty) {
  for (int cores = 1; cores <= 17; ++cores)
    for (int workers = 1; workers <= cores; ++workers) {
      int next = 0;
      for (int number = 0; number < workers; ++number) {
        const Range range = share_of(cores, workers, number);
        EXPECT_EQ(range.from, next);
        EXPECT_GT(range.to, range.from);
        next = range.to;
      }
      EXPECT_EQ(next, cores);
    }
  EXPECT_EQ(share_of(2, 5, 4).to, 2);
}

TEST(ShareOfCores, WhoTakesTurnsTakesLonger) {
  EXPECT_EQ(turns_of(4, 2), 1);
  EXPECT_EQ(turns_of(2, 2), 1);
  EXPECT_EQ(turns_of(2, 8), 4);
  EXPECT_EQ(turns_of(2, 3), 1.5);
}

TEST(Straggler, IsNamedOnceAndNotForAMoment) {
  Straggler watched, disturbed;
  int named = 0;
  for (int step = 0; step < 200; ++step) {
    const double slow[] = {0.1, 0.1, 0.5, 0.11};
    if (const auto found = watched.step(slow)) {
      ++named;
      EXPECT_EQ(found->rank, 2);
      EXPECT_NEAR(found->times, 5, 0.2);
      EXPECT_NEAR(found->seconds, 0.4, 0.02);
    }
    const double once[] = {0.1, 0.1, step == 100 ? 0.5 : 0.1, 0.11};
    EXPECT_FALSE(disturbed.step(once));
  }
  EXPECT_EQ(named, 1);
}

TEST(Agreement, OfOneIsThere) {
  const auto alone = single_communicator();
  EXPECT_TRUE(agree(*alone, {{"seed", 1}}).ok());
  EXPECT_TRUE(alone->together({}).ok());
  EXPECT_EQ(alone->together(user_error("no")).error().line(), "no");
  EXPECT_EQ(build_identity().size(), 8u);
}

}  // namespace
}  // namespace plimsoll
