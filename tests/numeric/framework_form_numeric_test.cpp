// What PyTorch's autograd keeps under autocast, as an operator list of torch itself says, against what our backward
// passes read.
#include <gtest/gtest.h>

#include <set>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_profile.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

// Values of the forward pass that the loss or the backward pass reads, each memory once.
double kept_bytes(const Program& step) {
  std::vector<Phase> born(step.values.size(), Phase::forward);
  std::vector<bool> computed(step.values.size());
  for (const auto& operation : step.operations)
    for (const ValueId id : operation.outputs)
      if (id.present()) born[size_t(id.index)] = operation.phase, computed[size_t(id.index)] = true;
  const FrameworkProfile profile(Framework::pytorch, nullptr, true);
  std::set<int32_t> seen;
  double bytes = 0;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::backward && operation.phase != Phase::loss) continue;
    for (ValueId id : operation.inputs) {
      if (!id.present() || !step.value(id).type || born[size_t(id.index)] != Phase::forward) continue;
      if (!computed[size_t(id.index)] && step.value(id).role != Role::input) continue;
      while (step.value(id).storage.present() && step.value(id).storage.index != id.index) id = step.value(id).storage;
      if (seen.insert(id.index).second) bytes += double(profile.storage(step, id).value());
    }
  }
  return bytes;
}

TEST(FrameworkForm, KeepsWhatAutogradKeeps) {
  for (const Row& row : facts("modern/zoo_saved_bytes.csv")) {
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
    EXPECT_NEAR(kept_bytes(*step) / std::atof(row.at("saved_bytes").c_str()), 1, 0.02)
        << row.at("network") << " at " << image;
  }
}

}  // namespace
}  // namespace plimsoll
