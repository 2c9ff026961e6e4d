// What PyTorch's autograd keeps under autocast, as an operator list of torch itself says, against what our backward
// passes read.
#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_profile.h"
#include "plan/memory/kept_for_backward.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

TEST(FrameworkForm, KeepsWhatAutogradKeeps) {
  for (const FactRow& row : facts("modern/zoo_saved_bytes.csv")) {
    const int64_t image = std::atoll(row.at("image").c_str());
    const auto graph = build_model(row.at("network"), {.input = Shape{3, image, image}});
    ASSERT_TRUE(graph.ok()) << row.at("network");
    auto program = bind(
        *graph, {.batch = std::atoll(row.at("batch").c_str()), .parameters = DType::f32, .activations = DType::f32});
    ASSERT_TRUE(program.ok());
    take_form(*program, {.pytorch = true, .autocast = DType::f16});
    StepOptions options = step_options(Framework::pytorch);
    options.optimizer = *find_optimizer("momentum");
    const auto step = make_step(std::move(*program), options);
    ASSERT_TRUE(step.ok()) << step.error().line();
    EXPECT_NEAR(double(kept_for_backward(*step, FrameworkProfile(Framework::pytorch, nullptr, true)).value()) /
                    std::atof(row.at("saved_bytes").c_str()),
                1, 0.02)
        << row.at("network") << " at " << image;
  }
}

}  // namespace
}  // namespace plimsoll
