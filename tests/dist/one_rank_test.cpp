// What happens to one rank alone is decided by all: a number that is not finite, weights that have drifted apart, a
// sample that cannot be read (22 of the list of faults); and a rank that is slow is waited for and named (6).
#include <regex>

#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

class OneRank : public testing::Test {
 protected:
  // What each of two ranks has written.
  std::vector<std::string> run(const std::string& scenario) {
    if (!mpirun_is_there()) return {};
    const Ran ran =
        StartedProgram({"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "mpirun",
                        "--oversubscribe", "-np", "2", PLIM_SMALL_WORKER, scenario, folder_.path()})
            .wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::vector<std::string> found;
    for (const char* name : {"/rank-0", "/rank-1"}) {
      std::ifstream file(folder_.path() + name);
      found.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return found;
  }
  void SetUp() override {
    if (!mpirun_is_there()) GTEST_SKIP() << "mpirun is missing: install openmpi-bin";
  }

  TemporaryFolder folder_;
};

TEST_F(OneRank, TheyEndWithTheSameWeightsWhateverTheyBeganWith) {
  const auto found = run("plain");
  EXPECT_EQ(found.at(0), found.at(1));
  EXPECT_NE(found[0].find("finished\n\n4 steps, 0 updates left out"), std::string::npos) << found[0];
  EXPECT_EQ(run("plain-sent"), found);  // as between hosts: the same bits
}

TEST_F(OneRank, ANumberThatIsNotFiniteStopsAllBeforeAnyWeightMoves) {
  const auto found = run("nan");
  EXPECT_EQ(run("nan-sent"), found);
  EXPECT_EQ(found.at(0), found.at(1));
  EXPECT_NE(found[0].find("not-finite"), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("first at rank "), std::string::npos) << found[0];
  EXPECT_NE(found[0].find(": 'conv'"), std::string::npos) << found[0];
}

TEST_F(OneRank, SkippedItIsSkippedByAll) {
  const auto found = run("nan-skip");
  EXPECT_EQ(found.at(0), found.at(1));
  EXPECT_NE(found[0].find("4 steps, 1 updates left out"), std::string::npos) << found[0];
}

// Epochs 3 and 4 skip it once each, whichever rank has it; both count the same and hold the same weights.
TEST_F(OneRank, ASampleThatSpoilsInEpochThreeIsCountedByAll) {
  const auto found = run("spoilt");
  EXPECT_EQ(found.at(0), found.at(1));
  EXPECT_NE(found[0].find("16 steps, 0 updates left out\n2 samples skipped\n"), std::string::npos) << found[0];
}

TEST_F(OneRank, ThatIsSlowIsNamedAndChangesNothing) {
  const auto slow = run("slow"), usual = run("long");
  const auto weights = [](const std::string& text) { return text.substr(text.find("weights ")); };
  EXPECT_EQ(weights(slow.at(0)), weights(usual.at(0)));
  EXPECT_EQ(weights(slow[0]), weights(slow.at(1)));
  EXPECT_TRUE(std::regex_search(slow[0], std::regex("rank 1 on \\S+ is slow: it computes [0-9.]+ times as long as the "
                                                    "others, who wait: [0-9,]+ images/s, about [0-9,]+ without it")))
      << slow[0];
  EXPECT_EQ(usual[0].find("is slow"), std::string::npos) << usual[0];
}

TEST_F(OneRank, WeightsThatDriftApartAreNotSaved) {
  const auto found = run("drift");
  EXPECT_EQ(found.at(0), found.at(1));
  EXPECT_NE(found[0].find("step 4: rank 1 on "), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("holds other weights than rank 0"), std::string::npos) << found[0];
}

}  // namespace
}  // namespace plimsoll
