// A file is written as a whole or not at all, and nothing lies beside it afterwards.
#include "base/write_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

size_t files_in(const std::string& folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST(WriteWholeFile, MakesAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.json", large(3'000'000, 'x');
  ASSERT_TRUE(write_whole_file(path, "first").ok());
  EXPECT_EQ(text_of(path), "first");
  ASSERT_TRUE(write_whole_file(path, large).ok());
  EXPECT_EQ(text_of(path), large);
  ASSERT_TRUE(write_whole_file(path, "").ok());
  EXPECT_EQ(text_of(path), "");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(WriteWholeFile, FailsInOneLineAndLeavesNothing) {
  const TemporaryFolder folder;
  folder.write("file", "here");
  std::filesystem::create_directory(folder.path() + "/folder");
  ASSERT_EQ(mkfifo((folder.path() + "/pipe").c_str(), 0600), 0);
  for (const char* name : {"/none/a.json", "/file/a.json", "/folder", "/pipe"}) {
    const Status written = write_whole_file(folder.path() + name, "text");
    ASSERT_FALSE(written.ok()) << name;
    EXPECT_EQ(written.error().kind, ErrorKind::environment);
    EXPECT_NE(written.error().line().find(name), std::string::npos) << written.error().line();
  }
  EXPECT_EQ(text_of(folder.path() + "/file"), "here");
  EXPECT_EQ(files_in(folder.path()), 3u);
}

}  // namespace
}  // namespace plimsoll
