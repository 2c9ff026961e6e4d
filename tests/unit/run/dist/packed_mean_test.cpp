#include "run/dist/packed_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/ir/program_lookup.h"
#include "run/dist/gradient_exchange.h"
#include "tests/unit/run/dist/thread_communicator.h"
#include "tests/unit/run/train/small_step.h"

namespace plimsoll {
namespace {

constexpr int kPackers = 3;

std::vector<float> packed_sample(int rank, size_t count, double largest) {
  std::mt19937 random{uint32_t(rank + 1)};
  std::normal_distribution<double> normal(0, largest / 6);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = float(normal(random));
  return numbers;
}

double length_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

// What each rank ends with, when three of them take the mean of three pieces, the last in several goes.
struct PackedRun {
  std::vector<std::vector<float>> results{kPackers};
  std::vector<Rounded> rounded{kPackers};
  std::vector<double> exact;  // the mean without rounding
  double sent = 0;            // squared length of all that was brought

  PackedRun(DType format, double largest) {
    std::vector<std::vector<float>> brought;
    for (int rank = 0; rank < kPackers; ++rank) brought.push_back(packed_sample(rank, 1000, largest));
    for (size_t i = 0; i < 1000; ++i) {
      exact.push_back(0);
      for (const auto& one : brought) {
        exact[i] += double(one[i]) / kPackers;
        sent += double(one[i]) * double(one[i]);
      }
    }
    results = brought;
    on_threads(kPackers, [&](Communicator& all) {
      auto& mine = results[size_t(all.rank())];
      const std::span whole(mine);
      PackedMean mean(format, 256, kPackers);
      rounded[size_t(all.rank())] = mean.take(all, {whole.first(10), whole.subspan(10, 100), whole.subspan(110)});
    });
  }
  double error() const {
    std::vector<double> differences;
    for (size_t i = 0; i < exact.size(); ++i) differences.push_back(double(results[0][i]) - exact[i]);
    return length_of(differences) / length_of(exact);
  }
};

TEST(PackedMean, IsTheMeanAndTheSameBitsOnAllRanks) {
  for (const DType format : {DType::bf16, DType::f16}) {
    const PackedRun run(format, 1);
    for (const auto& result : run.results) EXPECT_EQ(result, run.results[0]);
    EXPECT_LT(run.error(), format == DType::bf16 ? 4e-3 : 5e-4);
    EXPECT_GT(run.error(), format == DType::bf16 ? 5e-4 : 5e-5);  // it was rounded
  }
}

// The error that is told is the one that is there.
TEST(PackedMean, TellsWhatRoundingChanged) {
  for (const DType format : {DType::bf16, DType::f16}) {
    const PackedRun run(format, 1);
    double sent = 0, mean = 0;
    for (const auto& one : run.rounded) {
      sent += one.sent;
      mean += one.mean;
    }
    // Numbers are rounded by half of their last digit at most, and by about a third of that on average.
    const double digit = format == DType::bf16 ? 0x1p-8 : 0x1p-11;
    EXPECT_LT(std::sqrt(sent / run.sent), digit);
    EXPECT_GT(std::sqrt(sent / run.sent), digit / 5);
    EXPECT_LT(std::sqrt(mean) / length_of(run.exact), digit);
    EXPECT_GT(std::sqrt(mean) / length_of(run.exact), digit / 5);
  }
}

// Neither what f16 has no numbers for, nor what is below the smallest of them, is lost.
TEST(PackedMean, NothingOverflowsOrVanishesInF16) {
  for (const double largest : {1e-30, 1e-12, 1e6, 1e20, 1e37}) {
    const PackedRun run(DType::f16, largest);
    EXPECT_LT(run.error(), 5e-4) << largest;
    for (const auto& result : run.results) EXPECT_EQ(result, run.results[0]);
  }
}

// A worker whose numbers are far smaller, or all 0, has a power of two of its own.
TEST(PackedMean, WorkersMayDifferInSize) {
  std::vector<std::vector<float>> results{{1e8F, -3e8F, 2e8F}, {1e-8F, 2e-8F, 0}, {0, 0, 0}};
  on_threads(kPackers, [&](Communicator& all) {
    PackedMean(DType::f16, 16, kPackers).take(all, {std::span(results[size_t(all.rank())])});
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  EXPECT_NEAR(results[0][0], 1e8 / 3, 2e4);
  EXPECT_NEAR(results[0][1], -1e8, 6e4);
}

TEST(PackedMean, WhatIsNotFiniteStaysSo) {
  std::vector<std::vector<float>> results{{1, NAN, 3}, {INFINITY, 2, 3}, {1, 2, 3}};
  on_threads(kPackers, [&](Communicator& all) {
    PackedMean(DType::f16, 16, kPackers).take(all, {std::span(results[size_t(all.rank())])});
  });
  for (const auto& result : results) {
    EXPECT_FALSE(std::isfinite(result[0]));
    EXPECT_TRUE(std::isnan(result[1]));
  }
}

// Gradients of a real step, whose inputs are so large that f16 by itself would make them infinite.
std::vector<float> exchanged_gradients(DType wire, float inputs, bool& finite) {
  std::vector<float> found;
  on_threads(2, [&](Communicator& all) {
    const auto step = small_step("sgd", 4);
    initialise(*step, 1);
    const ProgramValue& input = step->program().value(step->program().inputs.at(0));
    std::vector<float> numbers(size_t(input.type->elements().value()));
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = inputs * float((i * 7919 + size_t(all.rank()) * 31) % 97) / 97;
    step->write(step->program().inputs[0], std::as_bytes(std::span(numbers)));
    const std::vector<int64_t> targets{1, 2, 3, 4};
    step->write(input_named(step->program(), "targets"), std::as_bytes(std::span(targets)));
    GradientExchange exchange(*step, all.duplicate(), {Bytes(1 << 12), wire});
    exchange.begin();
    step->compute();
    const Exchanged result = exchange.finish();
    if (!all.first()) return;
    finite = result.finite;
    for (const auto& bucket : exchange.buckets())
      for (const auto& one : bucket.results) {
        const auto bytes = step->storage(one.value);
        const auto* gradient = reinterpret_cast<const float*>(bytes.data());
        found.insert(found.end(), gradient, gradient + bytes.size() / sizeof(float));
      }
  });
  return found;
}

TEST(GradientExchange, GradientsBeyondF16TravelInIt) {
  for (const float inputs : {1e7F, 1e-7F}) {
    bool finite = false;
    const auto exact = exchanged_gradients(DType::f32, inputs, finite);
    const float most = *std::max_element(exact.begin(), exact.end());
    ASSERT_TRUE(inputs > 1 ? most > 65504 : most > 0) << most;
    for (const DType wire : {DType::bf16, DType::f16}) {
      const auto packed = exchanged_gradients(wire, inputs, finite);
      EXPECT_TRUE(finite);
      ASSERT_EQ(packed.size(), exact.size());
      double changed = 0, whole = 0;
      for (size_t i = 0; i < exact.size(); ++i) {
        changed += std::pow(double(packed[i]) - double(exact[i]), 2);
        whole += std::pow(double(exact[i]), 2);
      }
      EXPECT_LT(std::sqrt(changed / whole), wire == DType::bf16 ? 6e-3 : 8e-4);
      EXPECT_GT(changed, 0);
    }
  }
}

}  // namespace
}  // namespace plimsoll
