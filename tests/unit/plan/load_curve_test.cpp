#include "plan/verdict/load_curve.h"

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "plan/devices/all_devices.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/load_line.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

TEST(LargestBatch, IsFoundWithFewQuestions) {
  for (const int64_t fixed : {0, 10, 999}) {
    for (const int64_t largest : {0, 1, 2, 63, 64, 255, 256}) {
      int questions = 0;
      const auto peak_at = [&](int64_t batch) -> Result<Bytes> {
        ++questions;
        return Bytes(fixed + 7 * batch);
      };
      const auto found = largest_batch(Bytes(fixed + 7 * largest + 3), 1, 256, peak_at);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(*found, largest) << fixed;
      EXPECT_LE(questions, 24);
    }
  }
}

TEST(BatchPast, AsksForNothingFarBeyondTheLimit) {
  for (const int64_t power : {1, 2, 3}) {
    const auto load = [&](int64_t batch) -> Result<Bytes> {
      Bytes bytes(10);
      for (int64_t i = 0; i < power; ++i) bytes = bytes * batch;
      return bytes > Bytes(1'000'000) ? Result<Bytes>(user_error("overflow")) : Result<Bytes>(bytes);
    };
    const auto past = batch_past(Bytes(100'000), 1'000'000'000, load);
    ASSERT_TRUE(past.ok()) << power;
    EXPECT_GT(*load(*past), Bytes(100'000));
  }
  EXPECT_EQ(*batch_past(Bytes(10), 64, [](int64_t) -> Result<Bytes> { return Bytes(1); }), 64);
}

TEST(LargestBatch, AnErrorIsPassedOn) {
  const auto found =
      largest_batch(Bytes(10), 1, 256, [](int64_t) -> Result<Bytes> { return user_error("no step at this batch"); });
  EXPECT_FALSE(found.ok());
}

// Of another framework it is found by bounds first; it has to be the one that a replay finds.
Network bound_network(const std::string& name) {
  return {name, [name](std::optional<int64_t> batch, const NumberFormat&) -> Result<Program> {
            return zoo_program(name, {}, batch.value_or(1));
          }};
}

TEST(FrameworkLoad, TheLargestBatchIsUnderTheLineAndTheNextIsNot) {
  for (const char* model : {"lenet5", "alexnet", "resnet18", "squeezenet1_1"})
    for (const char* name : {"nvidia-mx150", "nvidia-t4", "nvidia-rtx-4090"})
      for (const double share : {0.0, 0.35}) {
        SCOPED_TRACE(fmt::format("{} on {}, recomputing {}", model, name, share));
        const Network network = bound_network(model);
        FitQuestion question;
        question.network = &network;
        question.step.optimizer = *find_optimizer("momentum");
        question.step.recompute = share;
        question.framework = Framework::pytorch;
        question.device = *find_device(name);
        auto load = FrameworkLoad::make(question);
        ASSERT_TRUE(load.ok()) << load.error().line();
        const Room room = load->room(&*question.device, bytes_under_line(*question.device->memory, 0.8));
        const auto largest = load->largest_under(room);
        ASSERT_TRUE(largest.ok()) << largest.error().line();
        ASSERT_GT(*largest, 0);
        for (const int64_t more : {0, 1}) {
          EXPECT_EQ(*load->carries(*largest + more, room), more == 0);
          EXPECT_EQ(*load->expected_at(*largest + more, room) <= room.line, more == 0);
        }
      }
}

// A share that is no longer allowed leaves what a question with less of it would have.
TEST(FrameworkLoad, LessRecomputationAfterwardsIsLessFromTheBeginning) {
  const Network network = bound_network("resnet18");
  FitQuestion question;
  question.network = &network;
  question.step.optimizer = *find_optimizer("momentum");
  question.framework = Framework::pytorch;
  question.device = *find_device("nvidia-t4");
  question.step.recompute = 1;
  auto all = FrameworkLoad::make(question);
  ASSERT_TRUE(all.ok()) << all.error().line();
  const Room room = all->room(&*question.device, Bytes(int64_t{4} << 30));
  const int64_t with_all = *all->largest_under(room);
  all->recompute_at_most(0.005);
  question.step.recompute = 0.005;
  auto few = FrameworkLoad::make(question);
  ASSERT_TRUE(few.ok()) << few.error().line();
  EXPECT_EQ(*all->largest_under(room), *few->largest_under(room));
  EXPECT_LT(*few->largest_under(room), with_all);
  EXPECT_EQ(*all->expected_at(32, room), *few->expected_at(32, room));
}

}  // namespace
}  // namespace plimsoll
