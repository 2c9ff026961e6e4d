// Which reader a path goes to.
#include "model/load/load_model_file.h"

#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

constexpr const char* kSmall = R"({"model_type": "gpt2", "n_embd": 16, "n_layer": 1, "n_head": 2, "vocab_size": 32})";

TEST(LoadModelFile, AFileOrTheFolderThatHasIt) {
  TemporaryFolder folder;
  const std::string file = folder.write("config.json", kSmall);
  EXPECT_EQ(kind_of_model_file(file), ModelFile::config);
  EXPECT_EQ(kind_of_model_file(folder.path()), ModelFile::config);
  EXPECT_EQ(kind_of_model_file("a.gguf"), ModelFile::gguf);
  EXPECT_EQ(kind_of_model_file("a.onnx"), ModelFile::onnx);
  for (const auto& path : {file, folder.path()}) {
    LoadOptions options;
    options.sequence = 7;
    const auto graph = load_model_file(path, options);
    ASSERT_TRUE(graph.ok()) << graph.error().line();
    EXPECT_EQ((*graph->value(graph->inputs[0]).shape)[1].size, 7);
  }
}

TEST(LoadModelFile, OnnxHasItsOwnSizes) {
  LoadOptions options;
  options.sequence = 7;
  const auto graph = load_model_file("some.onnx", options);
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().line().find("has its own sizes"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
