// Networks from a file that train cannot run: refused before the first step, in one line that names the node, on every
// backend, and nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

TEST(TrainGraph, FormatsThatNothingComputesWith) {
  OnnxModel model;
  model.input("x", {2, 1, 8, 8});
  model.weight("fc.weight", {64, 4});
  set_integer(model.node("Cast", {"x"}, {"half"}, "narrow"), "to", onnx::TensorProto::BFLOAT16);
  set_integer(model.node("Cast", {"half"}, {"whole"}, "wide"), "to", onnx::TensorProto::FLOAT);
  model.node("Flatten", {"whole"}, {"flat"}, "flat");
  model.node("MatMul", {"flat", "fc.weight"}, {"y"}, "fc");
  model.output("y");
  const TemporaryFolder data, files, folder;
  write_idx_set(data, 40);
  const std::string file = files.write("half.onnx", model.bytes());
  for (const char* backend : {"onednn", "reference"}) {
    const Ran ran =
        run_plimsoll({"train", file, "--data", data.path(), "--batch", "2", "--backend", backend}, folder.path());
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find("node 'narrow': operation 'cast' works on bf16"), std::string::npos) << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

}  // namespace
}  // namespace plimsoll
