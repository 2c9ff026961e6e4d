// Bad files through the front door, as a user meets them. What each message says is
// checked in onnx_*_error_test.cpp; here: the exit code, one line, nothing on stdout, bounded memory.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_refused(const std::string& path) {
  SCOPED_TRACE(path);
  const Ran ran = run_plimsoll({"weigh", path});
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(path), std::string::npos) << "the file is not named: " << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST(OnnxFiles, AreRefusedInOneLine) {
  const TemporaryFolder folder;
  const std::string good = contents(PLIM_TEST_DATA "/models/resnet18.onnx");
  ASSERT_GT(good.size(), 1000u);
  expect_refused(folder.write("empty.onnx", ""));
  expect_refused(folder.write("text.onnx", "not a model\nat all\n"));
  expect_refused(folder.write("pointer.onnx", "version https://git-lfs.github.com/spec/v1\n"));
  expect_refused(folder.write("noise.onnx", std::string("\x01\xfe\xff\x00\x13", 5)));
  expect_refused(folder.write("length.onnx", "\x08\x07\x3a\xff\xff\xff\xff\x7f"));
  expect_refused(folder.write("pickle.pt", "\x80\x02}q\x01."));
  for (const size_t part : {2, 3, 5, 9}) expect_refused(folder.write("cut.onnx", good.substr(0, good.size() / part)));
  expect_refused(folder.path() + "/absent.onnx");
  expect_refused(folder.path() + "/");
  const std::string pipe = folder.path() + "/pipe.onnx";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused(pipe);
}

TEST(OnnxFiles, NamesThatWouldPaintTheTerminalAreEscaped) {
  const TemporaryFolder folder;
  const Ran ran = run_plimsoll({"weigh", folder.write("a\x1b[31m\n.onnx", "")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
}

TEST(OnnxFiles, NothingIsLeftBehind) {
  const TemporaryFolder folder;
  folder.write("cut.onnx", contents(PLIM_TEST_DATA "/models/resnet18.onnx").substr(0, 5000));
  run_plimsoll({"weigh", "cut.onnx", "--json"}, folder.path());
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

// The bound is 64 MiB for each of these and for the deepest zoo network.
TEST(OnnxFiles, AreWeighedInLittleMemory) {
  std::vector<std::string> models{"resnet152"};
  for (const auto& entry : std::filesystem::directory_iterator(PLIM_TEST_DATA "/models"))
    models.push_back(entry.path());
  for (const auto& model : models) {
    const Ran ran = run_plimsoll({"weigh", model});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(ran.peak_kib, 64 * 1024) << model;
#endif
  }
}

TEST(OnnxFiles, AFullDiskIsTheMachinesFault) {
  // run_plimsoll writes to files of its own; a shell gives the program /dev/full instead.
  const std::string command = std::string(PLIM_PROGRAM) + " weigh resnet50 >/dev/full 2>/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

}  // namespace
}  // namespace plimsoll
