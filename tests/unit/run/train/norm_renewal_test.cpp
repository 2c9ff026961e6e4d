#include "run/train/norm_renewal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/ir/program_lookup.h"
#include "small_step.h"

namespace plimsoll {
namespace {

std::unique_ptr<Executor> normed_step(BatchNormGroups groups = {}) {
  Builder b("normed", {2, 4, 4});
  auto x = b.batch_norm("bn", b.input(), 1e-5, 0.99);
  auto graph = b.finish(b.linear("fc", b.flatten("flatten", x), 3));
  EXPECT_TRUE(graph.ok());
  BindOptions bound;
  bound.batch = 4;
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  options.batch_norm = groups;
  auto executor = *make_executor(reference_backend(), *make_step(*bind(*graph, bound), options), 1);
  initialise(*executor, 1);
  return executor;
}

std::vector<float> batch_of(float shift, float scale) {
  std::vector<float> numbers(4 * 2 * 4 * 4);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = shift + scale * float(int(i * 37 % 11) - 5);
  return numbers;
}

void compute(Executor& step, const std::vector<float>& batch) {
  step.write(step.program().inputs.at(0), std::as_bytes(std::span(batch)));
  const std::vector<int64_t> labels(4, 0);
  step.write(input_named(step.program(), "targets"), std::as_bytes(std::span(labels)));
  step.compute();
}

std::vector<float> buffers_of(const Executor& step) {
  std::vector<float> all;
  for (size_t i = 0; i < step.program().values.size(); ++i) {
    const ProgramValue& value = step.program().values[i];
    if (value.role != Role::buffer || value.storage.present()) continue;
    std::vector<float> numbers(size_t(value.type->elements().value()));
    step.read({int32_t(i)}, std::as_writable_bytes(std::span(numbers)));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

void expect_renewed_as_by_many_updates(BatchNormGroups groups) {
  const auto patient = normed_step(groups), renewed = normed_step(groups);
  const auto batch = batch_of(3, 0.5F);
  for (int i = 0; i < 1500; ++i) compute(*patient, batch);
  NormRenewal renewal(renewed->program());
  ASSERT_TRUE(renewal.has_norms());
  renewal.before(*renewed);
  compute(*renewed, batch);
  renewal.after(*renewed);
  renewal.write(*renewed);
  const auto expected = buffers_of(*patient), found = buffers_of(*renewed);
  ASSERT_EQ(found.size(), 4u);  // mean and variance of two channels
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-3 * (1 + std::abs(expected[i])));
}

TEST(NormRenewal, OfOneBatchIsWhereManyUpdatesWithItEnd) { expect_renewed_as_by_many_updates({}); }

TEST(NormRenewal, OfGhostsToo) { expect_renewed_as_by_many_updates({BatchNormOver::ghosts, 2}); }

TEST(NormRenewal, OfTwoBatchesIsTheirMean) {
  std::vector<std::vector<float>> single;
  for (const float shift : {1.0F, 5.0F}) {
    const auto step = normed_step();
    NormRenewal renewal(step->program());
    renewal.before(*step);
    compute(*step, batch_of(shift, shift));
    renewal.after(*step);
    renewal.write(*step);
    single.push_back(buffers_of(*step));
  }
  const auto step = normed_step();
  NormRenewal both(step->program());
  for (const float shift : {1.0F, 5.0F}) {
    both.before(*step);
    compute(*step, batch_of(shift, shift));
    both.after(*step);
  }
  both.write(*step);
  const auto found = buffers_of(*step);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], (single[0][i] + single[1][i]) / 2, 1e-4);
}

TEST(NormRenewal, WithoutNormsThereIsNothingToDo) {
  EXPECT_FALSE(NormRenewal(small_step("sgd")->program()).has_norms());
}

}  // namespace
}  // namespace plimsoll
