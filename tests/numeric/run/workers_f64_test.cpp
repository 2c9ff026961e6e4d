// One worker at batch 4b, two at 2b and four at b are one training, to the last digits that f64 leaves: with the
// reference maths in f64, over ten steps of SGD, with synchronised batch norm. All workers are threads of this process.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/build/builder.h"
#include "model/ir/program_lookup.h"
#include "run/exec/step_results.h"
#include "tests/unit/run/dist/thread_communicator.h"
#include "tests/unit/run/train/small_step.h"

namespace plimsoll {
namespace {

constexpr int64_t kGlobalBatch = 16, kWorkerClasses = 5, kSteps = 10;
constexpr double kWorkerRate = 0.25;
const Shape kWorkerPicture{2, 6, 6};

// Convolutions with and without padding, norms, pooling, a sum of two branches.
Program network_in_f64(int64_t batch) {
  Builder b("normed", kWorkerPicture);
  auto x = b.relu("relu1", b.batch_norm("bn1", b.conv("conv1", b.input(), 4, {.kernel = {3, 3}})));
  x = b.max_pool("pool", x, {.kernel = {2, 2}});
  const auto y = b.batch_norm("bn2", b.conv("conv2", x, 4, {.kernel = {3, 3}, .padding = {1, 1}}));
  x = b.relu("relu2", b.add("add", x, y));
  x = b.batch_norm("bn3", b.conv("conv3", x, 6, {.kernel = {2, 2}}));
  auto graph = b.finish(b.linear("fc", b.flatten("flatten", b.relu("relu3", x)), kWorkerClasses));
  return *bind(*graph, {.batch = batch, .parameters = DType::f64, .activations = DType::f64});
}

std::span<double> doubles_of(const Executor& step, ValueId id) {
  const auto bytes = step.storage(id);
  return {reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)};
}

// Weights that follow from their place alone; the scales of norms and variances are about 1.
void fill_weights(Executor& step) {
  uint32_t seed = 1;
  for (size_t i = 0; i < step.program().values.size(); ++i) {
    const ProgramValue& value = step.program().values[i];
    if ((value.role != Role::parameter && value.role != Role::buffer) || value.storage.present()) continue;
    ASSERT_EQ(value.type->dtype, DType::f64) << value.name;
    const bool scale = value.type->shape.rank() == 1 && (value.name.ends_with("weight") || value.name.ends_with("var"));
    for (double& number : doubles_of(step, {int32_t(i)})) {
      seed = seed * 1664525 + 1013904223;
      number = (scale ? 1 : 0) + (double(seed >> 8) / double(1 << 24) - 0.5) / 4;
    }
  }
}

void write_samples(Executor& step, int64_t number, int64_t first, int64_t batch) {
  const auto sample = size_t(kWorkerPicture.elements().value());
  std::vector<double> inputs;
  std::vector<int64_t> labels;
  for (int64_t i = first; i < first + batch; ++i) {
    const int64_t index = number * kGlobalBatch + i;
    labels.push_back(index % kWorkerClasses);
    for (size_t k = 0; k < sample; ++k)
      inputs.push_back(
          double((uint32_t(index) * 2654435761U + uint32_t(k) * 40503U * uint32_t(labels.back() + 1)) % 997) / 400);
  }
  step.write(step.program().inputs.at(0), std::as_bytes(std::span(inputs)));
  step.write(input_named(step.program(), "targets"), std::as_bytes(std::span(labels)));
  const ValueId rate = input_named(step.program(), "learning_rate");
  const auto narrow = float(kWorkerRate);
  const bool wide = step.program().value(rate).type->dtype == DType::f64;
  step.write(rate, wide ? std::as_bytes(std::span(&kWorkerRate, 1)) : std::as_bytes(std::span(&narrow, 1)));
}

struct TrainedInF64 {
  std::vector<double> losses;
  std::map<std::string, std::vector<double>> weights;
};

// What worker 0 has; that all have the same is expected on the way.
TrainedInF64 train_in_f64(int workers, BatchNormOver norm) {
  TrainedInF64 trained;
  const int64_t batch = kGlobalBatch / workers;
  std::vector<std::string> stored{size_t(workers)};
  on_threads(workers, [&](Communicator& all) {
    StepOptions options;
    options.optimizer = find_optimizer("sgd").value();
    options.batch_norm = {norm, 0, workers};
    const auto step = *make_executor(reference_backend(), *make_step(network_in_f64(batch), options), 1);
    fill_weights(*step);
    step->add_up_with([&](std::span<double> sums) { all.sum(sums); });
    for (int64_t number = 1; number <= kSteps; ++number) {
      write_samples(*step, number, all.rank() * batch, batch);
      step->compute();
      for (const auto& result : step_results(step->program(), step->plan())) {
        all.sum(doubles_of(*step, result.value));
        for (double& one : doubles_of(*step, result.value)) one /= workers;
      }
      double loss = 0;
      step->read(step->program().loss, std::as_writable_bytes(std::span(&loss, 1)));
      all.sum(std::span(&loss, 1));
      if (all.first()) trained.losses.push_back(loss / workers);
      step->update();
    }
    stored[size_t(all.rank())] = stored_bytes(*step);
    if (!all.first()) return;
    for (size_t i = 0; i < step->program().values.size(); ++i) {
      const ProgramValue& value = step->program().values[i];
      if ((value.role != Role::parameter && value.role != Role::buffer) || value.storage.present()) continue;
      const auto numbers = doubles_of(*step, {int32_t(i)});
      trained.weights[value.name].assign(numbers.begin(), numbers.end());
    }
  });
  for (const auto& one : stored) EXPECT_EQ(one, stored[0]);
  return trained;
}

// The largest difference of a loss, relative to it, and of a tensor, relative to its length.
double difference_in_f64(const TrainedInF64& one, const TrainedInF64& other) {
  double most = 0;
  EXPECT_EQ(one.losses.size(), other.losses.size());
  for (size_t i = 0; i < one.losses.size(); ++i)
    most = std::max(most, std::abs(one.losses[i] - other.losses[i]) / one.losses[i]);
  EXPECT_EQ(one.weights.size(), other.weights.size());
  for (const auto& [name, numbers] : one.weights) {
    double changed = 0, whole = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      changed += std::pow(numbers[i] - other.weights.at(name).at(i), 2);
      whole += numbers[i] * numbers[i];
    }
    most = std::max(most, std::sqrt(changed / whole));
  }
  return most;
}

TEST(WorkersInF64, AreOneWorkerAtTheirCommonBatch) {
  const auto one = train_in_f64(1, BatchNormOver::batch);
  ASSERT_EQ(one.losses.size(), size_t(kSteps));
  EXPECT_GT(std::abs(one.losses.back() - one.losses.front()), 0.01);  // it trains
  for (const int workers : {2, 4}) {
    const double difference = difference_in_f64(one, train_in_f64(workers, BatchNormOver::workers));
    EXPECT_LT(difference, 1e-9);
    RecordProperty("difference_" + std::to_string(workers), std::to_string(difference * 1e15) + "e-15");
  }
}

// Statistics of each worker's own samples are another training: far more than rounding.
TEST(WorkersInF64, WithLocalBatchNormAreNot) {
  const auto one = train_in_f64(1, BatchNormOver::batch);
  EXPECT_GT(difference_in_f64(one, train_in_f64(4, BatchNormOver::batch)), 1e-3);
}

}  // namespace
}  // namespace plimsoll
