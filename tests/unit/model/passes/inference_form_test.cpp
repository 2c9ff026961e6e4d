#include "model/passes/inference_form.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/passes/pipeline.h"
#include "tests/onnx_model.h"
#include "tests/program_run.h"

namespace plimsoll {
namespace {

// As a file says it that was exported in the middle of training.
Program dropping() {
  OnnxModel model;
  model.input("x", {2, 5});
  model.weight("ratio", {}).set_raw_data(std::string("\0\0\0\x3f", 4));  // 0.5
  auto& mode = *model.graph.add_initializer();
  mode.set_name("mode");
  mode.set_data_type(onnx::TensorProto::BOOL);
  mode.set_raw_data(std::string(1, '\1'));
  model.node("Dropout", {"x", "ratio", "mode"}, {"y"}, "dropout");
  model.output("y");
  const auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  return *bind(*graph, {});
}

TEST(InferenceForm, DropoutPassesOnWhateverModeAFileAsksFor) {
  const auto step = make_step(dropping(), {});
  ASSERT_TRUE(step.ok()) << step.error().line();
  ProgramRun run(*step);
  run.fill(1);
  run.run();
  const Tensor &x = run.get(step->inputs.at(0)), &y = run.get(step->outputs.at(0));
  ASSERT_EQ(y.size(), 10u);
  for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y.as<float>()[i], x.as<float>()[i]);
}

}  // namespace
}  // namespace plimsoll
