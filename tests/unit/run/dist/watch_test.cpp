#include "run/dist/watch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "run/dist/host_name.h"
#include "run/dist/pulse.h"

namespace plimsoll {
namespace {

using std::chrono::milliseconds;

template <class Condition>
bool serve_until(Watch& watch, Condition condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) watch.serve(milliseconds(10));
  return condition();
}

// What has arrived by now is read.
void serve_for_a_while(Watch& watch) {
  for (int i = 0; i < 20; ++i) watch.serve(milliseconds(10));
}

std::unique_ptr<Pulse> pulse_of(
    const Watch& watch, int rank, std::function<void(bool)> stop = [](bool) {}) {
  auto pulse = Pulse::begin({watch.address(), rank, host_name(), std::move(stop), [](const std::string&) {}});
  EXPECT_TRUE(pulse.ok()) << pulse.error().line();
  return *std::move(pulse);
}

TEST(Watch, KnowsWhoIsThereAndHowTheyEnd) {
  Watch watch = *Watch::open(2, Seconds{60}, false);
  auto one = pulse_of(watch, 0), other = pulse_of(watch, 1);
  one->run_directory("runs/a b-1");
  EXPECT_FALSE(watch.all_trained());
  one->at(7, "computing");
  other->at(7, "computing");
  EXPECT_TRUE(serve_until(watch, [&] { return watch.all_trained(); }));
  EXPECT_TRUE(serve_until(watch, [&] { return !watch.run_directory().empty(); }));
  EXPECT_EQ(watch.run_directory(), "runs/a b-1");
  EXPECT_EQ(watch.local_processes(host_name()), (std::vector<int>{getpid(), getpid()}));
  one->bye(0);
  other->bye(75);
  EXPECT_TRUE(serve_until(watch, [&] { return watch.all_done(); }));
  one.reset();
  other.reset();
  serve_for_a_while(watch);
  EXPECT_FALSE(watch.lost());
  EXPECT_EQ(watch.exit_code(), 75);
}

TEST(Watch, AllAreDoneOnlyWhenEachHasSaidSo) {
  Watch watch = *Watch::open(2, Seconds{60}, false);
  const auto one = pulse_of(watch, 0);
  auto other = pulse_of(watch, 1);
  other->bye(0);
  const auto other_has_left = [&] { return watch.local_processes(host_name()).size() == 2 && !watch.all_left(); };
  EXPECT_TRUE(serve_until(watch, other_has_left));
  other.reset();
  for (int i = 0; i < 20; ++i) watch.serve(milliseconds(10));
  EXPECT_EQ(watch.exit_code(), std::nullopt);  // rank 0 may still be writing what the run is for
  one->bye(0);
  EXPECT_TRUE(serve_until(watch, [&] { return watch.all_left(); }));
  EXPECT_EQ(watch.exit_code(), 0);
}

TEST(Watch, AfterItsByeAWorkerEndsOnceNobodyWatches) {
  auto watch = std::make_unique<Watch>(*Watch::open(1, Seconds{60}, false));
  const std::string address = watch->address();
  const pid_t worker = fork();
  if (worker == 0) {
    const auto pulse = Pulse::begin({address, 0, host_name(), [](bool) {}, [](const std::string&) {}});
    if (!pulse.ok()) _exit(1);
    (*pulse)->bye(75);
    std::this_thread::sleep_for(std::chrono::hours(1));  // as MPI waits for a worker that is gone
    _exit(2);
  }
  EXPECT_TRUE(serve_until(*watch, [&] { return watch->all_done(); }));
  watch.reset();
  int status = 0;
  ASSERT_EQ(waitpid(worker, &status, 0), worker);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 75);
}

TEST(Watch, KnowsWhetherItsWorkersAreOfThisHostAlone) {
  EXPECT_TRUE(Watch::is_on_this_host(Watch::open(1, Seconds{60}, false)->address()));
  EXPECT_FALSE(Watch::is_on_this_host("token 60 127.0.0.1:5000,10.0.0.7:5000"));
  EXPECT_FALSE(Watch::is_on_this_host("token 60 10.0.0.7:5000"));
}

TEST(Watch, ACutConnectionIsALostWorker) {
  Watch watch = *Watch::open(2, Seconds{60}, false);
  const auto one = pulse_of(watch, 0);
  auto other = pulse_of(watch, 1);
  one->at(12, "all-reduce");
  other->at(12, "all-reduce");
  EXPECT_TRUE(serve_until(watch, [&] { return watch.all_trained(); }));  // so both have said where they are
  other.reset();
  EXPECT_TRUE(serve_until(watch, [&] { return watch.lost().has_value(); }));
  EXPECT_EQ(watch.lost()->line(Seconds{60}), "rank 1 on " + host_name() + " is gone, in step 12 (all-reduce)");
  one->bye(0);
}

TEST(Watch, AFailureOfOneIsToldWithItsRank) {
  Watch watch = *Watch::open(2, Seconds{60}, false);
  const auto one = pulse_of(watch, 0), other = pulse_of(watch, 1);
  other->fail(2, "cats/17.jpg: is not a picture");
  EXPECT_TRUE(serve_until(watch, [&] { return watch.failure().has_value(); }));
  EXPECT_EQ(watch.failure()->line(), "rank 1 on " + host_name() + ": cats/17.jpg: is not a picture");
  EXPECT_EQ(watch.failure()->kind, ErrorKind::user);
  one->bye(0);
  other->bye(2);
}

TEST(Watch, TheWishToStopReachesAll) {
  Watch watch = *Watch::open(2, Seconds{60}, false);
  std::atomic<int> asked = 0;
  const auto stop = [&](bool interrupted) { asked += interrupted ? 1 : 100; };
  const auto one = pulse_of(watch, 0, stop), other = pulse_of(watch, 1, stop);
  serve_until(watch, [&] { return watch.local_processes(host_name()).size() == 2; });
  watch.ask_to_stop(true);
  EXPECT_TRUE(serve_until(watch, [&] { return asked == 2; }));
  one->bye(0);
  other->bye(0);
}

TEST(Watch, StrangersAreNotLetIn) {
  Watch watch = *Watch::open(1, Seconds{60}, false);
  std::string address = watch.address();
  address[0] = address[0] == '0' ? '1' : '0';  // another token
  auto pulse = Pulse::begin({address, 0, "elsewhere", [](bool) {}, [](const std::string&) {}});
  ASSERT_TRUE(pulse.ok());
  (*pulse)->bye(0);  // so that being turned away does not end this process
  serve_for_a_while(watch);
  EXPECT_FALSE(watch.all_done());
}

}  // namespace
}  // namespace plimsoll
