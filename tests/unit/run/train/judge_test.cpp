#include "run/train/judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "small_step.h"

namespace plimsoll {
namespace {

// Scores are the samples themselves, behind an identity matrix: a network whose answers the test knows.
Program scores(int64_t outputs, const std::string& last = "", int64_t batch = 2) {
  Builder b("scores", {outputs});
  auto x = b.linear("fc", b.input(), outputs);
  if (!last.empty()) x = b.apply("last", last, {x});
  auto graph = b.finish(x);
  EXPECT_TRUE(graph.ok());
  BindOptions options;
  options.batch = batch;
  return *bind(*graph, options);
}

class Judged {
 public:
  Judged(int64_t outputs, const std::string& last, Loss loss = Loss::automatic) {
    StepOptions options;
    options.optimizer = find_optimizer("sgd").value();
    options.loss = loss;
    const auto training = make_step(scores(outputs, last), options), inference = make_step(scores(outputs, last), {});
    EXPECT_TRUE(training.ok() && inference.ok());
    auto made = Judge::make(*training, *inference, judged_classes(outputs));
    EXPECT_TRUE(made.ok()) << made.error().line();
    judge = std::make_unique<Judge>(*std::move(made));
    step = *make_executor(reference_backend(), *training, 1);
    network = *make_executor(reference_backend(), *inference, 1);
    for (Executor* executor : {step.get(), network.get()}) fill(*executor, outputs);
  }

  // Loss and right answers as the training step has them, and as the evaluation counts them.
  struct Both {
    double step_loss;
    int64_t step_correct;
    Tally tally;
  };
  Both run(std::vector<float> samples, std::vector<int64_t> labels) {
    Both both{};
    for (Executor* executor : {step.get(), network.get()})
      executor->write(executor->program().inputs[0], std::as_bytes(std::span(samples)));
    judge->write_targets(*step, labels);
    step->compute();
    float loss = 0;
    step->read(step->program().loss, std::as_writable_bytes(std::span(&loss, 1)));
    both.step_loss = loss;
    both.step_correct = judge->count_correct(*step, labels, 2);
    network->compute();
    judge->tally(*network, labels, 2, both.tally);
    return both;
  }

  static int64_t judged_classes(int64_t outputs) { return outputs == 1 ? 2 : outputs; }

  std::unique_ptr<Judge> judge;
  std::unique_ptr<Executor> step, network;

 private:
  static void fill(Executor& executor, int64_t outputs) {
    for (size_t i = 0; i < executor.program().values.size(); ++i) {
      const ProgramValue& value = executor.program().values[i];
      if (value.role != Role::parameter || value.storage.present()) continue;
      std::vector<float> numbers(size_t(value.type->elements().value()));
      if (value.type->shape.rank() == 2)
        for (int64_t k = 0; k < outputs; ++k) numbers[size_t(k * outputs + k)] = 1;
      executor.write({int32_t(i)}, std::as_bytes(std::span(numbers)));
    }
  }
};

void expect_agree(const Judged::Both& both, int64_t correct) {
  EXPECT_NEAR(both.step_loss, both.tally.loss(), 1e-5);
  EXPECT_EQ(both.step_correct, correct);
  EXPECT_EQ(both.tally.correct, correct);
  EXPECT_EQ(both.tally.samples, 2);
}

TEST(Judge, ClassesByTheLargestScore) {
  const auto both = Judged(3, "").run({1, 2, 3, 5, 0, 0}, {2, 1});
  expect_agree(both, 1);
  const double first = std::log(std::exp(-2) + std::exp(-1) + 1), second = 5 + std::log(1 + 2 * std::exp(-5));
  EXPECT_NEAR(both.tally.loss(), (first + second) / 2, 1e-6);
}

TEST(Judge, ProbabilitiesAndTheirLogarithmsAreJudgedAlike) {
  const auto plain = Judged(3, "").run({1, 2, 3, 5, 0, 0}, {2, 1});
  for (const char* last : {"softmax", "log_softmax"}) {
    const auto both = Judged(3, last).run({1, 2, 3, 5, 0, 0}, {2, 1});
    expect_agree(both, 1);
    EXPECT_NEAR(both.tally.loss(), plain.tally.loss(), 1e-5) << last;
  }
}

TEST(Judge, OneOutputTellsTwoClassesApart) {
  for (const char* last : {"", "sigmoid"}) {
    const auto both = Judged(1, last).run({2, -0.5f}, {1, 1});
    expect_agree(both, 1);
    EXPECT_NEAR(both.tally.loss(), (std::log1p(std::exp(-2)) + std::log1p(std::exp(0.5))) / 2, 1e-5) << last;
  }
}

TEST(Judge, SquaredErrorAgainstOneForTheClass) {
  const auto both = Judged(2, "", Loss::mean_squared_error).run({1, 0, 0.5f, 0}, {0, 1});
  expect_agree(both, 1);
  EXPECT_NEAR(both.tally.loss(), (0 + (0.25 + 1) / 2) / 2, 1e-6);
}

TEST(Judge, MoreClassesThanOutputsAreRefused) {
  StepOptions options;
  options.optimizer = find_optimizer("sgd").value();
  const auto judge = Judge::make(*make_step(scores(3), options), *make_step(scores(3), {}), 4);
  ASSERT_FALSE(judge.ok());
  EXPECT_NE(judge.error().line().find("4 classes, but the network tells 3 apart"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
