#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/ir/bind.h"
#include "model/onnx/import.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "run/exec/backend.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::vector<float> numbers_of(const std::string& path, const std::string& name, size_t count) {
  const auto imported = import_onnx_with_weights(path);
  EXPECT_TRUE(imported.ok()) << imported.error().line();
  std::vector<float> numbers(count);
  EXPECT_TRUE(imported->weights->has(name));
  EXPECT_TRUE(imported->weights->read(name, 0, numbers).ok());
  return numbers;
}

TEST(ExportVerb, FreshWeightsFollowTheSeed) {
  const TemporaryFolder folder;
  const auto first = run_plimsoll({"export", "logistic", "-o", "a.onnx", "--json"}, folder.path());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["schema"], "plimsoll.export/1");
  EXPECT_EQ(json["weights"], "fresh");
  EXPECT_EQ(json["tensors"], 2);
  EXPECT_EQ(json["bytes"], std::filesystem::file_size(folder.path() + "/a.onnx"));
  ASSERT_EQ(run_plimsoll({"export", "logistic", "-o", "b.onnx", "--seed", "2"}, folder.path()).exit_code, 0);
  ASSERT_EQ(run_plimsoll({"export", "a.onnx", "-o", "c.onnx"}, folder.path()).exit_code, 0);
  const auto numbers = [&](const std::string& file) { return numbers_of(folder.path() + "/" + file, "fc.weight", 90); };
  EXPECT_NE(numbers("a.onnx"), numbers("b.onnx"));
  EXPECT_EQ(numbers("a.onnx"), numbers("c.onnx"));
}

TEST(ExportVerb, ARunsCheckpoint) {
  StepOptions options;
  options.optimizer = *find_optimizer("adam");
  const auto graph = build_model("logistic", {.input = Shape{1, 6, 6}, .classes = 3});
  auto executor = make_executor(**find_backend("reference"), *make_step(*bind(*graph, {.batch = 2}), options), 1);
  ASSERT_TRUE(executor.ok());
  initialise(**executor, 5);
  const TemporaryFolder folder;
  const nlohmann::ordered_json config = {{"flags", {{"MODEL", "logistic"}, {"--input", "1x6x6"}, {"--classes", "3"}}}};
  ASSERT_TRUE(save_checkpoint(folder.path(), CheckpointKind::last, **executor, {}, config).ok());
  const auto ran = run_plimsoll({"export", ".", "-o", "run.onnx", "--json"}, folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["weights"], "checkpoint");
  ASSERT_EQ(run_plimsoll({"export", "logistic", "--input", "1x6x6", "--classes", "3", "--seed", "5", "-o", "f.onnx"},
                         folder.path())
                .exit_code,
            0);
  EXPECT_EQ(numbers_of(folder.path() + "/run.onnx", "fc.weight", 108),
            numbers_of(folder.path() + "/f.onnx", "fc.weight", 108));
}

}  // namespace
}  // namespace plimsoll
