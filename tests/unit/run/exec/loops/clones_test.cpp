// Compiled with contraction (tests/CMakeLists.txt), so that what a clone can do shows in its result: a multiply-add
// that rounds once needs an instruction that the default clone does not have.
#include <gtest/gtest.h>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

[[maybe_unused]] PLIM_CLONES void squares_less(const float* x, const float* less, int64_t count, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] * x[i] - less[i];
}

TEST(Clones, TheBestThatThisProcessorHasIsTaken) {
#if defined(__x86_64__) && !defined(__clang__)
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "no fused multiply-add here";
  const float x = 1 + 1.0F / 4096 / 2;  // its square needs more bits than a float has
  const volatile float rounded = x * x;
  const float less = rounded;
  float y = 0;
  squares_less(&x, &less, 1, &y);
  EXPECT_NE(y, 0);
#else
  GTEST_SKIP() << "there are no clones";
#endif
}

}  // namespace
}  // namespace plimsoll
