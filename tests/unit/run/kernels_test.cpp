// Every kernel that this processor can run computes the sums that are known in advance.
#include "run/measure/probe_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace plimsoll {
namespace {

double chain_after(DType type, int chain, int64_t rounds) {
  if (type == DType::bf16) return chain + 2.0 * double(rounds);
  if (type == DType::i8) return chain - 24.0 * double(rounds);
  return 2 + (chain - 2) / std::pow(2, rounds);
}

TEST(FlopsKernels, SumsAreExact) {
  int tried = 0;
  for (const auto kernels : {avx512_flops_kernels(), avx2_flops_kernels(), portable_flops_kernels()}) {
    for (const auto& kernel : kernels) {
      if (!kernel.supported()) continue;
      ++tried;
      for (const int64_t rounds : {0, 1, 2, 4}) {
        double expected = 0;
        for (int chain = 0; chain < kChains; ++chain)
          expected += kernel.lanes * chain_after(kernel.type, chain, rounds);
        EXPECT_EQ(kernel.run(rounds), expected)
            << kernel.instruction_set << " " << name_of(kernel.type) << " " << rounds << " rounds";
      }
    }
  }
  EXPECT_GE(tried, 2);
}

TEST(FlopsKernels, AMultiplyAddCountsTwice) {
  for (const auto& kernel : portable_flops_kernels())
    EXPECT_EQ(kernel.per_round(), Flops(int64_t{2} * kChains * 16 / bytes_of(kernel.type, Count(1)).value()));
}

TEST(FlopsKernels, EveryProcessorHasTheOrdinaryFormats) {
  for (const DType type : {DType::f32, DType::f64}) {
    ASSERT_NE(best_flops_kernel(type), nullptr);
    EXPECT_EQ(best_flops_kernel(type)->type, type);
    EXPECT_TRUE(best_flops_kernel(type)->supported());
  }
  EXPECT_EQ(best_flops_kernel(DType::string), nullptr);
}

struct Freed {
  void operator()(float* numbers) const { std::free(numbers); }
};

std::unique_ptr<float[], Freed> numbers(int64_t count, float first) {
  std::unique_ptr<float[], Freed> made(static_cast<float*>(std::aligned_alloc(64, size_t(count) * sizeof(float))));
  for (int64_t i = 0; i < count; ++i) made[size_t(i)] = first + float(i % 7);
  return made;
}

TEST(StreamKernels, ReadAndTriadAreExact) {
  const int64_t count = 3 * kStreamBlock;
  int tried = 0;
  for (const auto list : {avx512_stream_kernels(), avx2_stream_kernels(), portable_stream_kernels()}) {
    for (const auto& kernels : list) {
      if (!kernels.supported()) continue;
      ++tried;
      const auto a = numbers(count, 1), b = numbers(count, 2), to = numbers(count, 0);
      double sum = 0;
      for (int64_t i = 0; i < count; ++i) sum += double(a[size_t(i)]);
      EXPECT_EQ(kernels.read(a.get(), count, 1), sum) << kernels.instruction_set;
      EXPECT_EQ(kernels.read(a.get(), count, 3), 3 * sum) << kernels.instruction_set;
      kernels.triad(to.get(), a.get(), b.get(), 4.0F, count);
      for (int64_t i = 0; i < count; ++i) ASSERT_EQ(to[size_t(i)], a[size_t(i)] + 4 * b[size_t(i)]) << i;
    }
  }
  EXPECT_GE(tried, 1);
}

}  // namespace
}  // namespace plimsoll
