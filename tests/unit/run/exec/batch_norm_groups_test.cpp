#include "model/passes/batch_norm_groups.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/ir/program_lookup.h"
#include "run/exec/onednn/onednn_backend.h"
#include "tests/unit/run/train/small_step.h"

namespace plimsoll {
namespace {

constexpr int64_t kNormBatch = 6, kNormClasses = 3;

Program normed_network(int64_t batch) {
  Builder b("normed", {2, 5, 5});
  auto x = b.relu("relu1", b.batch_norm("bn1", b.conv("conv1", b.input(), 20, {.kernel = {3, 3}})));
  x = b.batch_norm("bn2", b.conv("conv2", x, 4, {.kernel = {3, 3}}));
  auto graph = b.finish(b.linear("fc", b.flatten("flatten", x), kNormClasses));
  BindOptions options;
  options.batch = batch;
  return *bind(*graph, options);
}

std::unique_ptr<Executor> normed_step(const Backend& backend, BatchNormGroups groups, int64_t batch = kNormBatch) {
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  options.batch_norm = groups;
  auto step = make_step(normed_network(batch), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  auto executor = *make_executor(backend, *std::move(step), 2);
  initialise(*executor, 3);
  return executor;
}

void train_steps(Executor& step, int steps, int64_t batch = kNormBatch) {
  const float rate = 0.1F;
  for (int64_t n = 1; n <= steps; ++n) {
    std::vector<float> input(size_t(batch * 2 * 5 * 5));
    for (size_t i = 0; i < input.size(); ++i) input[i] = float((i * 7919 + size_t(n) * 104729) % 1000) / 250.0F;
    std::vector<int64_t> labels(static_cast<size_t>(batch));
    for (size_t i = 0; i < labels.size(); ++i) labels[i] = int64_t(i) % kNormClasses;
    step.write(step.program().inputs.at(0), std::as_bytes(std::span(input)));
    step.write(input_named(step.program(), "targets"), std::as_bytes(std::span(labels)));
    step.write(input_named(step.program(), "learning_rate"), std::as_bytes(std::span(&rate, 1)));
    step.write(input_named(step.program(), "step"), std::as_bytes(std::span(&n, 1)));
    step.compute();
    step.update();
  }
}

// By name, so that Programs with other operations can be compared.
std::map<std::string, std::vector<float>> stored_numbers(const Executor& step) {
  std::map<std::string, std::vector<float>> all;
  for (size_t i = 0; i < step.program().values.size(); ++i) {
    const ProgramValue& value = step.program().values[i];
    if ((value.role != Role::parameter && value.role != Role::buffer) || value.storage.present()) continue;
    auto& numbers = all[value.name];
    numbers.resize(size_t(value.type->elements().value()));
    step.read({int32_t(i)}, std::as_writable_bytes(std::span(numbers)));
  }
  return all;
}

void expect_same(const Executor& one, const Executor& other, double tolerance) {
  const auto a = stored_numbers(one), b = stored_numbers(other);
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, numbers] : a)
    for (size_t i = 0; i < numbers.size(); ++i)
      ASSERT_NEAR(numbers[i], b.at(name).at(i), tolerance) << name << " " << i;
}

TEST(BatchNormGroups, KernelsDoWhatTheReferenceMathsDoes) {
  for (const BatchNormGroups& groups :
       {BatchNormGroups{BatchNormOver::batch}, BatchNormGroups{BatchNormOver::ghosts, 2},
        BatchNormGroups{BatchNormOver::ghosts, 3}, BatchNormGroups{BatchNormOver::workers, 0, 1}}) {
    const auto fast = normed_step(onednn_backend(), groups), exact = normed_step(reference_backend(), groups);
    EXPECT_TRUE(groups.over != BatchNormOver::ghosts || fast->lowered().by_reference.empty());
    train_steps(*fast, 3);
    train_steps(*exact, 3);
    expect_same(*fast, *exact, 2e-4);
  }
}

TEST(BatchNormGroups, OneGhostAndOneWorkerAreTheWholeBatch) {
  const auto plain = normed_step(reference_backend(), {});
  train_steps(*plain, 3);
  for (const BatchNormGroups& groups :
       {BatchNormGroups{BatchNormOver::ghosts, kNormBatch}, BatchNormGroups{BatchNormOver::workers, 0, 1}}) {
    const auto other = normed_step(reference_backend(), groups);
    train_steps(*other, 3);
    expect_same(*plain, *other, 1e-5);
  }
}

TEST(BatchNormGroups, GhostsHaveStatisticsOfTheirOwn) {
  const auto plain = normed_step(reference_backend(), {}),
             ghosts = normed_step(reference_backend(), {BatchNormOver::ghosts, 2});
  train_steps(*plain, 1);
  train_steps(*ghosts, 1);
  const auto a = stored_numbers(*plain), b = stored_numbers(*ghosts);
  EXPECT_NE(a.at("conv1.weight"), b.at("conv1.weight"));
}

TEST(BatchNormGroups, ABatchWithoutWholeGroupsIsRefused) {
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  options.batch_norm = {BatchNormOver::ghosts, 4};
  const auto step = make_step(normed_network(6), options);
  ASSERT_FALSE(step.ok());
  EXPECT_NE(step.error().line().find("a batch of 6 has no whole groups of 4"), std::string::npos);
}

// Two halves of a batch whose sums are added up are the whole batch: each brings its own, as two workers would.
TEST(BatchNormGroups, SumsOfTwoWorkersAreThoseOfOne) {
  const auto step = normed_step(reference_backend(), {BatchNormOver::workers, 0, 2});
  int sums = 0;
  step->add_up_with([&](std::span<double> numbers) {  // the other worker has the same samples
    ++sums;
    for (double& number : numbers) number *= 2;
  });
  train_steps(*step, 2);
  EXPECT_EQ(sums, 2 * 4);  // two norms, there and back
  const auto plain = normed_step(reference_backend(), {});
  train_steps(*plain, 2);
  const auto a = stored_numbers(*plain), b = stored_numbers(*step);
  for (const auto& [name, numbers] : a) {
    if (name.find("running_var") != std::string::npos || name.find("variance") != std::string::npos) continue;
    for (size_t i = 0; i < numbers.size(); ++i) ASSERT_NEAR(numbers[i], b.at(name).at(i), 1e-5) << name;
  }
}

}  // namespace
}  // namespace plimsoll
