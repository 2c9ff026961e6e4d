// The fast updates of parameters that LARS and LAMB leave out: those of momentum and Adam.
#include <gtest/gtest.h>

#include <cmath>

#include "run/exec/loops/update_loop.h"

namespace plimsoll {
namespace {

constexpr int64_t kSize = 37;

const UpdateLoop& update_loop(std::string_view op) {
  for (const auto& loop : all_update_loops())
    if (loop.op == op) return loop;
  ADD_FAILURE() << op;
  return all_update_loops().front();
}

std::vector<float> after_three_steps(std::string_view op, const Attributes& attributes) {
  const UpdateLoop& loop = update_loop(op);
  const UpdateSettings settings(loop.usual, attributes);
  std::vector<float> parameter(kSize), gradient(kSize), first(kSize), second(kSize);
  for (int64_t i = 0; i < kSize; ++i) {
    parameter[size_t(i)] = float(i) - 10.5f;
    gradient[size_t(i)] = 0.25f * float(i % 7) - 0.6f;
  }
  for (int64_t step = 1; step <= 3; ++step)
    loop.run({parameter.data(), gradient.data(), first.data(), second.data(), kSize, 0.1f, step}, settings);
  return parameter;
}

void expect_alike(const std::vector<float>& found, const std::vector<float>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5) << i;
}

// What a loop says it took, of a weight (3, 4) and a gradient (0.6, -0.8).
double ratio_of(std::string_view op, const Attributes& attributes) {
  std::vector<float> parameter{3, 4}, gradient{0.6F, -0.8F}, first(2), second(2);
  double ratio = -1;
  update_loop(op).run({parameter.data(), gradient.data(), first.data(), second.data(), 2, 0.1F, 1, &ratio},
                      UpdateSettings(update_loop(op).usual, attributes));
  return ratio;
}

TEST(UpdateLoops, TrustRatiosAreTold) {
  EXPECT_NEAR(ratio_of("lars_update", {{"trust_coefficient", 0.02}}), 0.02 * 5 / 1, 1e-7);
  EXPECT_NEAR(ratio_of("lars_update", {{"trust_coefficient", 0.02}, {"weight_decay", 0.2}}), 0.02 * 5 / (1 + 0.2 * 5),
              1e-7);
  // Adam's first direction is the gradient's sign.
  EXPECT_NEAR(ratio_of("lamb_update", {{"weight_decay", 0.0}}), 5 / std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(ratio_of("lamb_update", {{"weight_decay", 0.5}}), 5 / std::hypot(1 + 1.5, -1 + 2.0), 1e-4);
  EXPECT_EQ(ratio_of("lamb_update", {{"adapt", int64_t{0}}}), -1) << "not adapted: nothing to tell";
  EXPECT_EQ(ratio_of("momentum_update", {}), -1);
}

TEST(UpdateLoops, WithoutAdaptationTheyAreMomentumAndAdam) {
  const Attributes excluded{{"adapt", int64_t{0}}, {"weight_decay", 0.0}};
  expect_alike(after_three_steps("lars_update", excluded), after_three_steps("momentum_update", {}));
  expect_alike(after_three_steps("lamb_update", excluded), after_three_steps("adam_update", {{"epsilon", 1e-6}}));
  EXPECT_NE(after_three_steps("lamb_update", {}), after_three_steps("lamb_update", excluded));
}

}  // namespace
}  // namespace plimsoll
