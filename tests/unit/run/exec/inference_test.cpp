// An inference with everything folded and fused, on every backend, against the plain network by reference maths.
#include <gtest/gtest.h>

#include <cmath>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "run/train/initialise.h"
#include "tests/program_run.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

class WeightsOfRun : public Weights {
 public:
  explicit WeightsOfRun(const ProgramRun& run) : run_(run) {}
  bool has(const std::string& name) const override { return find(name) != nullptr; }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override {
    std::copy_n(find(name)->as<float>() + first, into.size(), into.begin());
    return {};
  }

 private:
  const Tensor* find(const std::string& name) const {
    const auto& values = run_.program().values;
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i].name == name && values[i].role != Role::activation && run_.has({int32_t(i)}))
        return &run_.get({int32_t(i)});
    return nullptr;
  }
  const ProgramRun& run_;
};

Program inference_of(const std::string& model, const StepOptions& options) {
  auto step = make_step(zoo_program(model, {.input = Shape{3, 32, 32}, .classes = 10}, 2), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

int64_t count(const Program& program, std::string_view op) {
  return std::count_if(program.operations.begin(), program.operations.end(),
                       [&](const Operation& operation) { return operation.op->name == op; });
}

void expect_output(const Executor& executor, const ProgramRun& plain, const std::string& what) {
  const auto expected = plain.get(plain.program().outputs[0]).doubles();
  std::vector<float> ours(expected.size());
  executor.read(executor.program().outputs[0], std::as_writable_bytes(std::span(ours)));
  double off = 0, norm = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    off += std::pow(ours[i] - expected[i], 2);
    norm += expected[i] * expected[i];
  }
  EXPECT_GT(norm, 0) << what;
  EXPECT_LE(std::sqrt(off), 1e-4 * std::sqrt(norm)) << what;
}

class Inference : public testing::TestWithParam<const Backend*> {};

TEST_P(Inference, FoldedAndFusedIsThePlainNetwork) {
  for (const char* model : {"resnet18", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0"}) {
    const Program plain = inference_of(model, {.fuse = false}), fused = inference_of(model, {});
    ProgramRun run(plain);
    run.fill(5);
    run.run();
    for (const ConvSetting way : {ConvSetting::automatic, ConvSetting::winograd}) {
      EngineOptions engine(2);
      engine.conv = way;
      auto executor = make_executor(*GetParam(), fused, engine);
      ASSERT_TRUE(executor.ok()) << executor.error().line();
      ASSERT_TRUE(load_weights(**executor, WeightsOfRun(run)).ok());
      for (int round = 0; round < 2; ++round) {  // what is written over must not be needed again
        (*executor)->write(fused.inputs[0], run.get(plain.inputs[0]).bytes);
        (*executor)->compute();
        expect_output(**executor, run, model);
      }
    }
  }
}

TEST_P(Inference, BesideATrainingStepLeavesItsParametersAlone) {
  StepOptions training;
  training.optimizer = find_optimizer("sgd").value();
  const Program plain = inference_of("resnet18", {.fuse = false}), step = inference_of("resnet18", training),
                beside = inference_of("resnet18", {.parameters = Parameters::shared});
  EXPECT_EQ(beside.folded.size(), 0);
  EXPECT_EQ(count(beside, "conv_norm"), 20);
  ProgramRun run(plain);
  run.fill(5);
  run.run();
  auto host = make_executor(*GetParam(), step, 2);
  ASSERT_TRUE(host.ok()) << host.error().line();
  ASSERT_TRUE(load_weights(**host, WeightsOfRun(run)).ok());
  auto executor = GetParam()->compile_beside(beside, **host);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  (*executor)->write(beside.inputs[0], run.get(plain.inputs[0]).bytes);
  (*executor)->compute();
  expect_output(**executor, run, "beside");
}

INSTANTIATE_TEST_SUITE_P(All, Inference, testing::ValuesIn(all_backends().begin(), all_backends().end()),
                         [](const auto& info) { return std::string(info.param->name()); });

TEST(InferencePasses, NothingIsLeftBesideTheConvolutions) {
  const Program resnet = inference_of("resnet18", {});
  EXPECT_EQ(resnet.folded.size(), 20);
  for (const char* gone : {"batch_norm", "conv_norm", "relu", "add"}) EXPECT_EQ(count(resnet, gone), 0) << gone;
  EXPECT_EQ(stored(resnet, Role::buffer), 0);
  const Program mobilenet = inference_of("mobilenet_v2", {});
  EXPECT_EQ(count(mobilenet, "clip"), 0);
  EXPECT_EQ(count(mobilenet, "add"), 0);
}

ValueId home(const Program& program, ValueId id) {
  while (program.value(id).storage.present()) id = program.value(id).storage;
  return id;
}

TEST(InferencePasses, ASumIsWrittenOverWhatIsAdded) {
  const Program resnet = inference_of("resnet18", {});
  int64_t sums = 0, in_place = 0;
  for (const auto& operation : resnet.operations) {
    if (operation.inputs.size() < 4) continue;
    ++sums;
    in_place += home(resnet, operation.outputs[0]) == home(resnet, operation.inputs[3]);
  }
  EXPECT_EQ(sums, 8);
  EXPECT_EQ(in_place, 8);
}

// Two convolutions with the same weights, each with a norm of its own: one tensor cannot hold both.
TEST(InferencePasses, SharedWeightsAreNotFolded) {
  Program program = zoo_program("resnet18", {.input = Shape{3, 32, 32}});
  std::vector<Operation*> convolutions;
  for (auto& operation : program.operations)
    if (operation.op->name == "conv" && operation.name.starts_with("layer1")) convolutions.push_back(&operation);
  ASSERT_GE(convolutions.size(), 2);
  convolutions[1]->inputs[1] = convolutions[0]->inputs[1];
  EXPECT_EQ(fold_batch_norm(program, Parameters::own), 20);
  EXPECT_EQ(program.folded.size(), 18);
  EXPECT_EQ(count(program, "conv_norm"), 2);
}

}  // namespace
}  // namespace plimsoll
