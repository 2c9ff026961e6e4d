#include "run/train/run_directory.h"
#include "base/field_mark.h"

#include <gtest/gtest.h>
#include <sys/file.h>

#include <filesystem>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

TEST(RunDirectory, ARunIsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a/run";
  {
    const auto made = RunDirectory::create(path, "lenet5");
    ASSERT_TRUE(made.ok()) << made.error().line();
    ASSERT_TRUE(made->write_config({{"model", "lenet5"}}).ok());
    EXPECT_TRUE(std::filesystem::exists(path + "/lock"));
  }
  EXPECT_FALSE(std::filesystem::exists(path + "/lock"));
  const auto again = RunDirectory::create(path, "lenet5");
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().line().find("add " + named("resume")), std::string::npos);
  const auto resumed = RunDirectory::reopen(path);
  ASSERT_TRUE(resumed.ok());
  EXPECT_EQ((*read_config(path))["model"], "lenet5");
  EXPECT_FALSE(RunDirectory::reopen(folder.path()).ok());
}

TEST(RunDirectory, TwoRunsDoNotShareOne) {
  const TemporaryFolder folder;
  const auto first = RunDirectory::create(folder.path(), "lenet5");
  ASSERT_TRUE(first.ok());
  const auto second = RunDirectory::create(folder.path(), "lenet5");
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().line().find("is in use by process " + std::to_string(getpid())), std::string::npos);
}

TEST(RunDirectory, ALockWhoseProcessIsGoneIsTakenOver) {
  const TemporaryFolder folder;
  folder.write("lock", "1\n");
  EXPECT_TRUE(RunDirectory::create(folder.path(), "lenet5").ok());
}

TEST(RunDirectory, SpaceOfADiskIsKnown) {
  const TemporaryFolder folder;
  EXPECT_GT(free_space(folder.path())->value(), 0);
  EXPECT_FALSE(free_space(folder.path() + "/missing").has_value());
}

}  // namespace
}  // namespace plimsoll
