#include "run/dist/neighbour_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "run/dist/gradient_exchange.h"
#include "tests/unit/run/dist/thread_communicator.h"

namespace plimsoll {
namespace {

std::vector<float> brought_by(int rank, size_t count) {
  std::mt19937 random{uint32_t(rank + 7)};
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(random);
  return numbers;
}

// What each worker holds after the mean of two places, the second of one number, and the sum of the squares told.
struct NeighbourRun {
  std::vector<std::vector<float>> brought, results;
  std::vector<double> squares;

  NeighbourRun(int workers, size_t count, float spoilt = 0) : squares(size_t(workers) + 1) {
    for (int rank = 0; rank < workers; ++rank) brought.push_back(brought_by(rank, count + 1));
    if (spoilt != 0) brought.back()[count / 2] = spoilt;
    results = brought;
    std::vector<std::vector<double>> parts(size_t(workers), std::vector<double>(size_t(workers) + 1));
    on_threads(workers, [&](Communicator& all) {
      ASSERT_TRUE(are_neighbours(all));
      const std::span whole(results[size_t(all.rank())]);
      NeighbourMean mean(all, {whole.first(count), whole.subspan(count)});
      for (const size_t place : {0, 1}) mean.take(place, parts[size_t(all.rank())]);
      all.barrier();
    });
    for (const auto& part : parts)
      for (size_t i = 0; i < part.size(); ++i) squares[i] += part[i];
  }
  // The sum in the order of the ranks.
  float expected(size_t i) const {
    float sum = brought[0][i];
    for (size_t rank = 1; rank < brought.size(); ++rank) sum += brought[rank][i];
    return sum * (1.0F / float(brought.size()));
  }
};

double plain_square(const std::vector<float>& numbers) {
  double sum = 0;
  for (const float number : numbers) sum += double(number) * double(number);
  return sum;
}

TEST(NeighbourMeanTest, IsTheSumInTheOrderOfTheRanksAtEveryLength) {
  for (const int workers : {2, 3, 5})
    for (const size_t count : {0, 1, 15, 16, 33, 1000, 200'003}) {
      const NeighbourRun run(workers, count);
      SCOPED_TRACE(testing::Message() << workers << " workers, " << count << " numbers");
      for (size_t i = 0; i <= count; ++i) ASSERT_EQ(run.results[0][i], run.expected(i)) << i;
      for (const auto& other : run.results) ASSERT_EQ(other, run.results[0]);
      for (size_t rank = 0; rank < run.brought.size(); ++rank)
        EXPECT_NEAR(run.squares[rank] / plain_square(run.brought[rank]), 1, 1e-12);
      EXPECT_NEAR(run.squares.back() / plain_square(run.results[0]), 1, 1e-12);
    }
}

// More than one piece is passed on.
TEST(NeighbourMeanTest, OfManyNumbersIsTheSame) {
  const size_t count = (size_t{5} << 20) + 3;
  const NeighbourRun run(2, count);
  for (size_t i = 0; i <= count; ++i) ASSERT_EQ(run.results[0][i], run.expected(i)) << i;
  EXPECT_EQ(run.results[0], run.results[1]);
}

TEST(NeighbourMeanTest, WhoBroughtANumberThatIsNotFiniteIsKnown) {
  for (const float spoilt : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const NeighbourRun run(3, 1000, spoilt);
    EXPECT_TRUE(std::isfinite(run.squares[0]) && std::isfinite(run.squares[1]));
    EXPECT_FALSE(std::isfinite(run.squares[2]));
    EXPECT_FALSE(std::isfinite(run.squares[3]));
  }
}

class Elsewhere : public ThreadCommunicator {
 public:
  using ThreadCommunicator::ThreadCommunicator;
  const std::string& host() const override { return name_; }

 private:
  std::string name_ = rank() == 0 ? "here" : "there";
};

TEST(NeighbourMeanTest, WorkersOfTwoHostsAreNoNeighbours) {
  on_threads(2, [](ThreadCommunicator& all) { EXPECT_TRUE(are_neighbours(all)); });
  ThreadTable table(2);
  std::thread other([&] {
    Elsewhere all(table, 1);
    EXPECT_FALSE(are_neighbours(all));
  });
  Elsewhere all(table, 0);
  EXPECT_FALSE(are_neighbours(all));
  other.join();
}

}  // namespace
}  // namespace plimsoll
