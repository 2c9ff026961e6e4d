// Mistakes with export: one line, what was found and what was expected, and no file left behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class ExportErrors : public testing::Test {
 protected:
  // Runs in a folder with small.onnx, custom.onnx and a folder full.onnx; expects that nothing is added to it.
  void expect_mistake(const std::vector<std::string>& arguments, const std::string& says, int exit_code = 2) {
    SCOPED_TRACE(says);
    std::vector<std::string> words = {"export"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 3);
  }
  ExportErrors() {
    OnnxModel small, custom;
    add_small_network(small);
    folder_.write("small.onnx", small.bytes());
    custom.input("x", {"batch", 4});
    custom.node("Foo", {"x"}, {"y"}, "foo").set_domain("com.example");
    custom.output("y");
    folder_.write("custom.onnx", custom.bytes());
    fs::create_directory(fs::path(folder_.path()) / "full.onnx");
  }

  TemporaryFolder folder_;
};

TEST_F(ExportErrors, Flags) {
  expect_mistake({"-o", "a.onnx"}, "MODEL is required");
  expect_mistake({"lenet5"}, "--output is required");
  expect_mistake({"lenett5", "-o", "a.onnx"}, "did you mean 'lenet5'");
  expect_mistake({"lenet5", "-o", "a.pt"}, "expected a name that ends in .onnx");
  expect_mistake({"lenet5", "-o", "a.onnx", "--seed", "-1"}, "--seed is '-1'");
  expect_mistake({"lenet5", "-o", "a.onnx", "--input", "1x0x0"}, "1x0x0");
  expect_mistake({"small.onnx", "-o", "a.onnx", "--classes", "3"}, "--classes is for networks of the zoo");
}

TEST_F(ExportErrors, Places) {
  expect_mistake({"small.onnx", "-o", "small.onnx"}, "the model itself");
  expect_mistake({"small.onnx", "-o", "./small.onnx"}, "the model itself");
  expect_mistake({"lenet5", "-o", "full.onnx"}, "full.onnx: is a folder", 4);
  expect_mistake({"lenet5", "-o", "absent/a.onnx"}, "absent/a.onnx: cannot be written", 4);
  expect_mistake({"absent.onnx", "-o", "a.onnx"}, "absent.onnx: no such file");
  expect_mistake({".", "-o", "a.onnx"}, "no checkpoint");
  expect_mistake({".", "-o", "a.onnx", "--classes", "3"}, "a run's own are in its configuration");
}

TEST_F(ExportErrors, Models) { expect_mistake({"custom.onnx", "-o", "a.onnx"}, "node 'foo'"); }

}  // namespace
}  // namespace plimsoll
